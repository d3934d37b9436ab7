import type { RateLimitStore } from './rate-limit-store.ts';

/** The password hashing lets far fewer keys through in a minute. When there are more, the oldest are forgotten. */
const MOST_KEYS = 100_000;
const SWEEP_EVERY_MS = 10_000;

/**
 * Counts within this process. `now` is a clock in milliseconds that setting the computer's clock does not touch, so that
 * this neither locks anyone out nor lets anyone in. It goes back only when a clock that can be moved does: what was
 * counted in the time ahead is forgotten then.
 */
export function createMemoryRateLimitStore(
  now: () => number = () => performance.now(),
): RateLimitStore & { size(): number } {
  /** When each key's attempts leave the count, the oldest first. */
  const endings = new Map<string, number[]>();
  let sweptAt = now();
  let lastAt = sweptAt;

  /** Answers the time, and forgets what was counted in a time that is ahead of it. */
  function look(): number {
    const at = now();
    if (at < lastAt) {
      endings.clear();
      sweptAt = at;
    }
    lastAt = at;
    return at;
  }

  function sweep(at: number): void {
    sweptAt = at;
    for (const [key, ends] of endings) if (ends.every((end) => end <= at)) endings.delete(key);
  }

  return {
    size: () => endings.size,

    async consume(key, { most, windowSeconds }) {
      const at = look();
      if (at - sweptAt >= SWEEP_EVERY_MS) sweep(at);

      const counted = (endings.get(key) ?? []).filter((end) => end > at);
      // There is room again when so many have left that fewer than `most` remain.
      const makesRoom = counted.at(-most);
      if (makesRoom !== undefined) return { granted: false, retryAfterSeconds: Math.ceil((makesRoom - at) / 1000) };

      const end = at + windowSeconds * 1000;
      endings.delete(key);
      endings.set(key, [...counted, end]);
      if (endings.size > MOST_KEYS)
        for (const oldest of endings.keys()) {
          endings.delete(oldest);
          break;
        }

      let isGivenBack = false;
      return {
        granted: true,
        async giveBack() {
          const ends = endings.get(key);
          const index = ends?.lastIndexOf(end) ?? -1;
          if (isGivenBack || ends === undefined || index < 0) return;
          isGivenBack = true;
          endings.set(key, ends.toSpliced(index, 1));
        },
      };
    },
  };
}

/** Grants every attempt, for limits that are switched off. */
export const unlimitedRateLimitStore: RateLimitStore = {
  consume: async () => ({ granted: true, giveBack: async () => {} }),
};
