import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { AccountTable } from '../account-table.ts';
import { runStatement } from './run-statement.ts';
import { copyDatabase } from './copy-database.ts';
import { copyFactors } from './factor-tables.ts';
import { inspectFile } from './inspect-file.ts';
import { SCHEMA_VERSION } from './sqlite-schema.ts';
import { transaction } from './transaction.ts';

const Total = z.object({ total: z.int() });
const End = z.object({ endMs: z.int() });
const NameAndEmail = z.object({ name: z.string(), email: z.string() });
const AccountRow = NameAndEmail.extend({
  id: z.int(),
  createdAtMs: z.int(),
  tokens: z.int(),
});
const SessionRow = z.object({
  tokenId: z.int(),
  accountId: z.int(),
  email: z.string(),
  createdAtMs: z.int(),
  expiresAtMs: z.int(),
  lastUsedAtMs: z.int().nullable(),
});

const DELETE_ALL = 'DELETE FROM tokens; DELETE FROM accounts;';

const SELECT_ACCOUNTS = `
  SELECT id, name, email, created_at_ms AS createdAtMs,
         (SELECT count(*) FROM tokens WHERE account_id = accounts.id) AS tokens
  FROM accounts ORDER BY id LIMIT ? OFFSET ?`;

const SELECT_SESSIONS = `
  SELECT tokens.id AS tokenId, account_id AS accountId, email, tokens.created_at_ms AS createdAtMs,
         expires_at_ms AS expiresAtMs, last_used_at_ms AS lastUsedAtMs
  FROM tokens JOIN accounts ON accounts.id = account_id ORDER BY tokens.id LIMIT ? OFFSET ?`;

const SELECT_NEWEST_END = 'SELECT expires_at_ms AS endMs FROM tokens WHERE expires_at_ms > ? ORDER BY id DESC LIMIT 1';

const UPDATE_TIMES = 'UPDATE accounts SET created_at_ms = ?, updated_at_ms = ? WHERE id = ?';
const INSERT_ACCOUNT = `
  INSERT INTO accounts (name, email, email_key, password_hash, created_at_ms, updated_at_ms)
  VALUES (?, ?, ?, ?, ?, ?)`;

/** Replaces all accounts and tokens, with the factors. False, without a change, if the copy is of another version. */
function restore(db: DatabaseSync, copy: string): boolean {
  db.prepare('ATTACH DATABASE ? AS copy').run(copy);
  try {
    const version = Object.values(db.prepare('PRAGMA copy.user_version').get() ?? {})[0];
    if (version !== SCHEMA_VERSION) return false;
    transaction(db, () => {
      db.exec(DELETE_ALL);
      // `sqlite_sequence` stays, so that ids used since the copy are not used again.
      for (const table of ['accounts', 'tokens']) db.exec(`INSERT INTO main.${table} SELECT * FROM copy.${table}`);
      copyFactors(db, 'copy');
    });
    return true;
  } finally {
    db.exec('DETACH DATABASE copy');
  }
}

/**
 * The table of an open database. Its statements are prepared at each call, since they do not run for requests.
 */
export function createSqliteAccountTable(db: DatabaseSync): AccountTable {
  const totalOf = (table: 'accounts' | 'tokens'): number =>
    Total.parse(db.prepare(`SELECT count(*) AS total FROM ${table}`).get()).total;

  return {
    accounts: ({ offset, limit }) =>
      runStatement(() => {
        const rows = db.prepare(SELECT_ACCOUNTS).all(limit, offset);
        return { total: totalOf('accounts'), rows: rows.map((row) => AccountRow.parse(row)) };
      }),

    account: (id) =>
      runStatement(() =>
        NameAndEmail.optional().parse(db.prepare('SELECT name, email FROM accounts WHERE id = ?').get(id)),
      ),

    sessions: ({ offset, limit }) =>
      runStatement(() => {
        const rows = db.prepare(SELECT_SESSIONS).all(limit, offset);
        return { total: totalOf('tokens'), rows: rows.map((row) => SessionRow.parse(row)) };
      }),

    endOfNewestToken: (afterMs) =>
      runStatement(() => End.optional().parse(db.prepare(SELECT_NEWEST_END).get(afterMs))?.endMs),

    expireToken: (tokenId, atMs) =>
      runStatement(
        () => db.prepare('UPDATE tokens SET expires_at_ms = ? WHERE id = ?').run(atMs, tokenId).changes === 1,
      ),

    revokeAll: () => runStatement(() => Number(db.prepare('DELETE FROM tokens').run().changes)),

    resetAccount: (accountId, atMs) =>
      runStatement(() =>
        transaction(db, () => {
          db.prepare('DELETE FROM tokens WHERE account_id = ?').run(accountId);
          db.prepare(UPDATE_TIMES).run(atMs, atMs, accountId);
        }),
      ),

    replaceAll: (rows) =>
      runStatement(() =>
        transaction(db, () => {
          db.exec(DELETE_ALL);
          const insert = db.prepare(INSERT_ACCOUNT);
          for (const { name, email, emailKey, passwordHash, createdAtMs } of rows) {
            insert.run(name, email, emailKey, passwordHash, createdAtMs, createdAtMs);
          }
        }),
      ),

    copyTo: (file) => copyDatabase(db, file),

    async restoreFrom(file) {
      // Attaching a missing file would create it.
      if (!existsSync(file)) return { ok: false, kind: 'no-copy' };
      const inspected = await inspectFile(file).catch(() => undefined);
      const isRestored = inspected?.kind === 'usable' && (await runStatement(() => restore(db, file)));
      return isRestored ? { ok: true } : { ok: false, kind: 'no-copy' };
    },
  };
}
