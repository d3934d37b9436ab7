/** The value below or at which so large a share of the values lies, by nearest rank; they need no order. @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('There is no percentile of nothing');
  return value;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing');
  return (low + high) / 2;
}

/** How far the runs lie apart: largest less smallest, as a share of the median. 0 for a single run. */
export function spread(values: readonly number[]): number {
  const range = Math.max(...values) - Math.min(...values);
  return range === 0 ? 0 : range / Math.abs(median(values));
}

/** Each run's own ratio: both were measured right after each other, so what slowed the machine slowed both. */
export function ratios(values: readonly number[], peers: readonly number[]): number[] {
  return values.map((value, run) => {
    const peer = peers[run];
    if (peer === undefined) throw new Error(`Run ${run} has no peer`);
    return value / peer;
  });
}
