/** At most `most` attempts in any stretch of `windowSeconds`. */
export type AttemptLimit = { most: number; windowSeconds: number };

export type Attempt =
  /** Counted; an attempt that turned out to be none of those limited is given back. */
  { granted: true; giveBack(): Promise<void> } | { granted: false; retryAfterSeconds: number };

/**
 * Where attempts are counted. Asynchronous, since several instances must share one count; counting
 * and refusing are one step, so that parallel attempts cannot slip under a limit.
 */
export type AttemptStore = {
  take(key: string, limit: AttemptLimit): Promise<Attempt>;
};
