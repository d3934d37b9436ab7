import { cachedFormat } from './cached-format.ts';

const dayMs = 86_400_000;

const shortTime = cachedFormat((language) => new Intl.DateTimeFormat(language, { timeStyle: 'short' }));
/** The name of the month is cut: with a whole one, a moment needed a second line in Spanish. */
const date = cachedFormat((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }));
const exactly = cachedFormat((language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' }));
const inUtc = cachedFormat(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
);
const exactlyInUtc = cachedFormat(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' }),
);
/** A day is the same in every zone: it is written by the one in which it was made. */
const day = cachedFormat((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }));
const exactDay = cachedFormat((language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }));
const month = cachedFormat(
  (language) => new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' }),
);
const relativeDay = cachedFormat((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
const relativeSpan = cachedFormat((language) => new Intl.RelativeTimeFormat(language));
const shortSpan = cachedFormat(
  (language) => new Intl.RelativeTimeFormat(language, { style: 'narrow', numeric: 'auto' }),
);

/** Begins a text with a capital, where it stands alone. */
export const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

const startOfDay = (moment: Date): number => new Date(moment).setHours(0, 0, 0, 0);

/**
 * Says a moment as people do: "today, 10:17", else "21 Nov 2026, 10:17".
 * @param at a date, or ISO text
 * @param now what counts as today, in milliseconds since 1970
 */
export function sayMoment(at: Date | string, now = Date.now()): string {
  const moment = new Date(at);
  const time = shortTime().format(moment);
  // A day has 23 or 25 hours when the clocks change.
  const days = Math.round((startOfDay(moment) - startOfDay(new Date(now))) / dayMs);
  const day = Math.abs(days) <= 1 ? relativeDay().format(days, 'day') : date().format(moment);
  return `${day}, ${time}`;
}

/** Says the time of a moment of today, and the date before it of another: "10:17", "21 Nov 2026, 10:17". */
export function sayTime(at: string): string {
  const moment = new Date(at);
  const time = shortTime().format(moment);
  return startOfDay(moment) === startOfDay(new Date()) ? time : `${date().format(moment)}, ${time}`;
}

/** Says a moment to the second. */
export const sayExactly = (moment: Date): string => exactly().format(moment);

/** Says a moment by the clock of UTC: "30 Jun 2026, 22:15 UTC". */
export const sayInUtc = (moment: Date): string => `${inUtc().format(moment)} UTC`;
export const sayExactlyInUtc = (moment: Date): string => exactlyInUtc().format(moment);

/** Says a day such as `1990-05-17`, whatever the zone of the reader: "17 May 1990". */
export const sayDay = (iso: string): string => day().format(new Date(iso));
export const sayExactDay = (iso: string): string => exactDay().format(new Date(iso));

/** Says the month of a day: "Dec 2026". */
export const sayMonth = (iso: string): string => month().format(new Date(iso));

/** Says the date of a moment: "21 Nov 2026". */
export const sayDate = (moment: Date): string => date().format(moment);

const spans = [
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** From so much before the moment to so much after it, seconds are counted. */
const countdownMs = { before: 120_000, after: 60_000 };

/** Says how far a moment is from now, in its largest whole unit: "in 30 days", "in 90 seconds", "4 minutes ago". */
export const saySpan = (moment: Date, now: number): string => spanBy(relativeSpan(), moment, now);

/** Says the same where there is little room: "2h ago", "yesterday". */
export const sayShortSpan = (moment: Date, now: number): string => spanBy(shortSpan(), moment, now);

function spanBy(format: Intl.RelativeTimeFormat, moment: Date, now: number): string {
  const apart = moment.getTime() - now;
  // Half an hour less than thirty days is thirty days to everybody.
  const isCounted = apart <= countdownMs.before && apart > -countdownMs.after;
  const [unit, length] = isCounted
    ? (['second', 1000] as const)
    : (spans.find(([, each]) => Math.abs(apart) >= each * 0.98) ?? (['minute', 60_000] as const));
  const number = Math.round(apart / length);
  return format.format(number === 0 ? Math.sign(apart) || -1 : number, unit);
}

/** Says instants, in milliseconds since 1970, and shares of the built-in server. */
export const momentFormats = cachedFormat((language) => {
  const minute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const milliseconds = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: 0,
  });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  return {
    minute: (ms: number): string => minute.format(ms),
    time: (ms: number): string => time.format(ms),
    moment: (ms: number): string => moment.format(ms),
    duration: (ms: number): string => milliseconds.format(ms),
    percent: (share: number): string => percent.format(share),
  };
});

export type Moments = ReturnType<typeof momentFormats>;
