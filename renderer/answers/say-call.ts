import type { CallTimings, RedactedText } from '../../preload/contract/calls.ts';
import { cachedFormat } from '../cached-format.ts';
import { sayMoment } from '../say-moment.ts';
import type { During } from '../say-error.ts';

const unit = (language: string, name: string, digits: number, unitDisplay: 'short' | 'long' = 'short') =>
  new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: digits });

/** Says sizes, durations and moments of calls in a language. */
export const callFormats = cachedFormat((language) => {
  const bytes = unit(language, 'byte', 0, 'long');
  const kilobytes = unit(language, 'kilobyte', 1);
  const megabytes = unit(language, 'megabyte', 1);
  const milliseconds = unit(language, 'millisecond', 0);
  const seconds = unit(language, 'second', 1);
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const whole = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  return {
    size: (count: number): string =>
      count < 1000
        ? bytes.format(count)
        : count < 999_950
          ? kilobytes.format(count / 1000)
          : megabytes.format(count / 1_000_000),
    duration: (ms: number): string => (ms < 999.5 ? milliseconds.format(ms) : seconds.format(ms / 1000)),
    /** Says the time of day for a moment of today, to the second, and for any other as everywhere. */
    moment(iso: string, now: Date): string {
      const date = new Date(iso);
      return date.toDateString() === now.toDateString() ? clock.format(date) : sayMoment(iso, now.getTime());
    },
    /** Says the time of day. */
    clock: (iso: string): string => clock.format(new Date(iso)),
    wholeMoment: (iso: string): string => whole.format(new Date(iso)),
  };
});

export type Phase = { name: 'dns' | 'connect' | 'tls' | 'firstByte' | 'download' | 'untilFailure'; ms: number };

/** Lists what a call spent its time on, in order. What did not happen took no time. */
export function phasesOf(timings: CallTimings, failed: boolean): Phase[] {
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = timings;
  const ends: [Phase['name'], number | undefined][] = [
    ['dns', dnsMs],
    ['connect', connectMs],
    ['tls', tlsMs],
    ['firstByte', firstByteMs],
    [failed ? 'untilFailure' : 'download', totalMs],
  ];
  let before = 0;
  return ends.flatMap(([name, end]) => {
    if (end === undefined) return [];
    const ms = Math.max(0, end - before);
    before = Math.max(before, end);
    return [{ name, ms }];
  });
}

/** Returns an address without its secrets. */
export const urlText = (url: RedactedText): string => url.filter((part) => typeof part === 'string').join('');

/** Returns the operation that a path belongs to, as far as errors are said differently for it. */
export function duringOf(path: string): During {
  const [name] = /[^/]*$/.exec(path.replace(/[?#].*$/s, '').replace(/\/$/, '')) ?? [];
  switch (name ?? '') {
    case 'login':
      return 'login';
    case 'registro':
    case 'register':
      return 'register';
    case 'perfil':
      return 'check';
    case 'salir':
      return 'logout';
    default:
      return 'server';
  }
}

const shortFailures = [
  'offline',
  'cancelled',
  'refused',
  'no-route',
  'blocked-here',
  'dns',
  'name-server',
  'tls',
  'proxy',
  'connection-settings',
  'timeout',
  'not-an-api-answer',
  'unexpected',
] as const;
export type ShortFailure = (typeof shortFailures)[number];

/** Returns the kind of a failure where it has a short word. Any other kind is just a failure. */
export const shortFailureOf = (kind: string): ShortFailure =>
  shortFailures.find((each) => each === kind) ?? 'unexpected';
