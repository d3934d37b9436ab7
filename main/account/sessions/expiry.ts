import type { ExpiryState } from '../../../preload/contract/models.ts';
import type { StoredSession } from '../config/config.ts';

const minuteMs = 60_000;
/** A session is near its end for so long, or for the last quarter of its lifetime if that is shorter. */
const nearMs = 5 * minuteMs;

/** The clock of the computer may be set, and it sleeps: no timer is trusted for longer. */
const longestWaitMs = 6 * 60 * 60_000;
const shortestWaitMs = 1000;

type SessionTimes = Pick<StoredSession, 'end' | 'madeAt' | 'renewedAt' | 'checkedAt' | 'loggedOutAt'>;

/** In milliseconds since 1970. Undefined if the end is unknown, or if the server confirmed the session after it. */
function expiryTimes({
  end,
  madeAt,
  renewedAt,
  checkedAt,
  loggedOutAt,
}: SessionTimes): { soon: number; over: number } | undefined {
  if (!end || loggedOutAt !== undefined) return undefined;
  const over = Date.parse(end.at);
  if (over <= Date.parse(checkedAt ?? '')) return undefined;
  const length = over - Date.parse(renewedAt ?? madeAt ?? '');
  return { soon: over - (length > 0 ? Math.min(nearMs, length / 4) : nearMs), over };
}

/** Undefined before the end is near. */
export function expiryState(session: SessionTimes, now: number): ExpiryState | undefined {
  const times = expiryTimes(session);
  if (!times || now < times.soon) return undefined;
  return now < times.over ? 'soon' : 'over';
}

type ExpiryTimerOptions = { sessions: () => readonly SessionTimes[]; now: () => Date; onChange: () => void };

/** Calls `onChange` when the next session comes near its end or is past it. Without such a session there is no timer. */
export class ExpiryTimer implements Disposable {
  readonly #options: ExpiryTimerOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ExpiryTimerOptions) {
    this.#options = options;
  }

  /** To be called after each change of the sessions. */
  schedule(): void {
    clearTimeout(this.#timer);
    const at = this.#options.now().getTime();
    const times = this.#options.sessions().flatMap((session) => Object.values(expiryTimes(session) ?? {}));
    const next = Math.min(...times.filter((time) => time > at));
    if (next === Infinity) return;
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(next - at, shortestWaitMs), longestWaitMs));
    this.#timer.unref();
  }

  /** To be called after the computer slept, since no timer ran. */
  wake(): void {
    this.#options.onChange();
    this.schedule();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
