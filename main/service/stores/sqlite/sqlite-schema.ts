import type { DatabaseSync } from 'node:sqlite';
import { retryWhileLocked } from './retry-while-locked.ts';

/** It marks a file as ours (`PRAGMA application_id`), with the letters `LLAV`. */
export const APPLICATION_ID = 0x4c4c_4156;

/** `PRAGMA user_version` says this in a database of this program. It rises with every change of the tables. */
export const SCHEMA_VERSION = 4;

/** Accounts and tokens count with AUTOINCREMENT, since an id must never mean a second thing. */
const SCHEMA = `
  CREATE TABLE accounts (
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
    expires_at_ms INTEGER NOT NULL,
    last_used_at_ms INTEGER
  ) STRICT;
  CREATE INDEX tokens_of_account ON tokens (account_id);
  CREATE INDEX tokens_by_end ON tokens (expires_at_ms);
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};`;

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.['user_version']);

/**
 * Makes the tables in a database that is empty, wholly or not at all; one of this version stays as it is. Of two
 * processes that start at once the second one waits and finds the work done.
 */
export async function createSqliteTables(db: DatabaseSync): Promise<void> {
  if ((await retryWhileLocked(() => versionOf(db))) === SCHEMA_VERSION) return;

  await retryWhileLocked(() => db.exec('BEGIN IMMEDIATE'));
  try {
    if (versionOf(db) !== SCHEMA_VERSION) db.exec(SCHEMA);
    db.exec('COMMIT');
  } catch (error) {
    // A full disk has ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
