import { afterEach, describe, expect, it } from 'vitest';
import { inEnglish, inSpanish } from '../../support/in-language.ts';
import { formatDateTime, formatDate } from '../../../renderer/format.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

describe.each(['America/Bogota', 'Pacific/Kiritimati', 'UTC'])('in %s', (zone) => {
  it('a day is the same day, without a time', () => {
    process.env['TZ'] = zone;
    expect([
      inEnglish(() => formatDate('1990-05-17', 'day')),
      inSpanish(() => formatDate('1990-05-17', 'day')),
    ]).toEqual(['May 17, 1990', '17 may 1990']);
    expect(inSpanish(() => formatDate('1990-05-17', 'day-full'))).toBe('jueves, 17 de mayo de 1990');
  });

  it('a moment without a zone has the clock of UTC', () => {
    process.env['TZ'] = zone;
    const moment = new Date('2026-06-30T22:15:00Z');
    expect([inEnglish(() => formatDate(moment, 'utc')), inSpanish(() => formatDate(moment, 'utc'))]).toEqual([
      'Jun 30, 2026, 10:15 PM UTC',
      '30 jun 2026, 22:15 UTC',
    ]);
  });

  it('a moment with a zone has the clock of the person', () => {
    process.env['TZ'] = zone;
    const said = {
      'America/Bogota': '30 jun 2026, 17:15',
      'Pacific/Kiritimati': '1 jul 2026, 12:15',
      UTC: '30 jun 2026, 22:15',
    };
    expect(inSpanish(() => formatDateTime(new Date('2026-06-30T22:15:00Z'), 0))).toBe(said[zone as keyof typeof said]);
  });
});

it('a moment is said by the day as long as that is near', () => {
  const now = new Date(2026, 10, 22, 12);
  const at = (day: number) => inEnglish(() => formatDateTime(new Date(2026, 10, day, 9, 5), now.getTime()));
  expect([at(21), at(22), at(23)]).toEqual(['yesterday, 9:05 AM', 'today, 9:05 AM', 'tomorrow, 9:05 AM']);
  expect(at(1)).toBe('Nov 1, 2026, 9:05 AM');
  expect(inSpanish(() => formatDateTime(new Date(2026, 10, 22, 9, 5), now.getTime()))).toBe('hoy, 9:05');
  expect([inEnglish(() => formatDate(now, 'date')), inEnglish(() => formatDate('2026-12-01', 'month'))]).toEqual([
    'Nov 22, 2026',
    'Dec 2026',
  ]);
});
