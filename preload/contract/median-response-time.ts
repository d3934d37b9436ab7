import type { LastCall } from './models.ts';

/** Returns the median of how long the calls took that were answered, in milliseconds; 0 where none was. */
export function medianResponseMs(calls: readonly Pick<LastCall, 'answered' | 'ms'>[]): number {
  const answered = calls.filter(({ answered }) => answered).map(({ ms }) => ms);
  return answered.toSorted((a, b) => a - b)[Math.floor(answered.length / 2)] ?? 0;
}
