import type { AccountStore } from './stores/account-store.ts';

const EVERY_MS = 60_000;
const MOST_AT_ONCE = 1000;

export type TokenUses = ReturnType<typeof createTokenUses>;

/**
 * Keeps in memory when tokens were used last, and writes it all once a minute, so that a profile request writes
 * nothing. A crash takes at most a minute of it along.
 */
export function createTokenUses(options: {
  accounts: Pick<AccountStore, 'noteTokenUses'>;
  now: () => number;
  log: (line: string) => void;
}) {
  const { accounts, now, log } = options;
  let uses = new Map<number, number>();

  async function flush(): Promise<void> {
    const written = [...uses];
    uses = new Map();
    try {
      for (let start = 0; start < written.length; start += MOST_AT_ONCE) {
        await accounts.noteTokenUses(new Map(written.slice(start, start + MOST_AT_ONCE)));
      }
    } catch (error) {
      // No request fails for it: the next use of the token says the same.
      log(`The last uses of tokens were not kept: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const timer = setInterval(() => void flush(), EVERY_MS);
  timer.unref();

  return {
    note: (tokenId: number): void => void uses.set(tokenId, now()),
    flush,
    /** Writes what is left. It is called before the store is closed. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
