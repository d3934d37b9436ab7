import { readFile } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';
import { Client, type ClientConfig } from 'pg';
import type { AccountStore } from '../account-store.ts';
import type { RateLimitStore } from '../rate-limit-store.ts';
import { DEFAULT_CONNECTIONS, readDatabaseUrl, type DatabaseUrl, type TlsMode } from './database-url.ts';
import { openFailureOf, type PostgresFailure } from './postgres-errors.ts';
import { createPostgresAccountStore } from './postgres-account-store.ts';
import { createPostgresRateLimitStore } from './postgres-rate-limit-store.ts';
import { createQueries } from './queries.ts';
import { createPostgresTables } from './postgres-schema.ts';
import { createSockets } from './sockets.ts';

/** To open a connection or get one of the pool. */
const CONNECT_TIMEOUT_MS = 5000;
/** The server ends a statement after the first; the second is for a server that no longer responds. */
const STATEMENT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 12_000;
const IDLE_TIMEOUT_MS = 30_000;

type Sentence = (url: DatabaseUrl, cause: string) => string;

const sentences: Record<Exclude<PostgresFailure, 'wrong-url'>, Sentence> = {
  unreachable: ({ at }, cause) => `No PostgreSQL can be reached at ${at}: ${cause}.`,
  'tls-refused': ({ at, tls }, cause) => `The server at ${at} does not give the TLS of sslmode=${tls}: ${cause}.`,
  'login-refused': ({ at }, cause) => `The server at ${at} refuses the login: ${cause}.`,
  'database-missing': ({ at, database }) => `The server at ${at} has no database "${database}".`,
  forbidden: ({ database }) =>
    `The user has too few rights in the database "${database}": it must own the schema "llavero", or be allowed to create it.`,
  'read-only': ({ at, database }) => `The database "${database}" at ${at} is read-only.`,
  busy: ({ at }, cause) => `The server at ${at} is too busy: ${cause}.`,
  full: ({ at }) => `The disk of the server at ${at} is full.`,
  'wrong-encoding': ({ database }) => `The database "${database}" does not have the encoding UTF8.`,
  'other-version': ({ database }) =>
    `The schema "llavero" of the database "${database}" was made by another version of this program.`,
  foreign: ({ database }) => `The schema "llavero" of the database "${database}" belongs to another program.`,
};

type OpenPostgresResult =
  | { ok: true; accounts: AccountStore; rateLimitStore: RateLimitStore; location: string }
  | { ok: false; kind: PostgresFailure; message: string };

const tlsOptions: Record<TlsMode, ConnectionOptions | false> = {
  disable: false,
  require: { rejectUnauthorized: false },
  'verify-ca': { checkServerIdentity: () => undefined },
  'verify-full': {},
};

/**
 * Opens a PostgreSQL database, and creates its schema `llavero` if it is missing.
 * @param text see {@link readDatabaseUrl}
 * @param connections at most, of this instance
 */
export async function openPostgres(text: string, connections = DEFAULT_CONNECTIONS): Promise<OpenPostgresResult> {
  const read = readDatabaseUrl(text);
  if (!read.ok) return { ok: false, kind: 'wrong-url', message: read.message };
  const { url } = read;
  const failed = (kind: keyof typeof sentences, cause = ''): OpenPostgresResult => {
    // The server's message may end with a full stop and have several lines.
    const [line = ''] = cause.split('\n', 1);
    return { ok: false, kind, message: sentences[kind](url, line.replace(/\.$/, '')) };
  };

  let tls = tlsOptions[url.tls];
  if (tls && url.rootCertificate !== undefined) {
    try {
      tls = { ...tls, ca: await readFile(url.rootCertificate, 'utf8') };
    } catch {
      return {
        ok: false,
        kind: 'tls-refused',
        message: `The file of sslrootcert cannot be read: ${url.rootCertificate}.`,
      };
    }
  }
  const config: ClientConfig = {
    host: url.host,
    port: url.port,
    database: url.database,
    ssl: tls,
    application_name: 'llavero',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // A function or operator that somebody made in the schema "public" may fit a call better than PostgreSQL's own:
    // https://wiki.postgresql.org/wiki/A_Guide_to_CVE-2018-1058:_Protect_Your_Search_Path
    options: '-c search_path=pg_catalog,pg_temp',
    ...(url.user !== undefined && { user: url.user }),
    ...(url.password !== undefined && { password: url.password }),
  };

  // Without the time limits, since it may wait for another instance that creates the tables.
  const sockets = createSockets();
  const client = new Client({ ...config, stream: sockets.make });
  client.on('error', () => {});
  try {
    await client.connect();
    const made = await createPostgresTables(client);
    await client.end();
    if (!made.ok) return failed(made.kind);
  } catch (error) {
    // Not awaited, since the other side may never respond.
    client.end().catch(() => undefined);
    sockets.unref();
    const failure = openFailureOf(error);
    if (failure === undefined || failure.kind === 'wrong-url') throw error;
    return failed(failure.kind, failure.cause);
  }

  return {
    ok: true,
    ...createStores(config, connections),
    location: `the PostgreSQL database "${url.database}" at ${url.at}`,
  };
}

function createStores(config: ClientConfig, max: number) {
  const timed = { statement_timeout: STATEMENT_TIMEOUT_MS, query_timeout: ANSWER_TIMEOUT_MS };
  const queries = createQueries({ ...config, ...timed, max, idleTimeoutMillis: IDLE_TIMEOUT_MS });
  return { accounts: createPostgresAccountStore(queries), rateLimitStore: createPostgresRateLimitStore(queries) };
}
