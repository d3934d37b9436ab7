import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createWriteRunner } from '../../../main/service/stores/sqlite/run-statement.ts';
import { createCheckpoints } from '../../../main/service/stores/sqlite/checkpoints.ts';
import { openSqlite } from '../../../main/service/stores/sqlite/open-sqlite.ts';
import { createSqliteAccountStore } from '../../../main/service/stores/sqlite/sqlite-account-store.ts';
import { createSqliteLock } from '../../../main/service/stores/sqlite/sqlite-lock.ts';

const ids = Array.from({ length: 1000 }, (_, index) => index + 1);
const ada = { name: 'Ada', email: 'a@b', emailKey: 'a@b', passwordHash: 'x', createdAtMs: 1 };

/** Opens a new database with one account and so many tokens as there are ids. */
async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'llavero-checkpoints-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'service.sqlite');
  const result = await openSqlite(file);
  if (!result.ok) throw new Error(result.message);
  const { accounts } = result;
  onTestFinished(() => accounts.close());
  await accounts.createAccount(ada);
  const db = new DatabaseSync(file);
  onTestFinished(() => {
    if (db.isOpen) db.close();
  });
  const insert = db.prepare('INSERT INTO tokens VALUES (?, 1, zeroblob(32), 1, 2, NULL)');
  db.exec('BEGIN');
  for (const id of ids) insert.run(id);
  db.exec('COMMIT; PRAGMA wal_checkpoint');
  return { file, accounts, db };
}

/** Counts the uses that the file holds without its log, which is left out where a file is said never to change. */
function usesIn(file: string): unknown {
  const db = new DatabaseSync(new URL(`${pathToFileURL(file).href}?mode=ro&immutable=1`));
  const row = db.prepare('SELECT count(last_used_at_ms) AS uses FROM tokens').get();
  db.close();
  return row?.['uses'];
}

it('the log of many uses of tokens is taken into the file by another thread', async () => {
  const { file, accounts } = await opened();
  await accounts.noteTokenUses(new Map(ids.map((id) => [id, 7])));
  expect(usesIn(file)).toBe(0);
  await expect.poll(() => usesIn(file)).toBe(ids.length);
});

it('a file is neither taken alone nor closed while another thread takes its log in', async () => {
  const { file, accounts, db } = await opened();
  await accounts.close();
  const checkpoints = createCheckpoints(file);
  const steps: string[] = [];
  const start = (): void => {
    checkpoints.wrote(ids.length);
    void checkpoints.ended().then(() => steps.push('taken in'));
  };
  start();
  expect(await createSqliteLock(db, checkpoints).acquire()).toBe(true);
  steps.push('alone');
  start();
  await createSqliteAccountStore(db, createWriteRunner(checkpoints), checkpoints.ended).close();
  steps.push('closed');
  expect(steps).toEqual(['taken in', 'alone', 'taken in', 'closed']);
});
