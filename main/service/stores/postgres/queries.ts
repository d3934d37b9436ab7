import { Pool, TypeOverrides, types, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { createStoreUnavailableError } from '../account-store.ts';
import { unavailableReasonOf } from './postgres-errors.ts';
import { createSockets } from './sockets.ts';

/** A statement that each connection prepares once, under its name. */
export type Statement = { name: string; text: string };

/** Runs statements on a pool. Rejects with a `createStoreUnavailableError` while the database is unavailable. */
export type Queries = {
  /** Runs a query, and repeats it once if the connection is lost, as by a restart of the server. */
  read(statement: Statement, values?: unknown[]): Promise<QueryResult>;
  /** Runs a statement once. If the connection is lost, it rejects, and the statement may have been done. */
  write(statement: Statement, values?: unknown[]): Promise<QueryResult>;
  /** Ends the connections once they are idle; a second call does nothing. */
  close(): Promise<void>;
};

const unavailableOr = (error: unknown): unknown => {
  const reason = unavailableReasonOf(error);
  return reason === undefined ? error : createStoreUnavailableError(reason, error);
};

/**
 * Parses `bigint`, which the driver returns as text, as numbers; the rows' schemas check that they are safe integers.
 */
function numbersForBigints(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}

/** Connections are opened as they are needed, the first one by the first statement. */
export function createQueries(config: PoolConfig): Queries {
  const sockets = createSockets();
  const pool = new Pool({ ...config, types: numbersForBigints(), stream: sockets.make });
  // The server ended an idle connection, which the pool has removed. The next statement opens another one.
  pool.on('error', () => {});
  /** Incremented when a connection is lost: idle ones may be lost too, unnoticed. */
  let age = 0;
  const ages = new WeakMap<PoolClient, number>();
  pool.on('connect', (client) => {
    ages.set(client, age);
    // While the connection is in use, the statement rejects too. Without a listener, the event would end the process.
    client.on('error', () => {});
  });

  async function acquire(): Promise<PoolClient> {
    try {
      const client = await pool.connect();
      if (ages.get(client) === age) return client;
      client.release(true);
    } catch (error) {
      throw unavailableOr(error);
    }
    return acquire();
  }

  async function run(statement: Statement, values: unknown[], repeats: number): Promise<QueryResult> {
    const client = await acquire();
    try {
      const result = await client.query({ ...statement, values });
      client.release();
      return result;
    } catch (error) {
      const reason = unavailableReasonOf(error);
      // Not used again: a response may still arrive on it, or its server is read-only now.
      client.release(reason !== undefined);
      if (reason === 'unreachable' && ages.get(client) === age) age += 1;
      if (reason === 'unreachable' && repeats > 0) return run(statement, values, repeats - 1);
      throw unavailableOr(error);
    }
  }

  let closing: Promise<void> | undefined;
  return {
    read: (statement, values = []) => run(statement, values, 1),
    write: (statement, values = []) => run(statement, values, 0),
    close: () => (closing ??= pool.end().finally(sockets.unref)),
  };
}
