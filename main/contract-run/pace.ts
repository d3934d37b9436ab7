import { setTimeout as timer } from 'node:timers/promises';

/** The clock is given, so that tests need not wait. */
export type Clock = {
  /** Returns milliseconds since some moment. */
  now: () => number;
  /** Waits, and ends early without an error when the signal is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await timer(ms, undefined, signal && { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

/** Lets calls begin at most so often a second, evenly. */
export function createPace(callsPerSecond: number, clock: Clock) {
  let nextAt = -Infinity;
  return {
    async turn(signal?: AbortSignal): Promise<void> {
      const now = clock.now();
      const at = Math.max(now, nextAt);
      nextAt = at + 1000 / callsPerSecond;
      if (at > now) await clock.sleep(at - now, signal);
    },
  };
}
