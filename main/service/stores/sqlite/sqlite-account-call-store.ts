import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { AccountCallStore, FactorRecord } from '../account-call-store.ts';
import { IdRow } from '../account-rows.ts';
import { createFactorTables } from './factor-tables.ts';
import type { LocalDatabase } from './open-sqlite.ts';
import { runStatement } from './run-statement.ts';
import { transaction } from './transaction.ts';

/** More than are accepted at one time. */
const MOST_STEPS = 50;

const SecretRow = z.object({ secret: z.string() });
const FactorRow = SecretRow.extend({ is_active: z.int() })
  .transform((row): FactorRecord => ({ secret: row.secret, isActive: row.is_active === 1 }))
  .optional();

const prepareStatements = (db: DatabaseSync) => ({
  selectFactor: db.prepare('SELECT secret, is_active FROM second_factors WHERE account_id = ?'),
  deleteInactive: db.prepare('DELETE FROM second_factors WHERE account_id = ? AND is_active = 0'),
  insertFactor: db.prepare(
    'INSERT INTO second_factors (account_id, secret, is_active) VALUES (?, ?, 0) ON CONFLICT (account_id) DO NOTHING',
  ),
  insertRecovery: db.prepare('INSERT INTO recovery_codes (account_id, digest) VALUES (?, ?)'),
  activate: db.prepare('UPDATE second_factors SET is_active = 1 WHERE account_id = ? AND secret = ? AND is_active = 0'),
  insertStep: db.prepare(
    'INSERT INTO used_code_steps (account_id, step) VALUES (?, ?) ON CONFLICT (account_id, step) DO NOTHING',
  ),
  // By their order and not by their time, which a movable clock may turn back.
  deleteSteps: db.prepare(
    `DELETE FROM used_code_steps WHERE account_id = ?1 AND id NOT IN
       (SELECT id FROM used_code_steps WHERE account_id = ?1 ORDER BY id DESC LIMIT ${MOST_STEPS})`,
  ),
  deleteRecovery: db.prepare('DELETE FROM recovery_codes WHERE account_id = ? AND digest = ?'),
  updatePassword: db.prepare(
    'UPDATE accounts SET password_hash = ?, updated_at_ms = ? WHERE id = ? AND password_hash = ?',
  ),
  deleteOtherTokens: db.prepare('DELETE FROM tokens WHERE account_id = ? AND id <> ?'),
  deleteAccount: db.prepare('DELETE FROM accounts WHERE id = ?'),
  selectRecovery: db.prepare('SELECT 1 FROM recovery_codes WHERE account_id = ? AND digest = ?'),
  selectActive: db.prepare('SELECT secret FROM second_factors WHERE is_active = 1'),
  selectTokens: db.prepare('SELECT id FROM tokens WHERE account_id = ?'),
});

/** The store in an open database, in tables of its own beside the accounts. */
export async function createSqliteAccountCallStore({
  db,
  write,
}: Pick<LocalDatabase, 'db' | 'write'>): Promise<AccountCallStore> {
  await write(() => transaction(db, () => createFactorTables(db)));
  const statements = prepareStatements(db);

  return {
    findFactor: (accountId) => runStatement(() => FactorRow.parse(statements.selectFactor.get(accountId))),

    createFactor: ({ accountId, secret, recoveryDigests }) =>
      write(() =>
        transaction(db, () => {
          statements.deleteInactive.run(accountId);
          if (statements.insertFactor.run(accountId, secret).changes === 0) return false;
          for (const digest of recoveryDigests) statements.insertRecovery.run(accountId, digest);
          return true;
        }),
      ),

    activateFactor: (accountId, secret) => write(() => statements.activate.run(accountId, secret).changes === 1),

    useStep: (accountId, step) =>
      write(() =>
        transaction(db, () => {
          const isNew = statements.insertStep.run(accountId, step).changes === 1;
          if (isNew) statements.deleteSteps.run(accountId);
          return isNew;
        }),
      ),

    useRecoveryCode: (accountId, digest) => write(() => statements.deleteRecovery.run(accountId, digest).changes === 1),

    changePassword: ({ accountId, from, to, keepTokenId, atMs }) =>
      write(() =>
        transaction(db, () => {
          if (statements.updatePassword.run(to, atMs, accountId, from).changes === 0) return false;
          statements.deleteOtherTokens.run(accountId, keepTokenId);
          return true;
        }),
      ),

    deleteAccount: (accountId) => write(() => statements.deleteAccount.run(accountId).changes === 1),

    hasRecoveryCode: (accountId, digest) =>
      runStatement(() => statements.selectRecovery.get(accountId, digest) !== undefined),

    activeSecrets: () => runStatement(() => statements.selectActive.all().map((row) => SecretRow.parse(row).secret)),

    tokenIdsOf: (accountId) =>
      runStatement(() => statements.selectTokens.all(accountId).map((row) => IdRow.parse(row).id)),
  };
}
