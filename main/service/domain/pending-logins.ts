import { randomBytes } from 'node:crypto';
import type { AccountRecord } from '../stores/account-store.ts';

const LIFETIME_MS = 5 * 60_000;
/** The oldest is dropped. Each needs a correct password. */
const MOST_PENDING = 10_000;

type PendingLogin = { account: AccountRecord; expiresAtMs: number; tries: number };

export type PendingLogins = {
  /** Returns the token of a new one, with which no other route can be used. */
  create(account: AccountRecord): Promise<string>;
  /**
   * The account, if a code may be checked; undefined if the login has ended. It counts as a wrong code until it is
   * {@link PendingLogins.finish}ed, so that parallel guesses cannot bypass the limit.
   */
  tryCode(token: string): AccountRecord | undefined;
  /** Ends it after a correct code. False if it had ended, so that of two at once one is true. */
  finish(token: string): boolean;
  /** Ends those of an account. */
  endAllOf(accountId: number): void;
};

/** Logins whose second factor is missing. They are in memory, so a restart ends them. */
export function createPendingLogins(options: {
  now: () => number;
  /** How many wrong codes end one. */
  mostWrongCodes: () => number;
  isUsedOnce: () => boolean;
  /** Undefined for a random one. */
  createToken: (account: AccountRecord) => Promise<string | undefined>;
}): PendingLogins {
  const { now, mostWrongCodes, isUsedOnce, createToken } = options;
  const pending = new Map<string, PendingLogin>();

  function find(token: string): PendingLogin | undefined {
    const login = pending.get(token);
    if (!login || login.expiresAtMs > now()) return login;
    pending.delete(token);
    return undefined;
  }

  return {
    async create(account) {
      const token = (await createToken(account)) ?? randomBytes(30).toString('base64url');
      pending.set(token, { account, expiresAtMs: now() + LIFETIME_MS, tries: 0 });
      for (const [oldest, { expiresAtMs }] of pending) {
        if (pending.size <= MOST_PENDING && expiresAtMs > now()) break;
        pending.delete(oldest);
      }
      return token;
    },
    tryCode(token) {
      const login = find(token);
      if (!login || login.tries >= mostWrongCodes()) return undefined;
      login.tries += 1;
      return login.account;
    },
    finish(token) {
      const login = find(token);
      if (!login) return false;
      login.tries -= 1;
      return isUsedOnce() ? pending.delete(token) : true;
    },
    endAllOf(accountId) {
      for (const [token, { account }] of pending) if (account.id === accountId) pending.delete(token);
    },
  };
}
