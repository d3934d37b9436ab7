import type { CallTimings, RedactedText } from '../../preload/contract/calls.ts';
import type { During } from '../error-text.ts';

export type Phase = { name: 'dns' | 'connect' | 'tls' | 'firstByte' | 'download' | 'untilFailure'; ms: number };

/** Timing phases of a call, in order. Phases that did not happen are left out. */
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

/** The URL with its secrets left out. */
export const urlText = (url: RedactedText): string => url.filter((part) => typeof part === 'string').join('');

/** Guesses the operation from the path, to choose the texts of an error. */
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
type ShortFailure = (typeof shortFailures)[number];

/** Kinds without a short text are shown as `unexpected`. */
export const shortFailureOf = (kind: string): ShortFailure =>
  shortFailures.find((each) => each === kind) ?? 'unexpected';
