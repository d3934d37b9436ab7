/** At most `most` attempts in any stretch of `windowSeconds`. */
export type RateLimitRule = { most: number; windowSeconds: number };

type Attempt =
  /** The attempt was counted; `giveBack` is for one that turns out to be none of those that are limited. */
  { granted: true; giveBack(): Promise<void> } | { granted: false; retryAfterSeconds: number };

/**
 * Where attempts are counted. It is asynchronous, since several instances must share one count. Counting and refusing
 * are one step, so that parallel attempts cannot slip under a limit.
 */
export type RateLimitStore = {
  consume(key: string, limit: RateLimitRule): Promise<Attempt>;
};

type Refused = Exclude<Attempt, { granted: true }>;

/** `giveBack` takes the attempt out of the count of one key, or out of all counts. */
type AttemptOnAll = { granted: true; giveBack(key?: string): Promise<void> } | Refused;

/** One attempt against several limits, counted by all of them or by none. */
export async function consumeAll(
  attempts: RateLimitStore,
  limits: readonly (readonly [key: string, limit: RateLimitRule])[],
): Promise<AttemptOnAll> {
  const counted = new Map<string, () => Promise<void>>();
  const giveBack = async (key?: string): Promise<void> => {
    for (const [each, giveBackOne] of counted) if (key === undefined || key === each) await giveBackOne();
  };
  for (const [key, limit] of limits) {
    const attempt = await attempts.consume(key, limit);
    if (!attempt.granted) {
      await giveBack();
      return attempt;
    }
    counted.set(key, () => attempt.giveBack());
  }
  return { granted: true, giveBack };
}
