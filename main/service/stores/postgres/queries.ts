import { Pool, TypeOverrides, types, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { createStoreUnavailableError } from '../account-store.ts';
import { unavailableReasonOf } from './postgres-errors.ts';
import { createSockets } from './sockets.ts';

/** A statement that each connection prepares once, under its name. */
export type Statement = { name: string; text: string };

/** Runs statements on a pool. Where the database cannot do it now, calls reject with a `storeUnavailable`. */
export type Queries = {
  /** Runs what changes nothing, once more when the connection is lost, as by a restart of the server. */
  read(statement: Statement, values?: unknown[]): Promise<QueryResult>;
  /** Runs a statement once. When the connection is lost, it may have happened or not, and the caller is told so. */
  write(statement: Statement, values?: unknown[]): Promise<QueryResult>;
  /** Ends the connections once they are at rest; a second time does nothing. */
  close(): Promise<void>;
};

const unavailableOr = (error: unknown): unknown => {
  const reason = unavailableReasonOf(error);
  return reason === undefined ? error : createStoreUnavailableError(reason, error);
};

/**
 * Reads ids and instants as numbers. They are `bigint`, which the driver gives as text; ours are safe integers, as the
 * rows' schemas check.
 */
function numbersForBigints(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}

/** Opens connections as they are needed, the first one by the first statement. */
export function createQueries(config: PoolConfig): Queries {
  const sockets = createSockets();
  const pool = new Pool({ ...config, types: numbersForBigints(), stream: sockets.make });
  // The server has ended an idle connection. The pool has let go of it, and the next statement opens another one.
  pool.on('error', () => {});
  /** Goes up when a connection turns out to be lost: those at rest may be lost too, without a sign. */
  let age = 0;
  const ages = new WeakMap<PoolClient, number>();
  pool.on('connect', (client) => {
    ages.set(client, age);
    // It may come while the connection is in use, where the statement rejects. Without a listener, the event would end
    // the process.
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
      // A connection in doubt is not used again: an answer may still come on it, or it leads to a server now read-only.
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
