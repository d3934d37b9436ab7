import { expect, it } from 'vitest';
import { sayDay } from '../../../../../renderer/screens/sessions/say-day.ts';

const now = new Date(2026, 10, 22, 0, 30);
const said = (then: Date, language = 'en') => sayDay(then.toISOString(), language, now).replaceAll('\u202F', ' ');

it('says today and yesterday in words, by the day of the calendar, and any other day with its date', () => {
  expect(said(new Date(2026, 10, 22, 0, 10))).toBe('today, 12:10 AM');
  expect(said(new Date(2026, 10, 21, 23, 50))).toBe('yesterday, 11:50 PM');
  expect(said(new Date(2026, 10, 20, 23, 50))).toBe('Nov 20, 2026, 11:50 PM');
  expect(said(new Date(2026, 10, 23, 0, 10))).toBe('Nov 23, 2026, 12:10 AM');
});

it('says them in the language of the window', () => {
  expect(said(new Date(2026, 10, 22, 0, 10), 'es')).toBe('hoy, 0:10');
  expect(said(new Date(2026, 10, 21, 10, 17), 'es')).toBe('ayer, 10:17');
  expect(said(new Date(2026, 10, 19, 8, 2), 'es')).toBe('19 nov 2026, 8:02');
});
