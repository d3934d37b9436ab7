/** How a moment was written, as far as somebody writes it again. */
type MomentForm =
  | { kind: 'iso'; separator: 'T' | ' '; hasSeconds: boolean; digits: number; zone: string }
  /** `digits` are those of a second that stand behind the point. */
  | { kind: 'epoch'; unit: 's' | 'ms'; digits: number }
  /** As headers have it (RFC 9110 section 5.6.7). */
  | { kind: 'http' }
  | { kind: 'other' };

/**
 * What a server wrote as a date. A `day` such as `1990-05-17` is the same wherever it is read: it has neither time nor
 * zone. `ms` are milliseconds since 1970, taken as UTC where the zone is not said.
 */
export type ParsedDate =
  | { is: 'day'; day: string }
  | { is: 'moment'; ms: number; isZoneSaid: boolean; form: MomentForm };

type Parts = { [name in 'year' | 'month' | 'day' | 'time' | 'fraction' | 'zone']?: string | undefined };

const zone = String.raw`(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)`;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** ISO 8601, as PostgreSQL, Ruby, Go (`+0000 UTC`) and Java (`[Europe/Madrid]`) write it as well. */
const iso = new RegExp(
  String.raw`^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:(?<separator>[T ])(?<time>\d\d:\d\d(?::\d\d)?)(?:[.,](?<fraction>\d{1,9}))? ?${zone}?(?: UTC)?(?:\[[\w/+-]{1,40}\])?)?$`,
  'i',
);

/** Forms with the English names of months. The name of the day says nothing more. */
const worded: readonly RegExp[] = [
  // HTTP, mail (RFC 5322) and the dates of cookies: `Tue, 01 Dec 2026 10:00:00 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`.
  new RegExp(
    String.raw`^(?:[a-z]{3,9},? )?(?<day>\d{1,2})[ -](?<month>[a-z]{3})[ -](?<year>\d{4}|\d\d) (?<time>\d\d:\d\d(?::\d\d)?)(?: ${zone})?$`,
    'i',
  ),
  // `ctime` of C, `date`, Ruby, Java and Twitter: `Tue Dec  1 10:00:00 2026`, `Tue Dec 01 10:00:00 +0000 2026`.
  new RegExp(
    String.raw`^[a-z]{3} (?<month>[a-z]{3}) {1,2}(?<day>\d{1,2}) (?<time>\d\d:\d\d:\d\d)(?: ${zone})? (?<year>\d{4})$`,
    'i',
  ),
  // JavaScript: `Tue Dec 01 2026 10:00:00 GMT+0100 (Central European Standard Time)`, and the same day alone.
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>\d\d) (?<year>\d{4})(?: (?<time>\d\d:\d\d:\d\d) GMT(?<zone>[+-]\d{4})(?: \([^()]{1,60}\))?)?$/i,
];

/** The JSON of ASP.NET before version 5. */
const dotNet = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;

/** No form is longer. */
const longestMoment = 100;

/**
 * Reads a text as a date, if it has the form of one. A number has none, and the order of a date such as `01/02/2026` would
 * be a guess.
 */
export function parseDate(text: string): ParsedDate | undefined {
  if (text.length > longestMoment) return undefined;
  const trimmed = text.trim();
  const parts = iso.exec(trimmed)?.groups;
  if (parts) return momentOf(parts, formOf(parts));
  for (const pattern of worded) {
    const found = pattern.exec(trimmed)?.groups;
    if (!found) continue;
    const moment = momentOf(found, { kind: 'other' });
    const isHttp = moment?.is === 'moment' && new Date(moment.ms).toUTCString() === trimmed;
    return isHttp ? { ...moment, form: { kind: 'http' } } : moment;
  }
  const ms = dotNet.exec(trimmed)?.[1];
  return ms === undefined ? undefined : { is: 'moment', ms: Number(ms), isZoneSaid: true, form: { kind: 'other' } };
}

const formOf = ({
  separator,
  time = '',
  fraction = '',
  zone = '',
}: Record<string, string | undefined>): MomentForm => ({
  kind: 'iso',
  separator: separator === ' ' ? ' ' : 'T',
  hasSeconds: time.length > 5,
  digits: fraction.length,
  zone,
});

/** A date with a year of fewer digits is nobody's, such as `0001-01-01`, by which .NET and Go say none. */
const firstYear = 1000;

function momentOf(
  { year = '', month = '', day = '', time, fraction = '', zone }: Parts,
  form: MomentForm,
): ParsedDate | undefined {
  const number = months.indexOf(month.toLowerCase()) + 1 || Number(month);
  const fullYear = year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);
  const date = [fullYear, number, Number(day)].map((part) => String(part).padStart(2, '0')).join('-');
  const start = Date.parse(`${date}T00:00:00Z`);
  // A 30th of February would be taken for a day in March.
  if (fullYear < firstYear || Number.isNaN(start) || !new Date(start).toISOString().startsWith(date)) return undefined;
  if (time === undefined) return { is: 'day', day: date };
  const seconds = time.length > 5 ? time : `${time}:00`;
  const ms = Date.parse(`${date}T${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${offsetOf(zone)}`);
  return Number.isNaN(ms) ? undefined : { is: 'moment', ms, isZoneSaid: zone !== undefined, form };
}

function offsetOf(zone = 'Z'): string {
  if (!/^[+-]/.test(zone)) return 'Z';
  const numbers = zone.replace(':', '');
  return `${numbers.slice(0, 3)}:${numbers.slice(3) || '00'}`;
}

/** How far apart the clocks of two computers may be that are set by a time server, and an answer that takes its time. */
const sameClockMs = 60_000;

/**
 * Returns a moment of a server by the clock of this computer: as far from now as it was from the `Date` of the answer that
 * says it. All are in milliseconds since 1970.
 * @param dateMs the server's clock when it answered, if it says that
 */
export function toLocalClock(ms: number, dateMs: number | undefined, nowMs: number): number {
  const aheadMs = nowMs - (dateMs ?? nowMs);
  return Math.abs(aheadMs) <= sameClockMs ? ms : ms + aheadMs;
}

/** From 2000 on, up to the last year of four digits. Smaller numbers are lengths of time, or count something. */
const [firstSecond, lastSecond] = [946_684_800, 253_402_300_799];

/** Reads digits as seconds, also with a fraction, or milliseconds since 1970. Nothing but their name tells that they are. */
export function parseEpoch(digits: string): Extract<ParsedDate, { is: 'moment' }> | undefined {
  const [, whole, fraction = ''] = /^([1-9]\d{8,14})(?:\.(\d{1,9}))?$/.exec(digits) ?? [];
  if (whole === undefined) return undefined;
  const number = Number(whole);
  const unit = number >= firstSecond && number <= lastSecond ? 's' : 'ms';
  if (unit === 'ms' && (fraction !== '' || number < firstSecond * 1000 || number > lastSecond * 1000 + 999))
    return undefined;
  const ms = unit === 's' ? number * 1000 + Math.floor(Number(`0.${fraction}`) * 1000) : number;
  return { is: 'moment', ms, isZoneSaid: true, form: { kind: 'epoch', unit, digits: fraction.length } };
}
