import pLimit from 'p-limit';

/** The result of a task, or the time until the queue has room. */
type HashTurn<T> = { ok: true; value: T } | { ok: false; retryAfterSeconds: number };

export type HashQueueSize = {
  /** Hashes computed at the same time. */
  atOnce: number;
  waiting: number;
};

export type HashQueue = ReturnType<typeof createHashQueue>;

/**
 * Limits how many password hashes run and wait, and refuses more at once: a flood of logins must neither need the memory of
 * all its hashes (19 MiB each) nor keep the last one waiting for ever.
 */
export function createHashQueue({ atOnce, waiting }: HashQueueSize) {
  const limit = pLimit(atOnce);
  let lastMs = 0;

  return {
    async run<T>(task: () => Promise<T>): Promise<HashTurn<T>> {
      const ahead = limit.activeCount + limit.pendingCount;
      if (ahead >= atOnce + waiting) {
        // An estimate: each takes as long as the last one.
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
