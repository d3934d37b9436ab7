import { statSync, type BigIntStats } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { accountColumns, LoginRow, SessionRow } from '../account-rows.ts';
import { storeUnavailable, type AccountStore } from '../account-store.ts';
import { readFileTrouble } from './sqlite-errors.ts';
import { whenFree } from './when-free.ts';

/** Tells errors of the file, which may be over at the next request, from faults of ours. */
async function attempt<T>(run: () => T): Promise<T> {
  try {
    return await whenFree(run);
  } catch (error) {
    const trouble = readFileTrouble(error);
    if (trouble === undefined) throw error;
    throw storeUnavailable(trouble.reason === 'damaged' ? 'failing' : trouble.reason, error);
  }
}

/**
 * Throws once the database or its log is no longer the file that was opened: on Unix a deleted or replaced file can
 * still be written to, and all of it would be gone with this process. A file that was moved may come back.
 */
function createPlaceCheck(file: string): () => void {
  const look = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false });
  const opened = [file, `${file}-wal`].map((path) => ({ path, stats: look(path) }));
  return () => {
    for (const { path, stats } of opened) {
      const found = look(path);
      if (found?.ino !== stats?.ino || found?.dev !== stats?.dev)
        throw storeUnavailable('failing', new Error('The database was moved, replaced or deleted while it was open'));
    }
  };
}

/**
 * The store over an open and migrated database, which it closes.
 *
 * What writes uses `run` and never `get`: node:sqlite's `get` takes the first row and ends the statement without
 * looking at how that went, so that an `INSERT … RETURNING` on a full disk answers an id that is rolled back.
 * @param file where the database is; nothing for one in memory
 */
export function createSqliteAccountStore(db: DatabaseSync, file?: string): AccountStore {
  const requireInPlace = file === undefined ? () => {} : createPlaceCheck(file);
  const write = <T>(run: () => T): Promise<T> =>
    attempt(() => {
      requireInPlace();
      return run();
    });

  const insertAccount = db.prepare(
    `INSERT INTO accounts (name, email, email_key, password_hash, created_at_ms, updated_at_ms)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING`,
  );
  const selectLogin = db.prepare(
    `SELECT ${accountColumns('accounts')}, password_hash FROM accounts WHERE email_key = ?`,
  );
  const insertToken = db.prepare(
    'INSERT INTO tokens (account_id, secret_digest, created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?)',
  );
  const selectSession = db.prepare(
    `SELECT ${accountColumns('accounts')}, secret_digest, expires_at_ms FROM tokens
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

  let endOfTurn: Promise<void> | undefined;
  /**
   * Resolves when all requests that have arrived by now were read. Who waits for it goes on together, so that the
   * lookups of a busy moment come in a row and their answers leave in a row, instead of one waking its reader after
   * the other: half of the processor time of a profile request. The lookup is made afterwards, so it misses nothing.
   */
  async function untilEndOfTurn(): Promise<void> {
    endOfTurn ??= nextTurn().then(() => {
      endOfTurn = undefined;
    });
    return endOfTurn;
  }

  return {
    createAccount: ({ name, email, emailKey, passwordHash, createdAtMs }) =>
      write(() => {
        const done = insertAccount.run(name, email, emailKey, passwordHash, createdAtMs, createdAtMs);
        if (done.changes === 0) return { ok: false, kind: 'email-taken' };
        const id = Number(done.lastInsertRowid);
        return { ok: true, account: { id, name, email, createdAtMs, updatedAtMs: createdAtMs } };
      }),

    findLogin: (emailKey) =>
      attempt(() => {
        const found = selectLogin.get(emailKey);
        return found === undefined ? undefined : LoginRow.parse(found);
      }),

    createToken: ({ accountId, secretDigest, createdAtMs, expiresAtMs }) =>
      write(() => Number(insertToken.run(accountId, secretDigest, createdAtMs, expiresAtMs).lastInsertRowid)),

    async findSession(tokenId) {
      await untilEndOfTurn();
      return attempt(() => {
        const found = selectSession.get(tokenId);
        return found === undefined ? undefined : SessionRow.parse(found);
      });
    },

    revokeToken: (tokenId) => write(() => deleteToken.run(tokenId).changes === 1),

    replacePasswordHash: (accountId, from, to) => write(() => void updateHash.run(to, accountId, from)),

    noteTokenUses: (usedAtMs) => write(() => void updateUse.run(JSON.stringify(Object.fromEntries(usedAtMs)))),

    deleteExpiredTokens: (endedBeforeMs, most) => write(() => Number(deleteExpired.run(endedBeforeMs, most).changes)),

    ping: () => attempt(() => void selectOne.get()),

    async close() {
      if (db.isOpen) db.close();
    },
  };
}
