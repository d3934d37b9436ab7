import type { DatabaseSync } from 'node:sqlite';
import {
  accountColumns,
  BeginningRow,
  boundToText,
  EndRow,
  KeptTokenRow,
  LoginRow,
  newestFirst,
} from '../account-rows.ts';
import type { AccountStore } from '../account-store.ts';
import { attempt } from './attempt.ts';
import { inMemoryCheckpoints, type Checkpoints } from './checkpoints.ts';
import { inMemoryPlace, type PlaceCheck } from './place-check.ts';
import { createSessionLookup } from './session-lookup.ts';

/** Prepares the statements that requests need once. */
const prepareStatements = (db: DatabaseSync) => ({
  insertAccount: db.prepare(
    `INSERT INTO accounts (name, email, email_key, password_hash, created_at_ms, updated_at_ms)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING`,
  ),
  selectLogin: db.prepare(`SELECT ${accountColumns('accounts')}, password_hash FROM accounts WHERE email_key = ?`),
  insertToken: db.prepare(
    'INSERT INTO tokens (account_id, secret_digest, created_at_ms, expires_at_ms, bound_to) VALUES (?, ?, ?, ?, ?)',
  ),
  insertTokenAs: db.prepare(
    `INSERT INTO tokens (id, account_id, secret_digest, created_at_ms, expires_at_ms, bound_to)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  ),
  selectNewestToken: db.prepare(
    `SELECT id, created_at_ms, expires_at_ms FROM tokens
     WHERE account_id = ? AND expires_at_ms > ? AND expires_at_ms > created_at_ms ORDER BY created_at_ms DESC LIMIT 1`,
  ),
  endToken: db.prepare(
    'UPDATE tokens SET expires_at_ms = created_at_ms WHERE id = ? AND expires_at_ms > created_at_ms',
  ),
  endTokensOf: db.prepare(
    'UPDATE tokens SET expires_at_ms = created_at_ms WHERE account_id = ? AND expires_at_ms > created_at_ms',
  ),
  deleteToken: db.prepare('DELETE FROM tokens WHERE id = ?'),
  updateBound: db.prepare('UPDATE tokens SET bound_to = ? WHERE id = ?'),
  deleteBound: db.prepare('DELETE FROM tokens WHERE bound_to IS NOT NULL AND (?1 IS NULL OR instr(bound_to, ?1) > 0)'),
  // The number of lanes is the last part of a cost, and has two digits at most.
  selectBeginnings: db.prepare(
    "SELECT DISTINCT substr(password_hash, 1, instr(password_hash, ',p=') + 4) AS beginning FROM accounts",
  ),
  updateHash: db.prepare('UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?'),
  updateUse: db.prepare(
    `UPDATE tokens SET last_used_at_ms = max(coalesce(last_used_at_ms, 0), used.value)
     FROM json_each(?) AS used WHERE tokens.id = CAST(used.key AS INTEGER)`,
  ),
  deleteExpired: db.prepare('DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE expires_at_ms < ? LIMIT ?)'),
  selectNewestEnd: db.prepare(
    `SELECT expires_at_ms AS end_ms FROM tokens WHERE expires_at_ms > ? ORDER BY ${newestFirst} LIMIT 1`,
  ),
  selectOne: db.prepare('SELECT 1'),
});

type Statements = ReturnType<typeof prepareStatements>;
type TokensPart = Omit<
  AccountStore,
  | 'createAccount'
  | 'findLogin'
  | 'findSession'
  | 'hashBeginnings'
  | 'replacePasswordHash'
  | 'noteTokenUses'
  | 'ping'
  | 'close'
>;
/** Changes what the file holds, if it is still the one that was opened. */
type Write = <T>(run: () => T) => Promise<T>;

function tokensIn(statements: Statements, write: Write): TokensPart {
  return {
    createToken: ({ accountId, secretDigest, createdAtMs, expiresAtMs, boundTo }) =>
      write(() => {
        const bound = boundToText(boundTo);
        const done = statements.insertToken.run(accountId, secretDigest, createdAtMs, expiresAtMs, bound);
        return Number(done.lastInsertRowid);
      }),

    createTokenAs: (id, { accountId, secretDigest, createdAtMs, expiresAtMs, boundTo }) =>
      write(() => {
        const bound = boundToText(boundTo);
        return statements.insertTokenAs.run(id, accountId, secretDigest, createdAtMs, expiresAtMs, bound).changes === 1;
      }),

    newestTokenOf: (accountId, atMs) =>
      attempt(() => {
        const found = statements.selectNewestToken.get(accountId, atMs);
        return found === undefined ? undefined : KeptTokenRow.parse(found);
      }),

    revokeToken: (tokenId) => write(() => statements.deleteToken.run(tokenId).changes === 1),

    endToken: (tokenId) => write(() => statements.endToken.run(tokenId).changes === 1),

    endTokensOf: (accountId) => write(() => void statements.endTokensOf.run(accountId)),

    bindToken: (tokenId, boundTo) =>
      write(() => statements.updateBound.run(boundToText(boundTo), tokenId).changes === 1),

    deleteBoundTokens: (id) => write(() => void statements.deleteBound.run(id ?? null)),

    deleteExpiredTokens: (endedBeforeMs, most) =>
      write(() => Number(statements.deleteExpired.run(endedBeforeMs, most).changes)),

    endOfNewestToken: (afterMs) =>
      attempt(() => {
        const found = statements.selectNewestEnd.get(afterMs);
        return found === undefined ? undefined : EndRow.parse(found).end_ms;
      }),
  };
}

/**
 * Makes the store over an open database, which it closes.
 *
 * What writes uses `run` and never `get`: node:sqlite's `get` takes the first row and ends the statement without
 * looking at how that went, so that an `INSERT … RETURNING` on a full disk answers an id that is rolled back.
 * @param place says whether the file is still the one that was opened
 * @param checkpoints looks after its log
 */
export function createSqliteAccountStore(
  db: DatabaseSync,
  place: PlaceCheck = inMemoryPlace,
  checkpoints: Pick<Checkpoints, 'wrote' | 'ended'> = inMemoryCheckpoints,
): AccountStore {
  const write = <T>(run: () => T, pages?: number): Promise<T> =>
    attempt(() => {
      place.require();
      const done = run();
      checkpoints.wrote(pages);
      return done;
    });

  const statements = prepareStatements(db);

  return {
    ...tokensIn(statements, write),
    findSession: createSessionLookup(db),
    createAccount: ({ name, email, emailKey, passwordHash, createdAtMs }) =>
      write(() => {
        const done = statements.insertAccount.run(name, email, emailKey, passwordHash, createdAtMs, createdAtMs);
        if (done.changes === 0) return { ok: false, kind: 'email-taken' };
        const id = Number(done.lastInsertRowid);
        return { ok: true, account: { id, name, email, createdAtMs, updatedAtMs: createdAtMs } };
      }),

    findLogin: (emailKey) =>
      attempt(() => {
        const found = statements.selectLogin.get(emailKey);
        return found === undefined ? undefined : LoginRow.parse(found);
      }),

    hashBeginnings: () =>
      attempt(() => statements.selectBeginnings.all().map((row) => BeginningRow.parse(row).beginning)),

    replacePasswordHash: (accountId, from, to) => write(() => void statements.updateHash.run(to, accountId, from)),

    noteTokenUses: (usedAtMs) =>
      write(() => {
        // It need not outlive a failure of the power, and so waits for no disk, which was most of its time.
        db.exec('PRAGMA synchronous = NORMAL');
        try {
          statements.updateUse.run(JSON.stringify(Object.fromEntries(usedAtMs)));
        } finally {
          db.exec('PRAGMA synchronous = FULL');
        }
      }, usedAtMs.size),

    ping: () => attempt(() => void statements.selectOne.get()),

    async close() {
      await checkpoints.ended();
      if (db.isOpen) db.close();
    },
  };
}
