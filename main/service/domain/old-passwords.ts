import type { Passwords } from '../domain/passwords.ts';

/** So many are kept at most, of one account and of all; the oldest are dropped. */
const MOST = { ofOne: 10, accounts: 1000 };

/**
 * Passwords that still log in after they were changed. They are in memory, so a restart ends them.
 * @param areKept false where a new password replaces the old one: then there are none
 */
export function createOldPasswords(passwords: Passwords, areKept: boolean) {
  /** By the hash of the present password. */
  const before = new Map<string, string[]>();

  return {
    add(from: string, to: string): void {
      if (!areKept) return;
      before.set(to, [from, ...(before.get(from) ?? [])].slice(0, MOST.ofOne));
      before.delete(from);
      const [oldest] = before.keys();
      if (before.size > MOST.accounts && oldest !== undefined) before.delete(oldest);
    },
    /** Whether a password is the present one of an account, or an old one. */
    async matches(password: string, hash: string | undefined): Promise<boolean> {
      if (await passwords.matches(password, hash)) return true;
      for (const old of before.get(hash ?? '') ?? []) if (await passwords.verify(password, old)) return true;
      return false;
    },
  };
}
