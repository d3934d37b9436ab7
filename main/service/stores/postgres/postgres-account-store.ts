import { accountColumns, HashPrefixRow, IdRow, LoginRow, TokenRow } from '../account-rows.ts';
import type { AccountStore } from '../account-store.ts';
import { isForeignKeyViolation } from './postgres-errors.ts';
import type { Queries, Statement } from './queries.ts';

const insertAccount: Statement = {
  name: 'insert-account',
  text: `INSERT INTO llavero.accounts (name, email, email_key, password_hash, created_at_ms, updated_at_ms)
         VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (email_key) DO NOTHING RETURNING id`,
};
const selectLogin: Statement = {
  name: 'select-login',
  text: `SELECT ${accountColumns('a')}, a.password_hash FROM llavero.accounts a WHERE a.email_key = $1`,
};
const insertToken: Statement = {
  name: 'insert-token',
  text: `INSERT INTO llavero.tokens (account_id, secret_digest, created_at_ms, expires_at_ms)
         VALUES ($1, $2, $3, $4) RETURNING id`,
};
const selectSession: Statement = {
  name: 'select-session',
  text: `SELECT ${accountColumns('a')}, t.secret_digest, t.expires_at_ms
         FROM llavero.tokens t JOIN llavero.accounts a ON a.id = t.account_id WHERE t.id = $1`,
};
const deleteToken: Statement = { name: 'delete-token', text: 'DELETE FROM llavero.tokens WHERE id = $1' };
/** The number of lanes is the last part of a cost, and has two digits at most. */
const selectBeginnings: Statement = {
  name: 'select-beginnings',
  text: `SELECT DISTINCT left(password_hash, strpos(password_hash, ',p=') + 4) AS beginning FROM llavero.accounts`,
};
const updateHash: Statement = {
  name: 'update-hash',
  text: 'UPDATE llavero.accounts SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
};
/**
 * The rows are locked in the order of their ids first. Of two instances that note the same tokens, neither then waits
 * for the other in turn.
 */
const updateUses: Statement = {
  name: 'update-uses',
  text: `WITH used AS (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS u (id, at_ms)),
              locked AS (SELECT t.id FROM llavero.tokens t WHERE t.id = ANY ($1) ORDER BY t.id FOR NO KEY UPDATE)
         UPDATE llavero.tokens t SET last_used_at_ms = greatest(t.last_used_at_ms, used.at_ms)
         FROM locked JOIN used ON used.id = locked.id WHERE t.id = locked.id`,
};
/** Deletes tokens that ended, and skips those that another instance is deleting just now. */
const deleteExpired: Statement = {
  name: 'delete-expired',
  text: `DELETE FROM llavero.tokens WHERE id IN
           (SELECT id FROM llavero.tokens WHERE expires_at_ms < $1 ORDER BY expires_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED)`,
};
const selectOne: Statement = { name: 'select-one', text: 'SELECT 1' };

type AccountsPart = Pick<AccountStore, 'createAccount' | 'findLogin' | 'hashPrefixes' | 'replacePasswordHash'>;

const accountsIn = (queries: Queries): AccountsPart => ({
  async createAccount({ name, email, emailKey, passwordHash, createdAtMs }) {
    const { rows } = await queries.write(insertAccount, [name, email, emailKey, passwordHash, createdAtMs]);
    if (rows.length === 0) return { ok: false, kind: 'email-taken' };
    const { id } = IdRow.parse(rows[0]);
    return { ok: true, account: { id, name, email, createdAtMs, updatedAtMs: createdAtMs } };
  },

  async findLogin(emailKey) {
    const { rows } = await queries.read(selectLogin, [emailKey]);
    return rows.length === 0 ? undefined : LoginRow.parse(rows[0]);
  },

  async hashPrefixes() {
    const { rows } = await queries.read(selectBeginnings);
    return rows.map((row) => HashPrefixRow.parse(row).beginning);
  },

  async replacePasswordHash(accountId, from, to) {
    await queries.write(updateHash, [accountId, from, to]);
  },
});

type TokensPart = Omit<AccountStore, keyof AccountsPart | 'ping' | 'close'>;

const tokensIn = (queries: Queries): TokensPart => ({
  async createToken({ accountId, secretDigest, createdAtMs, expiresAtMs }) {
    try {
      const values = [accountId, secretDigest, createdAtMs, expiresAtMs];
      const { rows } = await queries.write(insertToken, values);
      return IdRow.parse(rows[0]).id;
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause;
      throw new Error('The account of a token is missing (foreign key)', { cause });
    }
  },

  async findSession(tokenId) {
    const { rows } = await queries.read(selectSession, [tokenId]);
    if (rows.length === 0) return undefined;
    const session = TokenRow.parse(rows[0]);
    // They are copied, since the driver's bytes are a view into all that came with them.
    return { ...session, secretDigest: new Uint8Array(session.secretDigest) };
  },

  async revokeToken(tokenId) {
    const { rowCount } = await queries.write(deleteToken, [tokenId]);
    return rowCount === 1;
  },

  async noteTokenUses(usedAtMs) {
    if (usedAtMs.size === 0) return;
    await queries.write(updateUses, [[...usedAtMs.keys()], [...usedAtMs.values()]]);
  },

  async deleteExpiredTokens(endedBeforeMs, most) {
    const { rowCount } = await queries.write(deleteExpired, [endedBeforeMs, most]);
    return rowCount ?? 0;
  },
});

/** Makes the store over a database that has the tables, whose connections it closes. */
export const createPostgresAccountStore = (queries: Queries): AccountStore => ({
  ...accountsIn(queries),
  ...tokensIn(queries),
  async ping() {
    await queries.read(selectOne);
  },

  close: () => queries.close(),
});
