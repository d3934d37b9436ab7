import { setTimeout as delay } from 'node:timers/promises';
import { classifySqliteError } from './sqlite-errors.ts';

/** After which the database counts as locked. */
const GIVE_UP_AFTER_MS = 5000;
const RETRY_EVERY_MS = 10;

/**
 * Retries a statement while another connection has a lock. SQLite's own busy timeout would block the thread meanwhile, also
 * for profiles, which need no lock.
 */
export async function retryWhileLocked<T>(run: () => T): Promise<T> {
  let giveUpAt: number | undefined;
  for (;;) {
    try {
      return run();
    } catch (error) {
      giveUpAt ??= performance.now() + GIVE_UP_AFTER_MS;
      if (classifySqliteError(error)?.reason !== 'locked' || performance.now() >= giveUpAt) throw error;
    }
    await delay(RETRY_EVERY_MS);
  }
}
