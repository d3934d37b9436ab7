import type { AccountRecord } from '../stores/account-store.ts';

/** So many tokens are kept at most; the oldest are dropped. */
const MOST_TOKENS = 10_000;

/**
 * Tokens that go on after their account is deleted, as those of Directus do. They are in memory, so a restart ends them.
 * @param isKept false where tokens end with their account: then it is always empty
 */
export function createDeletedAccounts(isKept: boolean) {
  const issued = new Map<string, number>();
  const deleted = new Map<number, AccountRecord>();

  return {
    note(accountId: number, token: string): void {
      if (!isKept) return;
      issued.set(token, accountId);
      const [oldest] = issued.keys();
      if (issued.size > MOST_TOKENS && oldest !== undefined) issued.delete(oldest);
    },
    add(account: AccountRecord): void {
      if (isKept) deleted.set(account.id, account);
    },
    /** The deleted account of a token. */
    of: (token: string): AccountRecord | undefined => deleted.get(issued.get(token) ?? -1),
  };
}
