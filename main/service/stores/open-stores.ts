import type { AccountStore } from './account-store.ts';
import type { RateLimitStore } from './rate-limit-store.ts';
import { createMemoryRateLimitStore } from './memory-rate-limit-store.ts';
import type { PostgresFailure } from './postgres/postgres-errors.ts';
import { openSqlite, type OpenFailure as SqliteFailure, type LocalDatabase } from './sqlite/open-sqlite.ts';

/** Where accounts rest. */
export type Database =
  /** A SQLite file, whose folder is made when missing, or `:memory:`. */
  | { file: string }
  /** A PostgreSQL database that instances may share, see `postgres/database-url.ts`. */
  | { url: string; /** The most connections at once, of this instance. */ connections?: number | undefined };

export type Stores = {
  accounts: AccountStore;
  /** The one count for all instances that share the accounts. */
  rateLimitStore: RateLimitStore;
  local?: LocalDatabase;
  /** Where the database is, in words for people and without any password. */
  location: string;
};

/** Why a database cannot be used; in every case it is left as it was found. */
export type OpenFailure = SqliteFailure | PostgresFailure;

type OpenStoresResult =
  | { ok: true; stores: Stores }
  | { ok: false; kind: OpenFailure; /** One English sentence. */ message: string };

/** @param steadyNow the time in milliseconds by which attempts are counted in a database of one's own */
export async function openStores(database: Database, steadyNow?: () => number): Promise<OpenStoresResult> {
  if ('url' in database) {
    // It is loaded here, since most people never need the driver.
    const { openPostgres } = await import('./postgres/open-postgres.ts');
    const opened = await openPostgres(database.url, database.connections);
    if (!opened.ok) return opened;
    const { accounts, attempts: rateLimitStore, place: location } = opened;
    return { ok: true, stores: { accounts, rateLimitStore, location } };
  }
  const opened = await openSqlite(database.file);
  if (!opened.ok) return opened;
  return {
    ok: true,
    stores: {
      accounts: opened.accounts,
      rateLimitStore: createMemoryRateLimitStore(steadyNow),
      local: opened.own,
      location: database.file,
    },
  };
}
