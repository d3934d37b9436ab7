import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Account, AccountStore } from '../account-store.ts';

const IdRow = z.object({ id: z.int() });
const AccountRow = IdRow.extend({
  name: z.string(),
  email: z.string(),
  created_at_ms: z.int(),
  updated_at_ms: z.int(),
});
const LoginRow = AccountRow.extend({ password_hash: z.string() });
const SessionRow = AccountRow.extend({ secret_digest: z.instanceof(Uint8Array), expires_at_ms: z.int() });

const ACCOUNT = 'accounts.id, accounts.name, accounts.email, accounts.created_at_ms, accounts.updated_at_ms';

const toAccount = (row: z.infer<typeof AccountRow>): Account => ({
  id: row.id,
  name: row.name,
  email: row.email,
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
});

/** The store over an open and migrated database, which it closes. */
export function createSqliteAccountStore(db: DatabaseSync): AccountStore {
  const insertAccount = db.prepare(
    `INSERT INTO accounts (name, email, email_key, password_hash, created_at_ms, updated_at_ms)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING RETURNING id`,
  );
  const selectLogin = db.prepare(`SELECT ${ACCOUNT}, password_hash FROM accounts WHERE email_key = ?`);
  const insertToken = db.prepare(
    'INSERT INTO tokens (account_id, secret_digest, created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?) RETURNING id',
  );
  const selectSession = db.prepare(
    `SELECT ${ACCOUNT}, secret_digest, expires_at_ms FROM tokens
     JOIN accounts ON accounts.id = tokens.account_id WHERE tokens.id = ?`,
  );
  const deleteToken = db.prepare('DELETE FROM tokens WHERE id = ?');
  const updateHash = db.prepare('UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?');
  const updateUse = db.prepare(
    `UPDATE tokens SET last_used_at_ms = max(coalesce(last_used_at_ms, 0), used.value)
     FROM json_each(?) AS used WHERE tokens.id = CAST(used.key AS INTEGER)`,
  );
  const deleteExpired = db.prepare(
    'DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE expires_at_ms < ? LIMIT ?)',
  );
  const selectOne = db.prepare('SELECT 1');

  return {
    async createAccount({ name, email, emailKey, passwordHash, createdAtMs }) {
      const row = insertAccount.get(name, email, emailKey, passwordHash, createdAtMs, createdAtMs);
      if (row === undefined) return { ok: false, kind: 'email-taken' };
      const { id } = IdRow.parse(row);
      return { ok: true, account: { id, name, email, createdAtMs, updatedAtMs: createdAtMs } };
    },

    async findLogin(emailKey) {
      const found = selectLogin.get(emailKey);
      if (found === undefined) return undefined;
      const row = LoginRow.parse(found);
      return { account: toAccount(row), passwordHash: row.password_hash };
    },

    async createToken({ accountId, secretDigest, createdAtMs, expiresAtMs }) {
      return IdRow.parse(insertToken.get(accountId, secretDigest, createdAtMs, expiresAtMs)).id;
    },

    async findSession(tokenId) {
      const found = selectSession.get(tokenId);
      if (found === undefined) return undefined;
      const row = SessionRow.parse(found);
      return { account: toAccount(row), secretDigest: row.secret_digest, expiresAtMs: row.expires_at_ms };
    },

    async revokeToken(tokenId) {
      return deleteToken.run(tokenId).changes === 1;
    },

    async replacePasswordHash(accountId, from, to) {
      updateHash.run(to, accountId, from);
    },

    async noteTokenUses(usedAtMs) {
      updateUse.run(JSON.stringify(Object.fromEntries(usedAtMs)));
    },

    async deleteExpiredTokens(endedBeforeMs, most) {
      return Number(deleteExpired.run(endedBeforeMs, most).changes);
    },

    async ping() {
      selectOne.get();
    },

    async close() {
      if (db.isOpen) db.close();
    },
  };
}
