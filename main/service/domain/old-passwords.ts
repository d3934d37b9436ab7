import type { Passwords } from './passwords.ts';

/** The oldest ones above these are dropped. */
const most = { ofOneAccount: 10, accounts: 1000 };

/**
 * Passwords that still log in after they were replaced. They are in memory, so a restart ends them.
 * @param isKept whether a password still logs in, by the reason that it was added with
 */
export function createOldPasswords<Reason>(passwords: Passwords, isKept: (reason: Reason) => boolean) {
  /** By the hash of the present password. */
  const byPresent = new Map<string, { hash: string; reason: Reason }[]>();

  return {
    /** @param reason why the old password still logs in; undefined if it does not, or if only its hash is new */
    replaced(from: string, to: string, reason: Reason | undefined): void {
      const old = [...(reason === undefined ? [] : [{ hash: from, reason }]), ...(byPresent.get(from) ?? [])];
      byPresent.delete(from);
      if (old.length === 0) return;
      byPresent.set(to, old.slice(0, most.ofOneAccount));
      const [oldest] = byPresent.keys();
      if (byPresent.size > most.accounts && oldest !== undefined) byPresent.delete(oldest);
    },
    /** Whether a password is the present one, or an old one that is kept. */
    async matches(password: string, hash: string | undefined): Promise<boolean> {
      if (await passwords.matches(password, hash)) return true;
      for (const old of byPresent.get(hash ?? '') ?? [])
        if (isKept(old.reason) && (await passwords.verify(password, old.hash))) return true;
      return false;
    },
  };
}
