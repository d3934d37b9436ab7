/** The runs in a row that measure nothing after which a watch ends. */
export const mostFailures = 5;

/** The part by which a wait is longer or shorter by chance, so that many watches do not come at once. */
const jitter = 0.1;

/**
 * Returns the milliseconds to the next run of a watch.
 * @param random a number from 0 to 1
 */
export const waitOf = (everyMs: number, random: number): number => everyMs * (1 - jitter + 2 * jitter * random);
