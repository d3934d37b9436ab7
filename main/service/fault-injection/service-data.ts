import type { AccountStore } from '../stores/account-store.ts';
import type { AccountRow, AccountTable, Paged, TokenListItem } from '../stores/account-table.ts';
import { createSnapshotStore, type SnapshotStore, type SnapshotFailure } from './snapshot-store.ts';
import { demoUser } from '../data/demo-user.ts';
import { ensureDemoAccount, findSeedUser } from '../data/seeded-accounts.ts';
import type { PageRange } from '../../../preload/contract/local-servers.ts';
import type { SeedName } from '../../../preload/contract/names.ts';
import { createSeedUsers, createAccountRows, type SeedUser } from '../data/seed-users.ts';

/** `taken` means that somebody registered the demo's address with another password. That account is left alone. */
type DemoResult = { ok: true; person: SeedUser } | { ok: false; kind: 'taken' };

/** `not-seeded` means that its password is not known, or that the account is gone. */
type SeededResult = { ok: true; person: SeedUser } | { ok: false; kind: 'not-seeded' };

/** An account. `seeded` means that it is out of one of the sets, so that its password is known. */
type ShownAccount = AccountRow & { seeded: boolean };

/** What is in the database of the service, for people who run it for themselves. */
export type ServiceData = Omit<SnapshotStore, 'replace'> & {
  accounts(page: PageRange): Promise<Paged<ShownAccount>>;
  sessions(page: PageRange): Promise<Paged<TokenListItem>>;
  /** Ends a token now: the next request with it is refused, and it stays in the table. Returns whether it was there. */
  expire(tokenId: number): Promise<boolean>;
  /** Ends a token, and returns whether this call was the one that ended it. */
  revoke(tokenId: number): Promise<boolean>;
  /** Ends every session, and returns how many. */
  revokeAllSessions(): Promise<number>;
  /**
   * Puts a set of accounts in the place of everything, and returns whom to log in as. A copy is kept first, for {@link
   * Copies.undo}. When that fails, nothing is done. In memory there is no undo.
   */
  reset(set: SeedName, seed: number): Promise<{ ok: true; people: SeedUser[] } | { ok: false; kind: SnapshotFailure }>;
  /** Returns whom to log in as for one of the accounts. */
  seedUserOf(accountId: number): Promise<SeededResult>;
  /** Returns whom to log in as for the demo. The account is made when it is not there. */
  demoUser(): Promise<DemoResult>;
  /** Does the same, and ends the sessions of that account, which is made now. No other account is touched. */
  resetDemo(): Promise<DemoResult>;
};

/**
 * Makes what acts on the data of the service.
 * @param options.file the database, see {@link createSnapshotStore}
 */
export function createServiceData(options: {
  table: AccountTable;
  accounts: Pick<AccountStore, 'createAccount' | 'findLogin' | 'revokeToken'>;
  file: string;
  now: () => number;
}): ServiceData {
  const { table, accounts, file, now } = options;
  const { replace, ...copies } = createSnapshotStore(table, file, now);

  return {
    ...copies,

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
      // They are made before the copy: what is registered between the copy and the replacement could not be undone.
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
      return id === undefined ? { ok: false, kind: 'taken' } : { ok: true, person: demoUser };
    },

    async resetDemo() {
      const id = await ensureDemoAccount(accounts, now);
      if (id === undefined) return { ok: false, kind: 'taken' };
      await table.resetAccount(id, now());
      return { ok: true, person: demoUser };
    },
  };
}
