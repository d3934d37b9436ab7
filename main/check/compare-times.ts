import { errorFunction, median, wilcoxonRankSum } from 'simple-statistics';
import type { NotMeasured, TimeComparison } from '../../preload/contract/report-cases.ts';

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

/** In milliseconds. With a spread up to this, a password hash of a usual cost that is left out would be seen. */
const calmMs = 100;
/** So many times as far apart as equal calls lie two kinds have to be. */
const clearly = 1.25;

/**
 * Says that a run was too noisy to tell the two kinds apart, and how noisy; nothing of a run that could. Calls of one kind
 * are equal, so what differs among them is no difference between the kinds. A run is noisy where the kinds differ by
 * hardly more than equal calls do, and where equal calls lie so far apart that nothing could be seen.
 *
 * How far apart they lie is the range without the fastest and the slowest tenth (the interdecile range): two slow answers
 * of twenty do not matter. In fourteen runs at a server that stalls each refusal for 500 ms, on a machine too busy for
 * that, the kinds differed by at most 1.24 of it; where a known email takes 40 ms longer, on a quiet machine, by 5.5 or
 * more in the eight runs that were looked at.
 * @param knownMs milliseconds for known emails
 * @param unknownMs milliseconds for unknown ones
 */
export function detectNoise(
  knownMs: readonly number[],
  unknownMs: readonly number[],
): Extract<NotMeasured, { kind: 'noisy' }> | undefined {
  const times = compareTimes(knownMs, unknownMs);
  const { knownMedianMs, unknownMedianMs } = times;
  const spreadMs = rounded(Math.max(interdecileRange(knownMs), interdecileRange(unknownMs)));
  const differenceMs = rounded(Math.abs(knownMedianMs - unknownMedianMs));
  const least = timesDiffer(times) ? differenceMs / clearly : Math.max(calmMs, knownMedianMs, unknownMedianMs);
  return spreadMs < least ? undefined : { kind: 'noisy', spreadMs, differenceMs };
}

function interdecileRange(ms: readonly number[]): number {
  const sorted = ms.toSorted((one, other) => one - other);
  const left = Math.floor(sorted.length / 10);
  return (sorted.at(-1 - left) ?? 0) - (sorted[left] ?? 0);
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;
