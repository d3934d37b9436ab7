import type { DatabaseSync } from 'node:sqlite';
import { whenFree } from './when-free.ts';

/** It marks a file as ours (`PRAGMA application_id`), with the letters `LLAV`. */
export const APPLICATION_ID = 0x4c4c_4156;

/**
 * The steps go forward only: entry n brings a database from version n to n + 1, and is never edited once released.
 * Accounts and tokens count with AUTOINCREMENT, since an id must never mean a second thing.
 */
const migrations = [
  `CREATE TABLE accounts (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     email TEXT NOT NULL,
     email_key TEXT NOT NULL UNIQUE,
     password_hash TEXT NOT NULL,
     created_at_ms INTEGER NOT NULL,
     updated_at_ms INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE tokens (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
     secret_digest BLOB NOT NULL,
     created_at_ms INTEGER NOT NULL,
     expires_at_ms INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX tokens_of_account ON tokens (account_id);`,
  `ALTER TABLE tokens ADD COLUMN last_used_at_ms INTEGER;
   CREATE INDEX tokens_by_end ON tokens (expires_at_ms);`,
  `ALTER TABLE tokens ADD COLUMN bound_to TEXT;
   CREATE INDEX tokens_bound ON tokens (id) WHERE bound_to IS NOT NULL;`,
] as const;

/** `PRAGMA user_version` says this in a database of this program. */
export const SCHEMA_VERSION = migrations.length;

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.['user_version']);

/**
 * Brings a database that is known to be ours, or empty, to this program's version, wholly or not at all. Of two
 * processes that start at once the second one waits and finds the work done.
 * @param keepCopy called before a database that holds something is changed, while nobody can write to it
 */
export async function migrate(db: DatabaseSync, keepCopy: () => Promise<void>): Promise<void> {
  if ((await whenFree(() => versionOf(db))) === SCHEMA_VERSION) return;

  await whenFree(() => db.exec('BEGIN IMMEDIATE'));
  try {
    const version = versionOf(db);
    if (version > 0 && version < SCHEMA_VERSION) await keepCopy();
    if (version < SCHEMA_VERSION) {
      for (const step of migrations.slice(version)) db.exec(step);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    }
    db.exec('COMMIT');
  } catch (error) {
    // A full disk has ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
