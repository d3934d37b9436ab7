import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../../main/service/stores/postgres/open-postgres.ts';
import { behavesLikeAnAccountStore } from '../account-store-behaviour.ts';
import { behavesLikeAnAttemptStore } from '../rate-limit-store-behaviour.ts';
import { openAttempts, openStore, sql, startPglite } from './databases.ts';

let pglite: Awaited<ReturnType<typeof startPglite>>;
beforeAll(async () => {
  pglite = await startPglite();
}, 120_000);
afterAll(() => pglite.stop());
beforeEach(() => pglite.empty());

const ONE = 1;

describe('the PostgreSQL store on PGlite', () => {
  behavesLikeAnAccountStore(async () => (await openStore(pglite.url, ONE)).accounts);
});

describe('the count of attempts on PGlite', () => {
  behavesLikeAnAttemptStore(() => openAttempts(pglite.url, { connections: ONE }));

  it('forgets keys whose attempts have left the count, once it is swept', async () => {
    const { attempts, setClock, size } = await openAttempts(pglite.url, { connections: ONE });
    const limit = { most: 2, windowSeconds: 60 };
    for (const key of ['a', 'b']) await attempts.consume(key, limit);
    const given = await attempts.consume('c', limit);
    if (given.granted) await given.giveBack();
    await setClock(30_000);
    await attempts.consume('b', limit);
    await setClock(60_000);
    await attempts.sweep();
    expect(await size()).toBe(1);
    expect(await attempts.consume('b', limit)).toMatchObject({ granted: true });
    expect(await attempts.consume('b', limit)).toMatchObject({ granted: false });
  });

  it('holds no more than its most keys once it is swept, and forgets the oldest', async () => {
    const { attempts, setClock, size } = await openAttempts(pglite.url, { connections: ONE, mostKeys: 3 });
    const limit = { most: 1, windowSeconds: 60 };
    for (const [at, key] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await setClock(at);
      await attempts.consume(key, limit);
    }
    await attempts.sweep();
    expect(await size()).toBe(3);
    expect(await attempts.consume('c', limit)).toMatchObject({ granted: false });
    expect(await attempts.consume('b', limit)).toMatchObject({ granted: true });
  });

  it('locks nobody out for long when the clock goes back', async () => {
    const { attempts, setClock } = await openAttempts(pglite.url, { connections: ONE });
    const limit = { most: 1, windowSeconds: 60 };
    await setClock(86_400_000);
    await attempts.consume('a', limit);
    await setClock(86_390_000);
    expect(await attempts.consume('a', limit)).toEqual({ granted: false, retryAfterSeconds: 70 });
    await setClock(0);
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: true });
    expect(await attempts.consume('a', limit)).toEqual({ granted: false, retryAfterSeconds: 60 });
  });

  it('keeps no address in clear', async () => {
    const { attempts } = await openAttempts(pglite.url, { connections: ONE });
    await attempts.consume('login|ada@example.test|127.0.0.1', { most: 1, windowSeconds: 60 });
    const [row] = await sql(pglite.url, 'SELECT a::text AS kept FROM llavero.attempts a');
    expect(row).toEqual({ kept: expect.not.stringContaining('ada') });
  });
});

describe('a database on PGlite', () => {
  const tables = `SELECT table_schema, table_name, column_name FROM information_schema.columns
                  WHERE table_schema = 'llavero' ORDER BY 1, 2, 3`;

  it.each([
    ['a table of one of our names', 'CREATE SCHEMA llavero; CREATE TABLE llavero.accounts (title text)'],
    ['a view only', 'CREATE SCHEMA llavero; CREATE VIEW llavero.songs AS SELECT 1 AS n'],
    ["another program's version", 'CREATE SCHEMA llavero; CREATE TABLE llavero.schema_version (id int, version int)'],
  ])('with a schema of our name that holds %s is refused and left alone', async (_what, text) => {
    await sql(pglite.url, text);
    const before = await sql(pglite.url, tables);
    expect(await openPostgres(pglite.url, ONE)).toEqual({
      ok: false,
      kind: 'foreign',
      message: 'The schema "llavero" of the database "postgres" belongs to another program.',
    });
    expect(await sql(pglite.url, tables)).toEqual(before);
  });

  it('with tables of our names in another schema is taken, and those are left alone', async () => {
    await sql(pglite.url, 'CREATE TABLE accounts (title text)');
    const { accounts } = await openStore(pglite.url, ONE);
    await accounts.createAccount({ name: 'Ada', email: 'a@b', emailKey: 'a@b', passwordHash: 'x', createdAtMs: 1 });
    await accounts.close();
    expect(await sql(pglite.url, 'SELECT * FROM accounts')).toEqual([]);
    await sql(pglite.url, 'DROP TABLE accounts');
  });

  it.each([0, 1000])('of version %i is refused and left alone', async (version) => {
    await (await openStore(pglite.url, ONE)).accounts.close();
    await sql(pglite.url, `UPDATE llavero.schema_version SET version = ${version}; DROP TABLE llavero.tokens`);
    const before = await sql(pglite.url, tables);
    expect(await openPostgres(pglite.url, ONE)).toEqual({
      ok: false,
      kind: 'other-version',
      message: 'The schema "llavero" of the database "postgres" was made by another version of this program.',
    });
    expect(await sql(pglite.url, tables)).toEqual(before);
    expect(await sql(pglite.url, 'SELECT version FROM llavero.schema_version')).toEqual([{ version }]);
  });
});
