import { afterEach, describe, expect, it } from 'vitest';
import { sayDay, sayExactDay, sayInUtc, sayMoment, sayMonth, sayDate } from '../../../renderer/say-moment.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

describe.each(['America/Bogota', 'Pacific/Kiritimati', 'UTC'])('in %s', (zone) => {
  it('a day is the same day, without a time', () => {
    process.env['TZ'] = zone;
    expect([sayDay('1990-05-17', 'en'), sayDay('1990-05-17', 'es')]).toEqual(['May 17, 1990', '17 may 1990']);
    expect(sayExactDay('1990-05-17', 'es')).toBe('jueves, 17 de mayo de 1990');
  });

  it('a moment without a zone has the clock of UTC', () => {
    process.env['TZ'] = zone;
    const moment = new Date('2026-06-30T22:15:00Z');
    expect([sayInUtc(moment, 'en'), sayInUtc(moment, 'es')]).toEqual([
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
    expect(sayMoment(new Date('2026-06-30T22:15:00Z'), 'es', 0)).toBe(said[zone as keyof typeof said]);
  });
});

it('a moment is said by the day as long as that is near', () => {
  const now = new Date(2026, 10, 22, 12);
  const at = (day: number) => sayMoment(new Date(2026, 10, day, 9, 5), 'en', now.getTime());
  expect([at(21), at(22), at(23)]).toEqual(['yesterday, 9:05 AM', 'today, 9:05 AM', 'tomorrow, 9:05 AM']);
  expect(at(1)).toBe('Nov 1, 2026, 9:05 AM');
  expect(sayMoment(new Date(2026, 10, 22, 9, 5), 'es', now.getTime())).toBe('hoy, 9:05');
  expect([sayDate(now, 'en'), sayMonth('2026-12-01', 'en')]).toEqual(['Nov 22, 2026', 'Dec 2026']);
});
