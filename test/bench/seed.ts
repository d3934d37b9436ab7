import { createHash, hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { digestOf } from '../../main/service/domain/bearer.ts';
import { createPasswords } from '../../main/service/domain/passwords.ts';
import { openStores } from '../../main/service/stores/open-stores.ts';

export const TOKENS_PER_ACCOUNT = 3;
const DAY_MS = 86_400_000;

/**
 * Makes the email of an account. Real addresses come in no order, so these do too, and fill the index as those would.
 * @param account counts from 1
 */
export const seededEmail = (account: number): string =>
  `${hash('md5', `account ${account}`).slice(0, 12)}.${account}@example.test`;

/**
 * Makes the secret of a token.
 * @param id of the token, which counts from 1
 */
function seededSecret(id: number): string {
  const entropy = createHash('sha1').update(`token ${id}`).digest('hex');
  return entropy + crc32(entropy).toString(16).padStart(8, '0');
}

export const seededToken = (id: number): string => `${id}|${seededSecret(id)}`;

/**
 * Fills a new database with accounts and their tokens. Opening the store makes its schema. The rows go in past the
 * store, in one transaction, with one password hash of the smallest cost for all.
 * @returns the seconds it took
 */
export async function seed(file: string, accounts: number): Promise<number> {
  const startedAt = performance.now();
  const opened = await openStores({ file });
  if (!opened.ok) throw new Error(opened.message);
  await opened.stores.accounts.close();

  const passwordHash = await createPasswords({ memoryKiB: 8, passes: 1, lanes: 1 }).hash('correct horse battery');
  const db = new DatabaseSync(file);
  // Nobody waits for this file, and a run that is cut off throws it away. The cache holds the index, which is filled in
  // no order.
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; BEGIN');
  const insertAccount = db.prepare(
    `INSERT INTO accounts (name, email, email_key, password_hash, created_at_ms, updated_at_ms)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const insertToken = db.prepare(
    'INSERT INTO tokens (account_id, secret_digest, created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?)',
  );
  const now = Date.now();
  let tokenId = 0;
  for (let account = 1; account <= accounts; account++) {
    const email = seededEmail(account);
    insertAccount.run(`Account ${account}`, email, email, passwordHash, now, now);
    for (let count = 0; count < TOKENS_PER_ACCOUNT; count++) {
      insertToken.run(account, digestOf(seededSecret(++tokenId)), now, now + 30 * DAY_MS + tokenId);
    }
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return (performance.now() - startedAt) / 1000;
}
