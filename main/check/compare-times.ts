import { errorFunction, median, wilcoxonRankSum } from 'simple-statistics';
import type { NotMeasured, TimeComparison } from '../../preload/contract/report-cases.ts';

/** Times differ at a p-value below this, and by at least the larger of the two minimums. */
const significance = 0.001;
const minDifferenceMs = 5;
const minDifferenceShare = 0.2;

/**
 * Compares two samples by the Mann–Whitney U test, which assumes no distribution and is robust against a few slow
 * responses. The normal approximation with continuity correction holds from ten values each.
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
    knownMedianMs: roundToTenths(median(knownMs)),
    unknownMedianMs: roundToTenths(median(unknownMs)),
    pValue: Math.min(1, 1 - errorFunction(z / Math.SQRT2)),
    effect: Math.round(((2 * u) / (n * m) - 1) * 100) / 100,
  };
}

/** True if the difference is significant and large enough to be noticed over a network. */
export function timesDiffer({ pValue, knownMedianMs, unknownMedianMs }: TimeComparison): boolean {
  const least = Math.max(minDifferenceMs, minDifferenceShare * Math.min(knownMedianMs, unknownMedianMs));
  return pValue < significance && Math.abs(knownMedianMs - unknownMedianMs) >= least;
}

/** In milliseconds. At a spread up to this, a skipped password hash of usual cost would be noticed. */
const maxCalmSpreadMs = 100;
/** The difference between the kinds, over the spread of equal requests, below which a check is noisy. */
const minSpreadRatio = 1.25;

/**
 * How noisy a check was, if too noisy to compare the two kinds; otherwise undefined. Requests of one kind are equal, so
 * their spread is noise. A check is noisy if the kinds differ by hardly more than that, or if the spread would hide any
 * difference.
 *
 * The spread is the interdecile range, so two slow responses of twenty do not matter. In fourteen checks of a server that
 * stalls each refusal for 500 ms, on a busy machine, the kinds differed by at most 1.24 of it; where a known email takes
 * 40 ms longer, on a quiet machine, by 5.5 or more in eight checks.
 * @param knownMs milliseconds for known emails
 * @param unknownMs milliseconds for unknown ones
 */
export function detectNoise(
  knownMs: readonly number[],
  unknownMs: readonly number[],
): Extract<NotMeasured, { kind: 'noisy' }> | undefined {
  const times = compareTimes(knownMs, unknownMs);
  const { knownMedianMs, unknownMedianMs } = times;
  const spreadMs = roundToTenths(Math.max(interdecileRange(knownMs), interdecileRange(unknownMs)));
  const differenceMs = roundToTenths(Math.abs(knownMedianMs - unknownMedianMs));
  const least = timesDiffer(times)
    ? differenceMs / minSpreadRatio
    : Math.max(maxCalmSpreadMs, knownMedianMs, unknownMedianMs);
  return spreadMs < least ? undefined : { kind: 'noisy', spreadMs, differenceMs };
}

function interdecileRange(ms: readonly number[]): number {
  const sorted = ms.toSorted((one, other) => one - other);
  const left = Math.floor(sorted.length / 10);
  return (sorted.at(-1 - left) ?? 0) - (sorted[left] ?? 0);
}

const roundToTenths = (ms: number): number => Math.round(ms * 10) / 10;
