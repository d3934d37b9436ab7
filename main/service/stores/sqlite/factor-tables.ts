import type { DatabaseSync } from 'node:sqlite';

/** In the order in which rows are inserted. */
const names = ['second_factors', 'used_code_steps', 'recovery_codes'] as const;

/**
 * Beside the tables of `sqlite-schema.ts`, whose version stays as it is: a file with them can be opened by every build that
 * knows that version, and loses nothing there.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS second_factors (
    account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    is_active INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS used_code_steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES second_factors (account_id) ON DELETE CASCADE,
    step INTEGER NOT NULL,
    UNIQUE (account_id, step)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS recovery_codes (
    account_id INTEGER NOT NULL REFERENCES second_factors (account_id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    PRIMARY KEY (account_id, digest)
  ) STRICT, WITHOUT ROWID;
`;

export const createFactorTables = (db: DatabaseSync): void => db.exec(TABLES);

/** Copies the factors of an attached database, if it has any. Those of the main one are gone with their accounts. */
export function copyFactors(db: DatabaseSync, attached: string): void {
  const there = db.prepare(`SELECT 1 FROM ${attached}.sqlite_schema WHERE type = 'table' AND name = ?`);
  if (!names.every((name) => there.get(name) !== undefined)) return;
  createFactorTables(db);
  for (const name of names) db.exec(`INSERT INTO main.${name} SELECT * FROM ${attached}.${name}`);
}
