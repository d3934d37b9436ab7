import { errorFunction, median, wilcoxonRankSum } from 'simple-statistics';
import type { TimeComparison } from '../../preload/contract/report-cases.ts';

/** Two times are said to differ at a chance below this, and with a difference of at least this much. */
const significance = 0.001;
const leastDifferenceMs = 5;
const leastShare = 0.2;

/**
 * Compares two samples of times by the test of Mann and Whitney. It asks nothing of their distribution, and a few slow
 * answers do not matter. It uses the normal approximation, corrected for continuity, which is good from ten values
 * each.
 * @param knownMs milliseconds for known emails
 * @param unknownMs milliseconds for unknown ones
 */
export function compareTimes(knownMs: readonly number[], unknownMs: readonly number[]): TimeComparison {
  const [n, m] = [knownMs.length, unknownMs.length];
  const u = wilcoxonRankSum([...unknownMs], [...knownMs]) - (m * (m + 1)) / 2;
  const mean = (n * m) / 2;
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12);
  const z = Math.max(0, Math.abs(u - mean) - 0.5) / deviation;
  return {
    samples: Math.min(n, m),
    knownMedianMs: rounded(median(knownMs)),
    unknownMedianMs: rounded(median(unknownMs)),
    pValue: Math.min(1, 1 - errorFunction(z / Math.SQRT2)),
    effect: Math.round(((2 * u) / (n * m) - 1) * 100) / 100,
  };
}

/** Says whether the difference is beyond chance, and large enough to be seen over a network. */
export function timesDiffer({ pValue, knownMedianMs, unknownMedianMs }: TimeComparison): boolean {
  const least = Math.max(leastDifferenceMs, leastShare * Math.min(knownMedianMs, unknownMedianMs));
  return pValue < significance && Math.abs(knownMedianMs - unknownMedianMs) >= least;
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;
