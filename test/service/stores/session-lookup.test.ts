import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../main/service/stores/sqlite/open-sqlite.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

async function open(file: string) {
  const opened = await openSqlite(file);
  if (!opened.ok) throw new Error(opened.message);
  onTestFinished(() => opened.accounts.close());
  return opened.accounts;
}

/** Two instances on one file, with an account of three tokens, and a connection of the test's own. */
async function begin() {
  const file = join(await makeTemporaryFolder(), 'service.sqlite');
  const [here, there] = [await open(file), await open(file)];
  const made = await here.createAccount({
    name: 'Ada',
    email: 'a@b',
    emailKey: 'a@b',
    passwordHash: 'x',
    createdAtMs: 1,
  });
  if (!made.ok) throw new Error(made.kind);
  const token = { accountId: made.account.id, secretDigest: new Uint8Array(32), createdAtMs: 1, expiresAtMs: 2 };
  for (const _ of [1, 2, 3]) await here.createToken(token);
  const db = new DatabaseSync(file);
  onTestFinished(() => db.close());
  return { here, there, db };
}

const found = async (lookups: Promise<unknown>[]): Promise<boolean[]> =>
  (await Promise.all(lookups)).map((session) => session !== undefined);

it('lookups that come together each see what was ended before them, here or by another instance', async () => {
  const { here, there } = await begin();
  const all = () => [1, 2, 3, 4].map((id) => here.findSession(id));
  expect(await found(all())).toEqual([true, true, true, false]);
  await there.revokeToken(1);
  expect(await found(all())).toEqual([false, true, true, false]);
  const together = [...all(), here.revokeToken(2), ...all()];
  expect((await found(together)).slice(-4)).toEqual([false, false, true, false]);
});

it('lookups that fail together each say so, and leave nothing open', async () => {
  const { here, db } = await begin();
  db.exec('ALTER TABLE tokens RENAME TO elsewhere');
  const results = await Promise.allSettled([here.findSession(1), here.findSession(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  db.exec('ALTER TABLE elsewhere RENAME TO tokens');
  expect(await found([here.findSession(1), here.findSession(2)])).toEqual([true, true]);
  // A write would be refused if the lookup had left its transaction open.
  db.exec('BEGIN IMMEDIATE; DELETE FROM tokens; COMMIT');
  expect(await found([here.findSession(1)])).toEqual([false]);
  expect(await here.revokeToken(1)).toBe(false);
});
