import { afterEach, expect, it } from 'vitest';
import { memoizeByLocale } from '../../../renderer/format.ts';
import { inLanguage } from '../../support/in-language.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

it('makes one for each language and each time zone, and keeps it', () => {
  const made: string[] = [];
  const clock = memoizeByLocale((language) => {
    made.push(language);
    return new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  });
  const at = (language: 'en' | 'es') => inLanguage(language, () => clock().format(noon));
  const noon = new Date('2026-11-22T12:00:00Z');
  process.env['TZ'] = 'UTC';
  expect([at('en'), at('es'), at('en')]).toEqual(['12:00 PM', '12:00', '12:00 PM']);
  expect(made).toEqual(['en', 'es']);
  process.env['TZ'] = 'Asia/Tokyo';
  expect(at('es')).toBe('21:00');
});
