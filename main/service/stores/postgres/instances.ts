import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientBase, type ClientConfig } from 'pg';
import { storeUnavailable } from '../account-store.ts';
import type { Alone } from '../alone.ts';
import { readUnavailable } from './failures.ts';
import { createSockets } from './sockets.ts';

/**
 * The number of the lock by which instances know of each other, in each database: every instance shares it, and one
 * whose clock can be moved takes it alone (https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS).
 */
const INSTANCES = 0x4c4c_4157;

const MOST_GOODBYE_MS = 1000;

const SHARE = 'SELECT pg_try_advisory_lock_shared($1) AS has';
const TAKE = 'SELECT pg_try_advisory_lock($1) AS has';

/**
 * Shows on a connection, for as long as it is open, that an instance uses the database.
 * @returns false while one that wants it alone has it. A server that knows no such locks has no such instance either.
 */
export async function showInstance(client: ClientBase): Promise<boolean> {
  try {
    return (await client.query<{ has: boolean }>(SHARE, [INSTANCES])).rows[0]?.has ?? true;
  } catch {
    // What is wrong with the connection, the next statement on it says.
    return true;
  }
}

/** Keeps other instances away, by a connection of its own. */
export function createPostgresAlone(config: ClientConfig): Alone & { close(): Promise<void> } {
  let held: { client: Client; unref: () => void } | undefined;
  let tellLost = (): void => undefined;

  async function release(): Promise<void> {
    const before = held;
    held = undefined;
    if (!before) return;
    // A server that no longer answers is not waited for.
    await Promise.race([before.client.end().catch(() => undefined), delay(MOST_GOODBYE_MS, undefined, { ref: false })]);
    before.unref();
  }

  async function claim(): Promise<boolean> {
    if (held) return true;
    const sockets = createSockets();
    const client = new Client({ ...config, stream: sockets.make });
    const isOver = (): void => {
      if (held?.client !== client) return;
      held = undefined;
      sockets.unref();
      tellLost();
    };
    client.on('error', isOver).on('end', isOver);
    try {
      await client.connect();
      const has = (await client.query<{ has: boolean }>(TAKE, [INSTANCES])).rows[0]?.has === true;
      if (has) held = { client, unref: sockets.unref };
      else await client.end();
      return has;
    } catch (error) {
      client.end().catch(() => undefined);
      sockets.unref();
      // Nobody knows then whether another instance is there.
      const reason = readUnavailable(error);
      throw reason === undefined ? error : storeUnavailable(reason, error);
    }
  }

  return { claim, release, close: release, onLost: (listener) => void (tellLost = listener) };
}
