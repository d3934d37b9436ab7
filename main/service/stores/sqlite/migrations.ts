import type { DatabaseSync } from 'node:sqlite';

/** Marks a file as ours (`PRAGMA application_id`): the letters `LLAV`. */
const APPLICATION_ID = 0x4c4c_4156;

/**
 * Forward only: entry n brings a database from version n to n + 1, and is never edited once released.
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
] as const;

export type MigrationResult = { ok: true } | { ok: false; kind: 'newer' | 'foreign' };

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/**
 * Brings the database to this program's version, wholly or not at all; of two processes that start at
 * once the second one waits and finds the work done. A database of a newer program, or of another one,
 * is left as it is.
 */
export function migrate(db: DatabaseSync): MigrationResult {
  const version = pragma(db, 'user_version');
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (!isEmpty && pragma(db, 'application_id') !== APPLICATION_ID) return { ok: false, kind: 'foreign' };
  if (version > migrations.length) return { ok: false, kind: 'newer' };
  if (version === migrations.length) return { ok: true };

  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of migrations.slice(pragma(db, 'user_version'))) db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
  return { ok: true };
}
