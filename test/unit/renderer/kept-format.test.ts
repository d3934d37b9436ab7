import { afterEach, expect, it } from 'vitest';
import { keptFormat } from '../../../renderer/kept-format.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

it('makes one for each language and each time zone, and keeps it', () => {
  const made: string[] = [];
  const clock = keptFormat((language) => {
    made.push(language);
    return new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  });
  const noon = new Date('2026-11-22T12:00:00Z');
  process.env['TZ'] = 'UTC';
  expect([clock('en').format(noon), clock('es').format(noon), clock('en').format(noon)]).toEqual([
    '12:00 PM',
    '12:00',
    '12:00 PM',
  ]);
  expect(made).toEqual(['en', 'es']);
  process.env['TZ'] = 'Asia/Tokyo';
  expect(clock('es').format(noon)).toBe('21:00');
});
