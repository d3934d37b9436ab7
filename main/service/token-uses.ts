import { setTimeout as after } from 'node:timers/promises';
import type { AccountStore } from './stores/account-store.ts';

const EVERY_MS = 60_000;
/** The writes of a minute are spread over this much of the next one. */
const SPREAD_MS = 45_000;
/** Among a million accounts, each is on a page of its own. Twenty delayed requests by 0.7 ms, five by 0.2. */
const MOST_AT_ONCE = 5;

export type TokenUses = ReturnType<typeof createTokenUses>;

/**
 * Collects the last uses of tokens and writes them every minute, so that a profile request writes nothing. A crash loses at
 * most two minutes of them.
 */
export function createTokenUses(options: {
  accounts: Pick<AccountStore, 'noteTokenUses'>;
  now: () => number;
  log: (line: string) => void;
}) {
  const { accounts, now, log } = options;
  const stopping = new AbortController();
  let uses = new Map<number, number>();
  let writing = Promise.resolve();

  /** Writes what was collected, a few at a time. */
  async function write(): Promise<void> {
    const written = [...uses];
    uses = new Map();
    const pauseMs = SPREAD_MS / Math.ceil(written.length / MOST_AT_ONCE);
    try {
      for (let start = 0; start < written.length; start += MOST_AT_ONCE) {
        await accounts.noteTokenUses(new Map(written.slice(start, start + MOST_AT_ONCE)));
        await after(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
      }
    } catch (error) {
      // No request fails for it: the next use of the token is written again.
      log(`The last uses of tokens were not kept: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const next = (): Promise<void> => (writing = writing.then(write));
  const timer = setInterval(() => void next(), EVERY_MS);
  timer.unref();

  return {
    note: (tokenId: number): void => void uses.set(tokenId, now()),
    /** Writes the rest without a pause, before the store is closed. */
    stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      return next();
    },
  };
}
