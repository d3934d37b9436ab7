import { language } from './i18n.ts';

/** Caches an `Intl` formatter per language and time zone, because creating one takes longer than rendering a row. */
export function memoizeByLocale<T>(make: (language: string) => T): () => T {
  const cache = new Map<string, T>();
  return () => {
    const key = `${language()} ${new Date().getTimezoneOffset()}`;
    const format = cache.get(key) ?? make(language());
    cache.set(key, format);
    return format;
  };
}

const dayMs = 86_400_000;

const shortTime = memoizeByLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
const fullMoment = memoizeByLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }),
);

/** A day such as `1990-05-17` is parsed as UTC, so it is formatted in UTC. */
const dateStyles = {
  /** `medium`, since a full month name wrapped a date with its time onto a second line in Spanish. */
  date: { dateStyle: 'medium' },
  day: { dateStyle: 'medium', timeZone: 'UTC' },
  'day-full': { dateStyle: 'full', timeZone: 'UTC' },
  month: { month: 'short', year: 'numeric', timeZone: 'UTC' },
  utc: { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
  'utc-full': { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

type DateStyle = keyof typeof dateStyles;

const dateFormats = memoizeByLocale((locale) => {
  const formats = new Map<DateStyle, Intl.DateTimeFormat>();
  return (style: DateStyle): Intl.DateTimeFormat => {
    const format = formats.get(style) ?? new Intl.DateTimeFormat(locale, dateStyles[style]);
    formats.set(style, format);
    return format;
  };
});

/**
 * Formats a date: 'date' "21 Nov 2026", 'day' the same of an ISO day, 'day-full' with its weekday, 'month' "Dec 2026",
 * 'utc' "30 Jun 2026, 22:15 UTC", 'utc-full' with weekday and seconds.
 * @param at a date, or ISO text
 */
export function formatDate(at: Date | string, style: DateStyle): string {
  const text = dateFormats()(style).format(new Date(at));
  return style === 'utc' ? `${text} UTC` : text;
}

const relativeDay = memoizeByLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const relativeLong = memoizeByLocale((locale) => new Intl.RelativeTimeFormat(locale));
const relativeNarrow = memoizeByLocale(
  (locale) => new Intl.RelativeTimeFormat(locale, { style: 'narrow', numeric: 'auto' }),
);

export const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

const startOfDay = (moment: Date): number => new Date(moment).setHours(0, 0, 0, 0);

/**
 * Formats a date and time: "today, 10:17", else "21 Nov 2026, 10:17".
 * @param at a date, or ISO text
 * @param now the reference for "today", in milliseconds since 1970
 */
export function formatDateTime(at: Date | string, now = Date.now()): string {
  const moment = new Date(at);
  const time = shortTime().format(moment);
  // A day has 23 or 25 hours when the clocks change.
  const days = Math.round((startOfDay(moment) - startOfDay(new Date(now))) / dayMs);
  const day = Math.abs(days) <= 1 ? relativeDay().format(days, 'day') : formatDate(moment, 'date');
  return `${day}, ${time}`;
}

/** Formats the time of day, after the date unless that is today: "10:17", "21 Nov 2026, 10:17". */
export function formatTime(at: string): string {
  const moment = new Date(at);
  const time = shortTime().format(moment);
  return startOfDay(moment) === startOfDay(new Date()) ? time : `${formatDate(moment, 'date')}, ${time}`;
}

/** Formats a date and time with weekday and seconds. */
export const formatFull = (moment: Date): string => fullMoment().format(moment);

const relativeUnits = [
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Seconds are counted from `before` the moment until `after` it. */
const countdownMs = { before: 120_000, after: 60_000 };

/**
 * Formats the distance of a moment from now in its largest whole unit: "in 30 days", "in 90 seconds", "4 minutes ago".
 * 'narrow' is for tight spaces: "2h ago", "yesterday".
 * @param now milliseconds since 1970
 */
export const formatRelative = (moment: Date, now: number, style: 'long' | 'narrow'): string =>
  relativeBy(style === 'long' ? relativeLong() : relativeNarrow(), moment, now);

function relativeBy(format: Intl.RelativeTimeFormat, moment: Date, now: number): string {
  const apart = moment.getTime() - now;
  // Rounded to whole units, and 2 % less than a unit counts as one: half an hour less than 30 days is "30 days".
  const isCounted = apart <= countdownMs.before && apart > -countdownMs.after;
  const [unit, length] = isCounted
    ? (['second', 1000] as const)
    : (relativeUnits.find(([, each]) => Math.abs(apart) >= each * 0.98) ?? (['minute', 60_000] as const));
  const number = Math.round(apart / length);
  return format.format(number === 0 ? Math.sign(apart) || -1 : number, unit);
}

/** Formats times, in milliseconds since 1970, durations and probabilities of the built-in server. */
export const formatters = memoizeByLocale((locale) => {
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const milliseconds = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: 0,
  });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  return {
    minute: (ms: number): string => minute.format(ms),
    time: (ms: number): string => time.format(ms),
    moment: (ms: number): string => moment.format(ms),
    duration: (ms: number): string => milliseconds.format(ms),
    percent: (share: number): string => percent.format(share),
  };
});

const units = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/**
 * Formats a duration in its largest unit and the next one, such as "1 hour, 2 minutes". Fractions of a second are
 * rounded up.
 */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const largest = units.findIndex(([size]) => whole >= size);
  const shown = largest === -1 ? units.slice(-1) : units.slice(largest, largest + 2);
  const words = shown
    .map(([size, unit], at) => ({ amount: Math.floor((at === 0 ? whole : whole % shown[0]![0]) / size), unit }))
    .filter(({ amount }, at) => at === 0 || amount > 0)
    .map(({ amount, unit }) =>
      new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(amount),
    );
  return new Intl.ListFormat(language(), { style: 'short', type: 'unit' }).format(words);
}

/** Formats the seconds that are left as a clock does: `36 s`, `2:05 min`, `1:00:00 h`. */
export function formatCountdown(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const parts = seconds < 3600 ? [60, 1] : [3600, 60, 1];
  const clock = parts.map((size, at) =>
    String(Math.floor((seconds % (parts[at - 1] ?? Infinity)) / size)).padStart(at === 0 ? 1 : 2, '0'),
  );
  return `${clock.join(':')} ${seconds < 3600 ? 'min' : 'h'}`;
}

const unit = (locale: string, name: string, digits: number, unitDisplay: 'short' | 'long' = 'short') =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: digits });

/** Formats sizes, durations and times of calls. */
export const callFormatters = memoizeByLocale((locale) => {
  const bytes = unit(locale, 'byte', 0, 'long');
  const kilobytes = unit(locale, 'kilobyte', 1);
  const megabytes = unit(locale, 'megabyte', 1);
  const milliseconds = unit(locale, 'millisecond', 0);
  const seconds = unit(locale, 'second', 1);
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  return {
    size: (count: number): string =>
      count < 1000
        ? bytes.format(count)
        : count < 999_950
          ? kilobytes.format(count / 1000)
          : megabytes.format(count / 1_000_000),
    duration: (ms: number): string => (ms < 999.5 ? milliseconds.format(ms) : seconds.format(ms / 1000)),
    /** The time of day to the second for today, otherwise as `formatDateTime`. */
    moment(iso: string, now: Date): string {
      const date = new Date(iso);
      return date.toDateString() === now.toDateString() ? clock.format(date) : formatDateTime(iso, now.getTime());
    },
    clock: (iso: string): string => clock.format(new Date(iso)),
    wholeMoment: (iso: string): string => whole.format(new Date(iso)),
  };
});
