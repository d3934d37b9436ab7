import pLimit from 'p-limit';

/** The outcome of a task, or the time until there is room for it. */
type HashTurn<T> = { ok: true; value: T } | { ok: false; retryAfterSeconds: number };

export type HashQueueSize = {
  /** Hashes computed at the same time. */
  atOnce: number;
  /** Hashes that may wait for their turn. */
  waiting: number;
};

export type HashQueue = ReturnType<typeof createHashQueue>;

/**
 * Lets so many password hashes run at once, keeps so many waiting in order, and turns the next one away at once: a storm
 * of logins must neither take the memory of all its hashes together (19 MiB each) nor keep its last one waiting for ever.
 */
export function createHashQueue({ atOnce, waiting }: HashQueueSize) {
  const limit = pLimit(atOnce);
  let lastMs = 0;

  return {
    async run<T>(task: () => Promise<T>): Promise<HashTurn<T>> {
      const ahead = limit.activeCount + limit.pendingCount;
      if (ahead >= atOnce + waiting) {
        // This is the time until what is ahead should be done, if each takes as long as the last one took.
        return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((ahead * lastMs) / atOnce / 1000)) };
      }
      const value = await limit(async () => {
        const startedAt = performance.now();
        try {
          return await task();
        } finally {
          lastMs = performance.now() - startedAt;
        }
      });
      return { ok: true, value };
    },
  };
}
