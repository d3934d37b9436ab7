import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../main/service/stores/sqlite/open-sqlite.ts';
import { behavesLikeAnAccountStore } from './account-store-behaviour.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'llavero-service-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function open(file: string) {
  return (await openWhole(file)).accounts;
}

async function openWhole(file: string) {
  const opened = await openSqlite(file);
  if (!opened.ok) throw new Error(opened.message);
  onTestFinished(() => opened.accounts.close());
  return opened;
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Returns every file of a folder with what is in it. */
const contentOf = (path: string): Record<string, string> =>
  Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name)).toString('base64')]));

/** Returns what opening the file answers, and whether the folder is byte for byte what it was. */
async function refusalOf(file: string) {
  const before = contentOf(dirname(file));
  const result = await openSqlite(file);
  const after = contentOf(dirname(file));
  // This file is an index of the log in shared memory, and holds nothing that the log does not.
  delete before[`${basename(file)}-shm`];
  delete after[`${basename(file)}-shm`];
  return { result, isUntouched: JSON.stringify(after) === JSON.stringify(before) };
}

/** Makes a closed database of a thousand accounts and tokens, on some thirty pages. */
async function filled(file: string): Promise<void> {
  await (await open(file)).close();
  const db = new DatabaseSync(file);
  db.exec(`
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO accounts SELECT i, 'Name', 'e' || i || '@x', 'e' || i || '@x', 'hash', 1, 1 FROM n;
    INSERT INTO tokens SELECT id, id, zeroblob(32), 1, 2, NULL FROM accounts`);
  db.close();
}

/** Leaves files as a power cut would: the database with its log, while another connection still has both open. */
async function leftUnclean(file: string): Promise<void> {
  const elsewhere = join(folder(), 'service.sqlite');
  await (await open(elsewhere)).createAccount(ada);
  for (const end of ['', '-wal']) copyFileSync(elsewhere + end, file + end);
}

const ada = { name: 'Ada', email: 'a@b', emailKey: 'a@b', passwordHash: 'x', createdAtMs: 1 };

describe('the SQLite store in memory', () => {
  behavesLikeAnAccountStore(() => open(':memory:'));
});
describe('the SQLite store in a file', () => {
  behavesLikeAnAccountStore(() => open(join(folder(), 'service.sqlite')));
});

describe('a database file', () => {
  it('is for this user only, with its companions and the folders made for it', async () => {
    const root = folder();
    const file = join(root, 'a', 'b', 'service.sqlite');
    await (await open(file)).createAccount(ada);

    expect([join(root, 'a'), join(root, 'a', 'b')].map(mode)).toEqual(['700', '700']);
    expect([file, `${file}-wal`, `${file}-shm`].map(mode)).toEqual(['600', '600', '600']);
  });

  it('leaves a folder that was there as it was, and closes a file that was open to others', async () => {
    const root = folder();
    chmodSync(root, 0o755);
    const file = join(root, 'service.sqlite');
    await (await open(file)).close();
    chmodSync(file, 0o644);
    await open(file);

    expect([mode(root), mode(file)]).toEqual(['755', '600']);
  });

  it('holds what it held, for a second opening and for another process meanwhile', async () => {
    const file = join(folder(), 'service.sqlite');
    const [first, second] = [await open(file), await open(file)];
    await first.createAccount(ada);
    expect(await second.findLogin('a@b')).toBeDefined();
    expect(await second.createAccount(ada)).toEqual({ ok: false, kind: 'email-taken' });
    await first.close();
    await second.close();
    expect((await (await open(file)).findLogin('a@b'))?.account.name).toBe('Ada');
  });

  it('is written ahead, so that readers never wait for a writer', async () => {
    const file = join(folder(), 'service.sqlite');
    await open(file);
    const db = new DatabaseSync(file);
    onTestFinished(() => db.close());
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  });

  it('that is no database is refused and left alone', async () => {
    const file = join(folder(), 'service.sqlite');
    writeFileSync(file, 'this is a text of more than sixteen bytes, and no database\n'.repeat(100));
    expect(await refusalOf(file)).toMatchObject({
      result: { ok: false, kind: 'corrupt', message: expect.stringMatching(/is damaged/) },
      isUntouched: true,
    });
  });

  it.each([2, 1000])(
    'of version %i is refused and set aside with its log, and the next start makes a new one',
    async (version) => {
      const file = join(folder(), 'service.sqlite');
      await leftUnclean(file);
      const db = new DatabaseSync(file);
      db.exec(`PRAGMA user_version = ${version}`);
      const before = contentOf(dirname(file));
      const refused = await openSqlite(file);
      const after = contentOf(dirname(file));
      db.close();
      expect(refused).toMatchObject({
        ok: false,
        kind: 'other-version',
        message: expect.stringMatching(
          /^The database .* was written by another version of this program and is kept as /,
        ),
      });
      const kept = Object.keys(after).find((name) => name.endsWith('Z')) ?? '';
      expect(kept).toMatch(/^service\.sqlite\.broken-/);
      expect(refused).toHaveProperty(
        'message',
        expect.stringContaining(` ${join(dirname(file), kept)}: the next start`),
      );
      expect(after).toMatchObject({ [kept]: before['service.sqlite'], [`${kept}-wal`]: before['service.sqlite-wal'] });
      expect(await (await open(file)).findLogin(ada.emailKey)).toBeUndefined();
    },
  );

  it('of another program is refused and left alone', async () => {
    const file = join(folder(), 'service.sqlite');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE songs (title TEXT)');
    db.close();
    expect(await refusalOf(file)).toMatchObject({
      result: { ok: false, kind: 'foreign', message: expect.stringMatching(/another program/) },
      isUntouched: true,
    });
  });

  it('is refused when a folder is in its place', async () => {
    const file = join(folder(), 'service.sqlite');
    mkdirSync(file);
    expect(await openSqlite(file)).toMatchObject({ ok: false, kind: 'unwritable' });
  });

  it('is refused under a path that cannot be a folder', async () => {
    expect(await openSqlite('/dev/null/service.sqlite')).toMatchObject({ ok: false, kind: 'unwritable' });
    expect(await openSqlite('/proc/llavero/service.sqlite')).toMatchObject({ ok: false, kind: 'unwritable' });
  });
});

describe('a damaged database', () => {
  it('is refused at every start, left where it is, and works again once a copy is put in its place', async () => {
    const file = join(folder(), 'service.sqlite');
    await filled(file);
    const whole = readFileSync(file);
    const page = Buffer.from(whole).fill(0x5a, 5 * 4096, 6 * 4096);
    writeFileSync(file, page);

    for (let start = 0; start < 2; start++) {
      const { result, isUntouched } = await refusalOf(file);
      expect(result).toMatchObject({
        ok: false,
        kind: 'corrupt',
        message: expect.stringMatching(/^The database .* is damaged \(.+\) and was left as it is: put a copy .*\.$/),
      });
      expect(isUntouched).toBe(true);
    }
    writeFileSync(file, whole);
    expect(await (await open(file)).findLogin('e1@x')).toBeDefined();
  });

  it.each([
    ['cut off', (file: string) => truncateSync(file, statSync(file).size - 3 * 4096)],
    [
      'with an index that misses a row',
      (file: string) => {
        const db = new DatabaseSync(file, { defensive: false });
        db.exec(`PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE INDEX tokens_by_end ON tokens (id)' WHERE name = 'tokens_by_end';
          PRAGMA writable_schema = RESET; DELETE FROM sqlite_sequence WHERE 0`);
        db.close();
      },
    ],
  ])('is found out: %s', async (_how, damage) => {
    const file = join(folder(), 'service.sqlite');
    await filled(file);
    damage(file);
    expect(await refusalOf(file)).toMatchObject({ result: { ok: false, kind: 'corrupt' }, isUntouched: true });
  });

  it('with a log is not changed by a look at it', async () => {
    const file = join(folder(), 'service.sqlite');
    const elsewhere = join(folder(), 'service.sqlite');
    await filled(elsewhere);
    await (await open(elsewhere)).createAccount(ada);
    for (const end of ['', '-wal']) copyFileSync(elsewhere + end, file + end);
    writeFileSync(file, Buffer.from(readFileSync(file)).fill(0x5a, 5 * 4096, 6 * 4096));
    expect(await refusalOf(file)).toMatchObject({ result: { ok: false, kind: 'corrupt' }, isUntouched: true });
  });

  it('that is gone while its log is there is not quietly replaced by a new one', async () => {
    const file = join(folder(), 'service.sqlite');
    await leftUnclean(file);
    const whole = readFileSync(file);
    for (const lose of [() => rmSync(file), () => writeFileSync(file, '')]) {
      lose();
      expect(await refusalOf(file)).toMatchObject({
        result: { ok: false, kind: 'log-alone', message: expect.stringMatching(/missing or empty/) },
        isUntouched: true,
      });
    }
    writeFileSync(file, whole);
    expect(await (await open(file)).findLogin(ada.emailKey)).toBeDefined();
  });
});

describe('a database left by an unclean end', () => {
  it('has everything that was answered', async () => {
    const file = join(folder(), 'service.sqlite');
    await leftUnclean(file);
    expect(await (await open(file)).findLogin(ada.emailKey)).toBeDefined();
  });
});

describe('a copy of a database in use', () => {
  it('holds all that was there, is for this user only, and opens as a database of its own', async () => {
    const root = folder();
    const { accounts, local } = await openWhole(join(root, 'service.sqlite'));
    await accounts.createAccount(ada);
    const copy = join(root, 'copy.sqlite');
    writeFileSync(copy, 'an older one');
    // Writes go on meanwhile.
    const copying = local.table.copyTo(copy);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => accounts.createAccount({ ...ada, emailKey: `${n}@b`, email: `${n}@b` })),
    );
    await copying;

    expect(await (await open(copy)).findLogin(ada.emailKey)).toBeDefined();
    expect(mode(copy)).toBe('600');
  });

  it('that cannot be made leaves no file, and keeps what was there', async () => {
    const root = folder();
    const { local } = await openWhole(join(root, 'service.sqlite'));
    const place = join(root, 'copies');
    mkdirSync(place);
    await expect(local.table.copyTo(place)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(place)).toEqual([]);
    expect(readdirSync(root).filter((name) => name.includes('partial'))).toEqual([]);
  });
});
