import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountStore } from './stores/account-store.ts';

const DAY_MS = 86_400_000;
const EVERY_MS = 10 * 60_000;
const AT_ONCE = 500;
/** A clock that was wrong for a while must not cost anybody a session. */
export const EXPIRED_TOKEN_RETENTION_MS = 30 * DAY_MS;

/**
 * Deletes tokens that ended long ago, now and every ten minutes, a few at a time so that requests go on in between.
 * @returns ends the sweep, and waits for the part under way
 */
export function startTokenSweep(options: {
  accounts: Pick<AccountStore, 'deleteExpiredTokens'>;
  now: () => number;
  log: (line: string) => void;
}): () => Promise<void> {
  const { accounts, now, log } = options;
  const stop = new AbortController();
  let sweeping: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      while (
        !stop.signal.aborted &&
        (await accounts.deleteExpiredTokens(now() - EXPIRED_TOKEN_RETENTION_MS, AT_ONCE)) === AT_ONCE
      ) {
        await nextTurn();
      }
    } catch (error) {
      log(`Dead tokens were not swept: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const start = (): void => {
    sweeping = sweeping.then(sweep);
  };
  const timer = setInterval(start, EVERY_MS);
  timer.unref();
  start();
  return () => {
    stop.abort();
    clearInterval(timer);
    return sweeping;
  };
}
