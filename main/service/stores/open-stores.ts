import type { AccountStore } from './account-store.ts';
import type { RateLimitStore } from './rate-limit-store.ts';
import { createMemoryRateLimitStore } from './memory-rate-limit-store.ts';
import type { PostgresFailure } from './postgres/postgres-errors.ts';
import { openSqlite, type SqliteOpenFailure as SqliteFailure, type LocalDatabase } from './sqlite/open-sqlite.ts';

export type Database =
  /** A SQLite file, whose folder is created if missing, or `:memory:`. */
  | { file: string }
  /** A PostgreSQL database that instances may share, see `postgres/database-url.ts`. */
  | { url: string; /** At most, of this instance. */ connections?: number | undefined };

export type Stores = {
  accounts: AccountStore;
  /** Shared by all instances that share the accounts. */
  rateLimitStore: RateLimitStore;
  local?: LocalDatabase;
  /** The database, as text for users, without a password. */
  location: string;
};

/** Why a database cannot be used. */
export type OpenFailure = SqliteFailure | PostgresFailure;

type OpenStoresResult =
  | { ok: true; stores: Stores }
  | { ok: false; kind: OpenFailure; /** One English sentence. */ message: string };

/** @param monotonicNow milliseconds of the clock by which SQLite's rate limits count */
export async function openStores(database: Database, monotonicNow?: () => number): Promise<OpenStoresResult> {
  if ('url' in database) {
    // Loaded here, since few need the driver.
    const { openPostgres } = await import('./postgres/open-postgres.ts');
    const opened = await openPostgres(database.url, database.connections);
    if (!opened.ok) return opened;
    const { accounts, rateLimitStore, location } = opened;
    return { ok: true, stores: { accounts, rateLimitStore, location } };
  }
  const opened = await openSqlite(database.file);
  if (!opened.ok) return opened;
  return {
    ok: true,
    stores: {
      accounts: opened.accounts,
      rateLimitStore: createMemoryRateLimitStore(monotonicNow),
      local: opened.local,
      location: database.file,
    },
  };
}
