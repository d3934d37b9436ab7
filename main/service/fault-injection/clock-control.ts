import pLimit from 'p-limit';
import type { AccountTable } from '../stores/account-table.ts';
import type { ExclusiveLock } from '../stores/exclusive-lock.ts';
import type { MovableClock } from './movable-clock.ts';

const DAY_MS = 86_400_000;

/** A hundred years. The longest token lives for ten of them. */
export const MOST_AHEAD_MS = 36_500 * DAY_MS;

/** Ahead, or back to the computer's time. */
type ClockTarget = { advanceMs: number } | { to: 'newest-token-end' | 'now' };

type ClockFailure =
  /** It would be more than {@link MOST_AHEAD_MS} ahead. */
  | 'too-far'
  /** No token is valid. */
  | 'no-token'
  /** Another instance uses the database, and would have another time. */
  | 'shared';

type ClockState = { nowMs: number; aheadMs: number };

export type ClockControl = {
  get(): ClockState;
  move(move: ClockTarget): Promise<{ ok: true; clock: ClockState } | { ok: false; kind: ClockFailure }>;
};

/** Moves the clock of the service, one move after the other. The database is exclusive only while the clock differs. */
export function createClockControl(options: {
  clock: MovableClock;
  tokens: Pick<AccountTable, 'endOfNewestToken'>;
  lock: ExclusiveLock;
}): ClockControl {
  const { clock, tokens, lock } = options;
  const oneByOne = pLimit(1);

  const get = (): ClockState => ({ nowMs: clock.now(), aheadMs: clock.aheadMs() });

  /** Milliseconds ahead, or why the move is impossible. */
  async function targetOf(move: ClockTarget): Promise<number | ClockFailure> {
    if ('advanceMs' in move) return clock.aheadMs() + move.advanceMs;
    const at = clock.now();
    const end = await tokens.endOfNewestToken(at);
    // The time of the query passes too, so the clock arrives at or after the expiry.
    return end === undefined ? 'no-token' : clock.aheadMs() + end - at;
  }

  async function back(): Promise<void> {
    clock.setAhead(0);
    await lock.release();
  }

  async function moveOnce(move: ClockTarget): ReturnType<ClockControl['move']> {
    if ('to' in move && move.to === 'now') {
      await back();
      return { ok: true, clock: get() };
    }
    const target = await targetOf(move);
    if (typeof target === 'string') return { ok: false, kind: target };
    if (target > MOST_AHEAD_MS) return { ok: false, kind: 'too-far' };
    if (!(await lock.acquire())) return { ok: false, kind: 'shared' };
    clock.setAhead(target);
    return { ok: true, clock: get() };
  }

  return {
    get,
    move: (move) => oneByOne(() => moveOnce(move)),
  };
}
