import type { AccountStore } from '../stores/account-store.ts';
import type { AccountRow, AccountTable, Paged, TokenListItem } from '../stores/account-table.ts';
import { createResetBackup, type BackupFailure, type ResetBackup } from './reset-backup.ts';
import { demoCodesUser, demoUser } from '../data/demo-user.ts';
import type { AccountCallStore } from '../stores/account-call-store.ts';
import { ensureDemoAccount, ensureDemoCodesAccount, findSeedUser } from '../data/seeded-accounts.ts';
import type { PageRange } from '../../../preload/contract/local-servers.ts';
import type { SeedName } from '../../../preload/contract/names.ts';
import { createSeedUsers, createAccountRows, type SeedUser } from '../data/seed-users.ts';

/** `taken` if somebody registered the demo's email with another password. That account is unchanged. */
type DemoResult = { ok: true; person: SeedUser } | { ok: false; kind: 'taken' };

/** `off` without account calls. */
type DemoCodesResult = { ok: true; person: typeof demoCodesUser } | { ok: false; kind: 'taken' | 'off' };

/** `not-seeded` if its password is unknown, or the account is gone. */
type SeededResult = { ok: true; person: SeedUser } | { ok: false; kind: 'not-seeded' };

/** `seeded` if it is of a seed set, so that its password is known. */
type ShownAccount = AccountRow & { seeded: boolean };

/** Reads and changes the data of a service, for the person who runs it. */
export type ServiceData = Pick<ResetBackup, 'canUndo' | 'undo'> & {
  accounts(page: PageRange): Promise<Paged<ShownAccount>>;
  sessions(page: PageRange): Promise<Paged<TokenListItem>>;
  /** Makes a token expire now; it stays in the table. False if it was gone. */
  expire(tokenId: number): Promise<boolean>;
  /** Removes a token. False if it was gone. */
  revoke(tokenId: number): Promise<boolean>;
  /** Removes every token, and returns how many. */
  revokeAllSessions(): Promise<number>;
  /**
   * Replaces all accounts by a seed set, after a backup for {@link ResetBackup.undo}, and returns the new users. Without
   * a backup, nothing is replaced. A database in memory has no undo.
   */
  reset(set: SeedName, seed: number): Promise<{ ok: true; people: SeedUser[] } | { ok: false; kind: BackupFailure }>;
  seedUserOf(accountId: number): Promise<SeededResult>;
  /** The demo user, whose account is created if it is missing; with account calls also the one of {@link demoCodesUser}. */
  demoUser(): Promise<DemoResult>;
  /** The demo user with a second factor, created if missing. `currentCode` gives the code of its `totpSecret`. */
  demoCodesUser(): Promise<DemoCodesResult>;
  /** The same, with a new creation time and without sessions. Other accounts are unchanged. */
  resetDemo(): Promise<DemoResult>;
};

/**
 * @param options.file the database, see {@link createResetBackup}
 */
export function createServiceData(options: {
  table: AccountTable;
  accounts: Pick<AccountStore, 'createAccount' | 'findLogin' | 'revokeToken'>;
  file: string;
  now: () => number;
  /** Without the simulated vulnerabilities; absent without account calls. */
  factors?: AccountCallStore | undefined;
}): ServiceData {
  const { table, accounts, file, now, factors } = options;
  const { replace, canUndo, undo } = createResetBackup(table, file);

  return {
    canUndo,
    undo,

    async accounts(page) {
      const { total, rows } = await table.accounts(page);
      const people = await Promise.all(rows.map((row) => findSeedUser(row, accounts)));
      return { total, rows: rows.map((row, index) => Object.assign({}, row, { seeded: people[index] !== undefined })) };
    },
    sessions: (page) => table.sessions(page),
    expire: (tokenId) => table.expireToken(tokenId, now()),
    revoke: (tokenId) => accounts.revokeToken(tokenId),
    revokeAllSessions: () => table.revokeAll(),

    async reset(set, seed) {
      const people = createSeedUsers(set, seed);
      // Hashed before the backup, since what is registered between backup and replacement could not be restored.
      const rows = await createAccountRows(people, now());
      const replaced = await replace(() => table.replaceAll(rows));
      return replaced.ok ? { ok: true, people } : replaced;
    },

    async seedUserOf(accountId) {
      const row = await table.account(accountId);
      const person = row && (await findSeedUser(row, accounts));
      return person ? { ok: true, person } : { ok: false, kind: 'not-seeded' };
    },

    async demoUser() {
      const id = await ensureDemoAccount(accounts, now);
      if (factors) await ensureDemoCodesAccount(accounts, factors, now);
      return id === undefined ? { ok: false, kind: 'taken' } : { ok: true, person: demoUser };
    },

    async demoCodesUser() {
      if (!factors) return { ok: false, kind: 'off' };
      const id = await ensureDemoCodesAccount(accounts, factors, now);
      return id === undefined ? { ok: false, kind: 'taken' } : { ok: true, person: demoCodesUser };
    },

    async resetDemo() {
      const id = await ensureDemoAccount(accounts, now);
      if (id === undefined) return { ok: false, kind: 'taken' };
      await table.resetAccount(id, now());
      const codesId = factors && (await ensureDemoCodesAccount(accounts, factors, now));
      if (codesId !== undefined) await table.resetAccount(codesId, now());
      return { ok: true, person: demoUser };
    },
  };
}
