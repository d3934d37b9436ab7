/** At most `most` attempts in a sliding window. */
export type RateLimitRule = { most: number; windowSeconds: number };

type Attempt =
  /** Counted; `giveBack` is for an attempt that turns out not to be limited. */
  { granted: true; giveBack(): Promise<void> } | { granted: false; retryAfterSeconds: number };

/**
 * Counts attempts, for all instances that share it. Counting and refusing are one step, so that parallel attempts cannot
 * bypass a limit.
 */
export type RateLimitStore = {
  consume(key: string, limit: RateLimitRule): Promise<Attempt>;
};

type RefusedAttempt = Exclude<Attempt, { granted: true }>;

/** `giveBack` is for one key or for all. */
type AttemptOnAll = { granted: true; giveBack(key?: string): Promise<void> } | RefusedAttempt;

/** An attempt against several limits, counted by all or none. */
export async function consumeAll(
  store: RateLimitStore,
  limits: readonly (readonly [key: string, limit: RateLimitRule])[],
): Promise<AttemptOnAll> {
  const counted = new Map<string, () => Promise<void>>();
  const giveBack = async (key?: string): Promise<void> => {
    for (const [each, giveBackOne] of counted) if (key === undefined || key === each) await giveBackOne();
  };
  for (const [key, limit] of limits) {
    const attempt = await store.consume(key, limit);
    if (!attempt.granted) {
      await giveBack();
      return attempt;
    }
    counted.set(key, () => attempt.giveBack());
  }
  return { granted: true, giveBack };
}
