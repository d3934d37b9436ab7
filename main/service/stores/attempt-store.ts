/** At most `most` attempts in any stretch of `windowSeconds`. */
export type AttemptLimit = { most: number; windowSeconds: number };

type Attempt =
  /** The attempt was counted; `giveBack` is for one that turns out to be none of those that are limited. */
  { granted: true; giveBack(): Promise<void> } | { granted: false; retryAfterSeconds: number };

/**
 * Where attempts are counted. Asynchronous, since several instances must share one count; counting
 * and refusing are one step, so that parallel attempts cannot slip under a limit.
 */
export type AttemptStore = {
  take(key: string, limit: AttemptLimit): Promise<Attempt>;
  /** Ends what an adapter keeps open; a second call does nothing. */
  close?(): Promise<void>;
};

/** One attempt against several limits, counted by all of them or by none. */
export async function takeAll(
  attempts: AttemptStore,
  limits: readonly (readonly [key: string, limit: AttemptLimit])[],
): Promise<Attempt> {
  const taken: Extract<Attempt, { granted: true }>[] = [];
  const giveBack = async (): Promise<void> => {
    for (const each of taken) await each.giveBack();
  };
  for (const [key, limit] of limits) {
    const attempt = await attempts.take(key, limit);
    if (!attempt.granted) {
      await giveBack();
      return attempt;
    }
    taken.push(attempt);
  }
  return { granted: true, giveBack };
}
