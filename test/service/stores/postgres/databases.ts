import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { openPostgres } from '../../../../main/service/stores/postgres/open-postgres.ts';
import { createPostgresRateLimitStore } from '../../../../main/service/stores/postgres/postgres-rate-limit-store.ts';
import { createQueries } from '../../../../main/service/stores/postgres/queries.ts';
import { findPostgres } from '../../../../scripts/postgres.mjs';

/** The URL of a superuser of a real PostgreSQL, which `npm test` starts where Debian's package is installed. */
export const realServer = process.env['LLAVERO_TEST_POSTGRES'];

export const missingServer = realServer
  ? undefined
  : 'LLAVERO_TEST_POSTGRES holds no URL of a PostgreSQL; npm test brings one on Debian';

/** Why no PostgreSQL of a test's own can be started here. */
export const missingPackage = findPostgres() ? undefined : 'PostgreSQL is not installed; on Debian: npm run setup';

/** Starts PostgreSQL compiled to WebAssembly behind a port, for the same driver, one connection at a time. */
export async function startPglite() {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 4 });
  await server.start();
  return {
    url: `postgres://postgres:any@${server.getServerConn()}/postgres`,
    /** Brings it back to its first state. All connections are one session, so what one prepared would stay. */
    async empty() {
      await db.exec('DROP SCHEMA IF EXISTS llavero CASCADE; DROP TABLE IF EXISTS clock');
      await db.exec('DISCARD ALL');
    },
    forgetStatements: () => db.exec('DEALLOCATE ALL'),
    async stop() {
      await server.stop();
      await db.close();
    },
  };
}

/** Runs statements as the user of the URL, and answers the rows of the last one. */
export async function sql(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const answered = await client.query(text);
    return (Array.isArray(answered) ? answered.at(-1) : answered).rows;
  } finally {
    await client.end();
  }
}

/** Returns the URL with another database, user or password, and parameters. */
export function urlWith(url: string, parts: Partial<Record<'pathname' | 'username' | 'password' | 'search', string>>) {
  return Object.assign(new URL(url), parts).href;
}

/** Makes a database on a real server. It is dropped when the test ends, together with its open connections. */
export async function freshDatabase(server = realServer, form = ''): Promise<string> {
  if (!server) throw new Error('There is no real PostgreSQL');
  const name = `llavero_test_${randomBytes(6).toString('hex')}`;
  await sql(server, `CREATE DATABASE ${name} ${form}`);
  onTestFinished(async () => void (await sql(server, `DROP DATABASE ${name} WITH (FORCE)`)));
  return urlWith(server, { pathname: `/${name}` });
}

/** Makes a role that may log in and nothing more, until the test ends. Its URL is the database's with the role. */
export async function freshRole(url: string): Promise<{ name: string; url: string }> {
  const name = `llavero_test_${randomBytes(6).toString('hex')}`;
  await sql(url, `CREATE ROLE ${name} LOGIN PASSWORD 'of-a-test'`);
  onTestFinished(async () => void (await sql(url, `DROP OWNED BY ${name} CASCADE; DROP ROLE ${name}`)));
  return { name, url: urlWith(url, { username: name, password: 'of-a-test' }) };
}

/** Opens it, or throws with the sentence why not; closed when the test ends. */
export async function openStore(url: string, connections?: number) {
  const opened = await openPostgres(url, connections);
  if (!opened.ok) throw new Error(opened.message);
  onTestFinished(() => opened.accounts.close());
  return opened;
}

/** Opens a store of attempts. Instead of the database's own clock it has a row, which stands until it is moved. */
export async function openAttempts(url: string, { connections = 10, mostKeys = 100_000 } = {}) {
  await (await openStore(url, connections)).accounts.close();
  const queries = createQueries({ connectionString: url, max: connections });
  onTestFinished(() => queries.close());
  const run = (text: string, values: unknown[] = []) => queries.write({ name: '', text }, values);
  await run('CREATE TABLE clock AS SELECT 0::bigint AS ms');
  return {
    attempts: createPostgresRateLimitStore(queries, { clock: '(SELECT ms FROM clock)', mostKeys }),
    setClock: async (ms: number) => void (await run('UPDATE clock SET ms = $1', [ms])),
    size: async () => (await run('SELECT 1 FROM llavero.attempts')).rows.length,
  };
}

export const adaRow = { name: 'Ada', email: 'a@b', emailKey: 'a@b', passwordHash: 'x', createdAtMs: 1 };
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Opens a connection of the test's own, to hold a lock or to end others. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Makes a server of the test listen on a free port, which it returns. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
