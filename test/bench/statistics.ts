/**
 * Returns the value at or below which this share of the values lies, by nearest rank. The values need no order.
 * @param share 0 to 1
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('There is no percentile of nothing');
  return value;
}

/** Returns the middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing');
  return (low + high) / 2;
}

/**
 * Returns the smallest and the largest value between which the true median lies with 95 %, by order statistics (the
 * binomial, as its normal approximation has it). Below six values it is their range, which is less certain.
 */
export function medianInterval(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const ranks = 0.98 * Math.sqrt(sorted.length);
  const low = sorted[Math.max(0, Math.floor(sorted.length / 2 - ranks))];
  const high = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length / 2 + ranks) - 1)];
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing');
  return [low, high];
}

/** Returns how far the runs lie apart: the largest less the smallest, as a share of the median. */
export function spread(values: readonly number[]): number {
  const range = Math.max(...values) - Math.min(...values);
  return range === 0 ? 0 : range / Math.abs(median(values));
}

/** Returns each run's own ratio. Both were measured right after each other, so what slowed the machine slowed both. */
export function ratios(values: readonly number[], peers: readonly number[]): number[] {
  return values.map((value, run) => {
    const peer = peers[run];
    if (peer === undefined) throw new Error(`Run ${run} has no peer`);
    return value / peer;
  });
}

/** Returns how much a value rises with each step of the first one: the median of the slopes between any two points. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const slopes = points.flatMap(([x, y], index) =>
    points.slice(index + 1).map(([laterX, laterY]) => (laterY - y) / (laterX - x)),
  );
  return median(slopes);
}
