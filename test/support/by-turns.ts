/** Days until each of many cases has had its turn. */
const days = 10;

/** `npm run prove -- screens` sets it. */
const isInFull = process.env['LLAVERO_TEST_IN_FULL'] === '1';

const today = Math.floor(Date.now() / 86_400_000);

/**
 * Returns the cases whose turn it is, out of several that are alike and slow: a tenth of them on each day in UTC and
 * always one, or all of them in `npm run prove -- screens`.
 */
export function byTurns<T>(cases: readonly T[]): T[] {
  const turns = Math.min(days, cases.length);
  return cases.filter((_case, index) => isInFull || index % turns === today % turns);
}
