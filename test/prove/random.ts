import { hash } from 'node:crypto';

/** Makes numbers that look random and are the same for the same seed. */
export function createSeededRandom(seed: number) {
  let count = 0;
  const unit = (): number => parseInt(hash('sha256', `${seed} ${count++}`).slice(0, 8), 16) / 2 ** 32;
  return {
    /** Answers a whole number from `from` up to, but not including, `to`. */
    whole: (from: number, to: number): number => from + Math.floor(unit() * (to - from)),
    chance: (probability: number): boolean => unit() < probability,
  };
}

export type Random = ReturnType<typeof createSeededRandom>;
