import type { AccountStore } from './account-store.ts';
import type { AttemptStore } from './attempt-store.ts';
import { createMemoryAttemptStore } from './memory-attempt-store.ts';
import { openSqlite, type OpenFailure } from './sqlite/open-sqlite.ts';

/** Where accounts rest: a SQLite file, whose folder is made when missing, or `:memory:`. */
export type Database = { file: string };

export type Stores = {
  accounts: AccountStore;
  /** Counts for as many instances as share the accounts. */
  attempts: AttemptStore;
  /** For people: where it is, without any password. */
  place: string;
};

export type OpenStoresResult =
  { ok: true; stores: Stores } | { ok: false; kind: OpenFailure; /** One English sentence. */ message: string };

export async function openStores(database: Database): Promise<OpenStoresResult> {
  const opened = await openSqlite(database.file);
  if (!opened.ok) return opened;
  return {
    ok: true,
    stores: { accounts: opened.accounts, attempts: createMemoryAttemptStore(), place: database.file },
  };
}
