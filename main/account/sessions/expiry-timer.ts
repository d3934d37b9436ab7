import type { SessionExpiry } from '../../../preload/contract/settings.ts';
import type { Interpretation } from '../../client/parse-response.ts';
import { toLocalClock } from '../../client/reading/parse-date.ts';
import { claimedExpiry } from '../../client/reading/json-web-token.ts';
import { expiryTimes, type SessionTimes } from './expiry.ts';

/** The clock of the computer may be set, and it sleeps: no timer is trusted for longer. */
const longestWaitMs = 6 * 60 * 60_000;
const shortestWaitMs = 1000;

/** Characters of the name of a field. */
const longestName = 100;

/**
 * Works out when a session ends, by the clock of this computer: from the first answer that says it, from what was known before, else from what the token
 * claims itself. Undefined when none of them says it.
 * @param now ISO 8601; a length of time counts from then
 */
export function resolveSessionEnd(options: {
  token: string;
  readings: readonly (Interpretation | undefined)[];
  known?: SessionExpiry | undefined;
  now: string;
}): SessionExpiry | undefined {
  const { token, readings, known, now } = options;
  const nowMs = Date.parse(now);
  const isoOf = (ms: number, reading: Interpretation | undefined): string =>
    new Date(toLocalClock(ms, reading?.dateMs, nowMs)).toISOString();
  for (const reading of readings) {
    const end = reading?.sessionExpiry;
    if (!end) continue;
    const at = 'atMs' in end ? isoOf(end.atMs, reading) : new Date(nowMs + end.seconds * 1000).toISOString();
    return { at, by: end.name.slice(0, longestName), in: 'answer' };
  }
  if (known) return known;
  const claimed = claimedExpiry(token);
  return claimed === undefined ? undefined : { at: isoOf(claimed, readings[0]), by: 'exp', in: 'token' };
}

/** The id part of a token of the form `<number>|<opaque>`; of any other form nothing is told. */
export const parseTokenId = (token: string): string | undefined => /^(\d{1,20})\|./.exec(token)?.[1];

/** Wakes up when the end of a session comes near or is past, and at no other time. Without an end there is no timer. */
export class ExpiryTimer implements Disposable {
  readonly #options: { sessions: () => readonly SessionTimes[]; now: () => Date; onChange: () => void };
  #timer: NodeJS.Timeout | undefined;

  /** @param options.onChange called when another session may be near its end */
  constructor(options: { sessions: () => readonly SessionTimes[]; now: () => Date; onChange: () => void }) {
    this.#options = options;
  }

  /** Looks when the next end comes near. It is called after each change of the sessions. */
  schedule(): void {
    clearTimeout(this.#timer);
    const at = this.#options.now().getTime();
    const moments = this.#options.sessions().flatMap((session) => Object.values(expiryTimes(session) ?? {}));
    const next = Math.min(...moments.filter((moment) => moment > at));
    if (next === Infinity) return;
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(next - at, shortestWaitMs), longestWaitMs));
    this.#timer.unref();
  }

  /** Looks again after the timer, or a sleep of the computer. */
  wake(): void {
    this.#options.onChange();
    this.schedule();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
