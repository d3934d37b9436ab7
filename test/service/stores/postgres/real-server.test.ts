import { connect as connectSocket, createServer } from 'node:net';
import type { Client } from 'pg';
import { expect, it } from 'vitest';
import type { AccountStore } from '../../../../main/service/stores/account-store.ts';
import { behavesLikeAnAccountStore } from '../account-store-behaviour.ts';
import { behavesLikeAnAttemptStore } from '../rate-limit-store-behaviour.ts';
import { describeWhere } from '../../../support/describe-where.ts';
import {
  adaRow,
  connect,
  freshDatabase,
  freshRole,
  listenOnLoopback,
  missingServer,
  openAttempts,
  openStore,
  sql,
  times,
} from './databases.ts';

/** Waits until the store has a statement that waits for a lock, and does something to its connection. */
async function whenWaiting(client: Client, act: 'pg_terminate_backend' | 'pg_cancel_backend'): Promise<void> {
  const waiting = `SELECT ${act}(pid) FROM pg_stat_activity
                   WHERE application_name = 'llavero' AND wait_event_type = 'Lock' AND datname = current_database()`;
  while ((await client.query(waiting)).rowCount === 0);
}

/** Ends every connection of the stores on a database, and waits until they are gone. */
async function endConnections(client: Client): Promise<void> {
  const open = `FROM pg_stat_activity WHERE application_name = 'llavero' AND datname = current_database()`;
  await client.query(`SELECT pg_terminate_backend(pid) ${open}`);
  while ((await client.query(`SELECT 1 ${open}`)).rowCount! > 0);
}

/** Starts a front before the server of a URL. `cut` ends each connection, as its client learns when it uses it. */
async function startFront(url: string): Promise<{ url: string; cut: () => void }> {
  const { hostname, port } = new URL(url);
  const cuts: (() => void)[] = [];
  const server = createServer((socket) => {
    const onward = connectSocket(Number(port), hostname).on('error', () => socket.destroy());
    let isCut = false;
    cuts.push(() => (isCut = true));
    socket.on('data', (data) => (isCut ? socket.destroy() : onward.write(data)));
    socket.on('error', () => {}).on('close', () => onward.destroy());
    onward.on('data', (data) => socket.write(data));
  });
  const front = new URL(url);
  front.hostname = '127.0.0.1';
  front.port = String(await listenOnLoopback(server));
  return { url: front.href, cut: () => cuts.forEach((cut) => cut()) };
}

describeWhere(missingServer, 'the PostgreSQL store on a real server', () => {
  behavesLikeAnAccountStore(async () => (await openStore(await freshDatabase())).accounts);

  it('opens no more connections than it may, under its own name', async () => {
    const url = await freshDatabase();
    const { accounts } = await openStore(url, 3);
    await Promise.all(times(100, (index) => accounts.findSession(index)));
    expect(
      await sql(
        url,
        "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'llavero'" +
          ' AND datname = current_database()',
      ),
    ).toEqual([{ count: 3 }]);
  });

  it('writes nothing to find a session', async () => {
    const url = await freshDatabase();
    const first = await openStore(url);
    const made = await first.accounts.createAccount(adaRow);
    if (!made.ok) throw new Error(made.kind);
    const token = { accountId: made.account.id, secretDigest: new Uint8Array(32), createdAtMs: 1, expiresAtMs: 2 };
    const id = await first.accounts.createToken(token);
    await sql(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
    await endConnections(await connect(url));
    expect(await first.accounts.findSession(id)).toMatchObject({ account: made.account });
  });
});

describeWhere(missingServer, 'the count of attempts on a real server', () => {
  behavesLikeAnAttemptStore(async () => openAttempts(await freshDatabase()));

  it('grants no more than the limit of fifty at once over two instances, by the clock of the server', async () => {
    const url = await freshDatabase();
    const [one, two] = [await openStore(url), await openStore(url)];
    const limit = { most: 5, windowSeconds: 60 };
    const taken = await Promise.all(times(50, (index) => (index % 2 ? one : two).rateLimitStore.consume('a', limit)));
    const granted = taken.filter((attempt) => attempt.granted);
    expect(granted).toHaveLength(5);
    const waits = taken.flatMap((attempt) => (attempt.granted ? [] : [attempt.retryAfterSeconds]));
    expect(waits.filter((seconds) => seconds < 50 || seconds > 60)).toEqual([]);

    await Promise.all(granted.map((attempt) => attempt.giveBack()));
    const again = await Promise.all(times(50, (index) => (index % 2 ? one : two).rateLimitStore.consume('a', limit)));
    expect(again.filter((attempt) => attempt.granted)).toHaveLength(5);
  });

  it('is swept by several instances at once while others count', async () => {
    const url = await freshDatabase();
    const { attempts, setClock, size } = await openAttempts(url);
    await Promise.all(times(200, (index) => attempts.consume(`key ${index}`, { most: 1, windowSeconds: 60 })));
    await setClock(60_000);
    await Promise.all([
      ...times(5, () => attempts.sweep()),
      ...times(100, (index) => attempts.consume(`key ${index}`, { most: 1, windowSeconds: 60 })),
    ]);
    await attempts.sweep();
    expect(await size()).toBe(100);
  });
});

describeWhere(missingServer, 'a connection that is lost', () => {
  async function lockedStore(): Promise<{ accounts: AccountStore; id: number; client: Client }> {
    const url = await freshDatabase();
    const { accounts } = await openStore(url);
    const made = await accounts.createAccount(adaRow);
    if (!made.ok) throw new Error(made.kind);
    const client = await connect(url);
    await client.query('BEGIN; LOCK TABLE llavero.accounts IN ACCESS EXCLUSIVE MODE');
    return { accounts, id: made.account.id, client };
  }
  const unavailable = (reason: string) => expect.objectContaining({ code: 'LLAVERO_STORE_UNAVAILABLE', reason });

  it('at rest is replaced by the next request, reading or writing', async () => {
    const url = await freshDatabase();
    const { accounts } = await openStore(url);
    const client = await connect(url);
    await Promise.all(times(10, (index) => accounts.findSession(index)));
    await endConnections(client);
    await Promise.all(times(10, (index) => accounts.findSession(index)));
    await endConnections(client);
    // The first dead connection that is met takes the others along. A write that went into it would be told so.
    await accounts.ping();
    expect(await accounts.createAccount(adaRow)).toMatchObject({ ok: true });
  });

  it('takes the others at rest along, of which nobody has learned that they are lost', async () => {
    const front = await startFront(await freshDatabase());
    const { accounts } = await openStore(front.url);
    await Promise.all(times(10, (index) => accounts.findSession(index)));
    front.cut();
    await accounts.ping();
    expect(await accounts.createAccount(adaRow)).toMatchObject({ ok: true });
  });

  it('while reading is replaced, and the reading repeated', async () => {
    const { accounts, client } = await lockedStore();
    const found = accounts.findLogin(adaRow.emailKey);
    await whenWaiting(client, 'pg_terminate_backend');
    await client.query('ROLLBACK');
    expect(await found).toMatchObject({ passwordHash: 'x' });
  });

  it('while writing is said, and the writing is not repeated', async () => {
    const { accounts, id, client } = await lockedStore();
    const replaced = Promise.allSettled([accounts.replacePasswordHash(id, 'x', 'y')]);
    await whenWaiting(client, 'pg_terminate_backend');
    await client.query('ROLLBACK');
    expect(await replaced).toEqual([{ status: 'rejected', reason: unavailable('unreachable') }]);
    expect(await accounts.findLogin(adaRow.emailKey)).toMatchObject({ passwordHash: 'x' });
  });

  it('is told from a statement that took too long', async () => {
    const { accounts, client } = await lockedStore();
    const found = Promise.allSettled([accounts.findLogin(adaRow.emailKey)]);
    await whenWaiting(client, 'pg_cancel_backend');
    expect(await found).toEqual([{ status: 'rejected', reason: unavailable('failing') }]);
    await client.query('ROLLBACK');
    expect(await accounts.findLogin(adaRow.emailKey)).toBeDefined();
  });

  it.each([
    ['default_transaction_read_only = on', 'read-only'],
    ["lock_timeout = '1ms'", 'locked'],
    ['CONNECTION LIMIT 0', 'unreachable'],
  ])('is replaced by one that says why the server cannot write: %s', async (setting, reason) => {
    const url = await freshDatabase();
    const role = await freshRole(url);
    await sql(url, `GRANT ALL ON DATABASE ${new URL(url).pathname.slice(1)} TO ${role.name}`);
    const { accounts } = await openStore(role.url);
    const client = await connect(url);
    await sql(url, `ALTER ROLE ${role.name} ${setting.startsWith('CONN') ? '' : 'SET '}${setting}`);
    await endConnections(client);
    if (setting.startsWith('lock')) await client.query('BEGIN; LOCK TABLE llavero.accounts IN SHARE MODE');
    await expect(accounts.createAccount(adaRow)).rejects.toEqual(unavailable(reason));
    await client.query('ROLLBACK');
    await sql(url, `ALTER ROLE ${role.name} ${setting.startsWith('CONN') ? 'CONNECTION LIMIT -1' : 'RESET ALL'}`);
    await endConnections(client);
    expect(await accounts.createAccount(adaRow)).toMatchObject({ ok: true });
  });
});
