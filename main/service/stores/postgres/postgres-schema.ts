import type { ClientBase } from 'pg';
import { z } from 'zod';
import type { PostgresFailure } from './postgres-errors.ts';

/** Contains all tables, so that the database may be shared with other programs. */
const SCHEMA = 'llavero';

/** The table with the version of the schema, which identifies it as ours. */
const MARKER = 'schema_version';
/** Incremented with every change of the tables. */
const VERSION = 2;

/**
 * Ids come from sequences, which never repeat. Emails are compared by bytes (`COLLATE "C"`), since the order of other
 * collations changes with the system's libraries and would break the index of the constraint. By their documentation,
 * CockroachDB and YugabyteDB accept all of it; it was not tested there.
 */
const TABLES = `
  CREATE TABLE llavero.accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    email text NOT NULL,
    email_key text COLLATE "C" NOT NULL UNIQUE,
    password_hash text NOT NULL,
    created_at_ms bigint NOT NULL,
    updated_at_ms bigint NOT NULL
  );
  CREATE TABLE llavero.tokens (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES llavero.accounts (id) ON DELETE CASCADE,
    secret_digest bytea NOT NULL,
    created_at_ms bigint NOT NULL,
    expires_at_ms bigint NOT NULL,
    last_used_at_ms bigint
  );
  CREATE INDEX tokens_of_account ON llavero.tokens (account_id);
  CREATE INDEX tokens_by_end ON llavero.tokens (expires_at_ms);
  CREATE TABLE llavero.attempts (
    key_digest bytea PRIMARY KEY,
    ends_ms bigint[] NOT NULL
  );
  CREATE TABLE llavero.${MARKER} (version integer PRIMARY KEY);
  INSERT INTO llavero.${MARKER} (version) VALUES (${VERSION});`;

/** Any number that is the same for all instances: the letters `LLAV`. */
const LOCK = 0x4c4c_4156;
/** How long an instance waits for another one that creates the tables. */
const LOCK_TIMEOUT_MS = 60_000;

const Settings = z.object({ encoding: z.string(), read_only: z.string(), has_schema: z.boolean() });
const Table = z.object({ name: z.string(), columns: z.array(z.string()) });
const Version = z.object({ version: z.int() });

type Failure = {
  ok: false;
  kind: Extract<PostgresFailure, 'other-version' | 'foreign' | 'wrong-encoding' | 'read-only'>;
};
type Inspection = { ok: true; hasTables: boolean; hasSchema: boolean } | Failure;

/** Without changing the database. */
async function inspect(client: ClientBase): Promise<Inspection> {
  const settings = await client.query(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') AS read_only,
            EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1) AS has_schema`,
    [SCHEMA],
  );
  const { encoding, read_only: readOnly, has_schema: hasSchema } = Settings.parse(settings.rows[0]);
  if (encoding !== 'UTF8') return { ok: false, kind: 'wrong-encoding' };
  if (readOnly === 'on') return { ok: false, kind: 'read-only' };

  // The catalogue and not the information schema, which hides what the role has no rights to.
  const found = await client.query(
    `SELECT c.relname::text AS name,
            (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
    [SCHEMA],
  );
  const tables = z.array(Table).parse(found.rows);
  if (tables.length === 0) return { ok: true, hasTables: false, hasSchema };
  const isMarked = tables.some(({ name, columns }) => name === MARKER && columns.join() === 'version');
  if (!isMarked) return { ok: false, kind: 'foreign' };
  const versions = z.array(Version).parse((await client.query(`SELECT version FROM ${SCHEMA}.${MARKER}`)).rows);
  const isOurs = versions.length === 1 && versions[0]?.version === VERSION;
  return isOurs ? { ok: true, hasTables: true, hasSchema } : { ok: false, kind: 'other-version' };
}

/**
 * Creates the schema and its tables if they are missing, in one transaction. Of several instances that start at once, one does
 * it, and the others wait. A schema of another version or program is unchanged.
 *
 * The lock is the one statement that needs CockroachDB 26 or YugabyteDB 2025.1.
 *
 * @param client open, without a running transaction
 */
export async function createPostgresTables(client: ClientBase): Promise<{ ok: true } | Failure> {
  const before = await inspect(client);
  if (!before.ok || before.hasTables) return before;
  // Read committed, whatever the server's default, to read after the wait what the other instance wrote.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const state = await inspect(client);
    if (state.ok && !state.hasTables) {
      // `IF NOT EXISTS` would need the right to create it even if it exists.
      await client.query((state.hasSchema ? '' : `CREATE SCHEMA ${SCHEMA};`) + TABLES);
    }
    await client.query('COMMIT');
    return state;
  } catch (error) {
    // If the connection failed, the server rolls back by itself.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
