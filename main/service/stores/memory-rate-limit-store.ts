import type { RateLimitStore } from './rate-limit-store.ts';

/** Password hashing allows far fewer in a minute. The oldest are dropped. */
const MOST_KEYS = 100_000;
const SWEEP_EVERY_MS = 10_000;

/**
 * Counts within this process.
 * @param now milliseconds of a monotonic clock, so that a change of the computer's clock neither locks anyone out nor lets
 * anyone in. It goes back only with a movable clock; what was counted ahead is dropped then.
 */
export function createMemoryRateLimitStore(
  now: () => number = () => performance.now(),
): RateLimitStore & { size(): number } {
  /** When the attempts of each key expire, the oldest first. */
  const expiries = new Map<string, number[]>();
  let sweptAt = now();
  let lastAt = sweptAt;

  /** The time, after dropping what was counted in a time ahead of it. */
  function readClock(): number {
    const at = now();
    if (at < lastAt) {
      expiries.clear();
      sweptAt = at;
    }
    lastAt = at;
    return at;
  }

  function sweep(at: number): void {
    sweptAt = at;
    for (const [key, ends] of expiries) if (ends.every((end) => end <= at)) expiries.delete(key);
  }

  return {
    size: () => expiries.size,

    async consume(key, { most, windowSeconds }) {
      const at = readClock();
      if (at - sweptAt >= SWEEP_EVERY_MS) sweep(at);

      const counted = (expiries.get(key) ?? []).filter((end) => end > at);
      // Granted again once fewer than `most` remain.
      const blocking = counted.at(-most);
      if (blocking !== undefined) return { granted: false, retryAfterSeconds: Math.ceil((blocking - at) / 1000) };

      const end = at + windowSeconds * 1000;
      expiries.delete(key);
      expiries.set(key, [...counted, end]);
      if (expiries.size > MOST_KEYS)
        for (const oldest of expiries.keys()) {
          expiries.delete(oldest);
          break;
        }

      let isReturned = false;
      return {
        granted: true,
        async giveBack() {
          const ends = expiries.get(key);
          const index = ends?.lastIndexOf(end) ?? -1;
          if (isReturned || ends === undefined || index < 0) return;
          isReturned = true;
          expiries.set(key, ends.toSpliced(index, 1));
        },
      };
    },
  };
}

/** For `--rate-limit off`. */
export const unlimitedRateLimitStore: RateLimitStore = {
  consume: async () => ({ granted: true, giveBack: async () => {} }),
};
