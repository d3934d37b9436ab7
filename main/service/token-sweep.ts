import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AccountStore } from './stores/account-store.ts';

const DAY_MS = 86_400_000;
const EVERY_MS = 10 * 60_000;
const AT_ONCE = 500;
/** So that a computer's clock that was wrong for a while costs nobody a session. */
export const EXPIRED_TOKEN_RETENTION_MS = 30 * DAY_MS;

/**
 * Deletes tokens that expired long ago, now and every ten minutes, a few at a time so that requests are answered in between.
 * @returns ends the sweep, and waits for the part that runs
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
        await yieldToEventLoop();
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
