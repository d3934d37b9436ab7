import { hash } from 'node:crypto';

/** Numbers that look random and are the same for the same seed. */
export function createRandom(seed: number) {
  let count = 0;
  const unit = (): number => parseInt(hash('sha256', `${seed} ${count++}`).slice(0, 8), 16) / 2 ** 32;
  return {
    /** From `from` up to and without `to`. */
    whole: (from: number, to: number): number => from + Math.floor(unit() * (to - from)),
    chance: (probability: number): boolean => unit() < probability,
  };
}

export type Random = ReturnType<typeof createRandom>;
