import type { DatabaseSync } from 'node:sqlite';
import { accountColumns, HashPrefixRow, LoginRow } from '../account-rows.ts';
import type { AccountStore } from '../account-store.ts';
import { runStatement, type WriteRunner } from './run-statement.ts';
import { createSessionLookup } from './session-lookup.ts';

const prepareStatements = (db: DatabaseSync) => ({
  insertAccount: db.prepare(
    `INSERT INTO accounts (name, email, email_key, password_hash, created_at_ms, updated_at_ms)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING`,
  ),
  selectLogin: db.prepare(`SELECT ${accountColumns('accounts')}, password_hash FROM accounts WHERE email_key = ?`),
  insertToken: db.prepare(
    'INSERT INTO tokens (account_id, secret_digest, created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?)',
  ),
  deleteToken: db.prepare('DELETE FROM tokens WHERE id = ?'),
  // `p`, the last part of a cost, has two digits at most.
  selectBeginnings: db.prepare(
    "SELECT DISTINCT substr(password_hash, 1, instr(password_hash, ',p=') + 4) AS beginning FROM accounts",
  ),
  updateHash: db.prepare('UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?'),
  updateUse: db.prepare(
    `UPDATE tokens SET last_used_at_ms = max(coalesce(last_used_at_ms, 0), used.value)
     FROM json_each(?) AS used WHERE tokens.id = CAST(used.key AS INTEGER)`,
  ),
  deleteExpired: db.prepare('DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE expires_at_ms < ? LIMIT ?)'),
  selectOne: db.prepare('SELECT 1'),
});

/**
 * The store of an open database, which it closes.
 *
 * Writes use `run` and never `get`: node:sqlite's `get` reads the first row and ignores how the statement ends, so that an
 * `INSERT … RETURNING` on a full disk returns an id that is rolled back.
 * @param checkpointsEnded resolves when no other thread has the file open
 */
export function createSqliteAccountStore(
  db: DatabaseSync,
  write: WriteRunner,
  checkpointsEnded: () => Promise<void>,
): AccountStore {
  const statements = prepareStatements(db);

  return {
    createToken: ({ accountId, secretDigest, createdAtMs, expiresAtMs }) =>
      write(() =>
        Number(statements.insertToken.run(accountId, secretDigest, createdAtMs, expiresAtMs).lastInsertRowid),
      ),

    revokeToken: (tokenId) => write(() => statements.deleteToken.run(tokenId).changes === 1),

    deleteExpiredTokens: (endedBeforeMs, most) =>
      write(() => Number(statements.deleteExpired.run(endedBeforeMs, most).changes)),

    findSession: createSessionLookup(db),
    createAccount: ({ name, email, emailKey, passwordHash, createdAtMs }) =>
      write(() => {
        const done = statements.insertAccount.run(name, email, emailKey, passwordHash, createdAtMs, createdAtMs);
        if (done.changes === 0) return { ok: false, kind: 'email-taken' };
        const id = Number(done.lastInsertRowid);
        return { ok: true, account: { id, name, email, createdAtMs, updatedAtMs: createdAtMs } };
      }),

    findLogin: (emailKey) =>
      runStatement(() => {
        const found = statements.selectLogin.get(emailKey);
        return found === undefined ? undefined : LoginRow.parse(found);
      }),

    hashPrefixes: () =>
      runStatement(() => statements.selectBeginnings.all().map((row) => HashPrefixRow.parse(row).beginning)),

    replacePasswordHash: (accountId, from, to) => write(() => void statements.updateHash.run(to, accountId, from)),

    noteTokenUses: (usedAtMs) =>
      write(() => {
        // It need not survive a power cut, and waiting for the disk was most of its time.
        db.exec('PRAGMA synchronous = NORMAL');
        try {
          statements.updateUse.run(JSON.stringify(Object.fromEntries(usedAtMs)));
        } finally {
          db.exec('PRAGMA synchronous = FULL');
        }
      }, usedAtMs.size),

    ping: () => runStatement(() => void statements.selectOne.get()),

    async close() {
      await checkpointsEnded();
      if (db.isOpen) db.close();
    },
  };
}
