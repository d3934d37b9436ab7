import { setTimeout as delay } from 'node:timers/promises';
import { classifySqliteError } from './sqlite-errors.ts';

/** Milliseconds that another connection may hold the database before it counts as locked, and between two tries. */
const LOCKED_AT_MOST_MS = 5000;
const ASK_AGAIN_MS = 10;

/**
 * Runs a statement as soon as no other connection is in its way, and throws what it throws. SQLite's own busy timeout
 * would stop this whole thread meanwhile, even the profiles that need no lock, so connections have none.
 */
export async function retryWhileLocked<T>(run: () => T): Promise<T> {
  let giveUpAt: number | undefined;
  for (;;) {
    try {
      return run();
    } catch (error) {
      giveUpAt ??= performance.now() + LOCKED_AT_MOST_MS;
      if (classifySqliteError(error)?.reason !== 'locked' || performance.now() >= giveUpAt) throw error;
    }
    await delay(ASK_AGAIN_MS);
  }
}
