const turns = 3;

/** `npm run prove -- screens` sets it. */
const isInFull = process.env['LLAVERO_TEST_IN_FULL'] === '1';

const today = Math.floor(Date.now() / 86_400_000);

/**
 * Returns the cases whose turn it is, out of many that are alike and slow: a third of them on each day in UTC, or all of
 * them in `npm run prove -- screens`.
 */
export function byTurns<T>(cases: readonly T[]): T[] {
  return cases.filter((_case, index) => isInFull || index % turns === today % turns);
}
