import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const opened = openSqlite(file);
  if (!opened.ok) throw new Error(opened.message);
  onTestFinished(() => opened.accounts.close());
  return opened.accounts;
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** What opening it answers, and whether it is byte for byte what it was. */
function refusalOf(file: string) {
  const before = readFileSync(file);
  const result = openSqlite(file);
  return { result, isUntouched: readFileSync(file).equals(before) };
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

  it('that is no database is refused and left alone', () => {
    const file = join(folder(), 'service.sqlite');
    writeFileSync(file, 'this is a text of more than sixteen bytes, and no database\n'.repeat(100));
    expect(refusalOf(file)).toMatchObject({
      result: { ok: false, kind: 'corrupt', message: expect.stringMatching(/is damaged/) },
      isUntouched: true,
    });
  });

  it('of a newer version is refused and left alone', async () => {
    const file = join(folder(), 'service.sqlite');
    await (await open(file)).close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA user_version = 1000');
    db.close();
    expect(refusalOf(file)).toMatchObject({
      result: { ok: false, kind: 'newer', message: expect.stringMatching(/newer version/) },
      isUntouched: true,
    });
  });

  it('of another program is refused and left alone', () => {
    const file = join(folder(), 'service.sqlite');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE songs (title TEXT)');
    db.close();
    expect(refusalOf(file)).toMatchObject({
      result: { ok: false, kind: 'foreign', message: expect.stringMatching(/another program/) },
      isUntouched: true,
    });
  });

  it('in the place of which there is a folder is refused', () => {
    const file = join(folder(), 'service.sqlite');
    mkdirSync(file);
    expect(openSqlite(file)).toMatchObject({ ok: false, kind: 'unwritable' });
  });

  it('under a path that cannot be a folder is refused', () => {
    expect(openSqlite('/dev/null/service.sqlite')).toMatchObject({ ok: false, kind: 'unwritable' });
    expect(openSqlite('/proc/llavero/service.sqlite')).toMatchObject({ ok: false, kind: 'unwritable' });
  });
});
