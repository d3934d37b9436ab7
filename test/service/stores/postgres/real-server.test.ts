import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect as connectTo, createServer, type AddressInfo, type Server } from 'node:net';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AccountStore } from '../../../../main/service/stores/account-store.ts';
import { migrate, migrations } from '../../../../main/service/stores/postgres/migrations.ts';
import { openPostgres } from '../../../../main/service/stores/postgres/open-postgres.ts';
import { behavesLikeAnAccountStore } from '../account-store-behaviour.ts';
import { behavesLikeAnAttemptStore } from '../attempt-store-behaviour.ts';
import { freshDatabase, freshRole, openAttempts, openStore, realServer, sql, urlWith } from './databases.ts';

vi.setConfig({ testTimeout: 30_000 });

const ada = { name: 'Ada', email: 'a@b', emailKey: 'a@b', passwordHash: 'x', createdAtMs: 1 };
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const schemas = "SELECT nspname FROM pg_namespace WHERE nspname = 'llavero'";

/** A connection of the test's own, to hold a lock or to end others. */
async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

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

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Stands before the server of a URL; `cut` ends each connection there is, which its client learns when it next uses it. */
async function startFront(url: string): Promise<{ url: string; cut: () => void }> {
  const { hostname, port } = new URL(url);
  const cuts: (() => void)[] = [];
  const server = createServer((socket) => {
    const onward = connectTo(Number(port), hostname).on('error', () => socket.destroy());
    let isCut = false;
    cuts.push(() => (isCut = true));
    socket.on('data', (data) => (isCut ? socket.destroy() : onward.write(data)));
    socket.on('error', () => {}).on('close', () => onward.destroy());
    onward.on('data', (data) => socket.write(data));
  });
  const front = new URL(url);
  front.hostname = '127.0.0.1';
  front.port = String(await listen(server));
  return { url: front.href, cut: () => cuts.forEach((cut) => cut()) };
}

describe.skipIf(!realServer)('the PostgreSQL store on a real server', () => {
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
    const made = await first.accounts.createAccount(ada);
    if (!made.ok) throw new Error(made.kind);
    const token = { accountId: made.account.id, secretDigest: new Uint8Array(32), createdAtMs: 1, expiresAtMs: 2 };
    const id = await first.accounts.createToken(token);
    await sql(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
    await endConnections(await connect(url));
    expect(await first.accounts.findSession(id)).toMatchObject({ account: made.account });
  });
});

describe.skipIf(!realServer)('the count of attempts on a real server', () => {
  behavesLikeAnAttemptStore(async () => openAttempts(await freshDatabase()));

  it('grants no more than the limit of fifty at once over two instances, by the clock of the server', async () => {
    const url = await freshDatabase();
    const [one, two] = [await openStore(url), await openStore(url)];
    const limit = { most: 5, windowSeconds: 60 };
    const taken = await Promise.all(times(50, (index) => (index % 2 ? one : two).attempts.take('a', limit)));
    const granted = taken.filter((attempt) => attempt.granted);
    expect(granted).toHaveLength(5);
    const waits = taken.flatMap((attempt) => (attempt.granted ? [] : [attempt.retryAfterSeconds]));
    expect(waits.filter((seconds) => seconds < 50 || seconds > 60)).toEqual([]);

    await Promise.all(granted.map((attempt) => attempt.giveBack()));
    const again = await Promise.all(times(50, (index) => (index % 2 ? one : two).attempts.take('a', limit)));
    expect(again.filter((attempt) => attempt.granted)).toHaveLength(5);
  });

  it('is swept by several instances at once while others count', async () => {
    const url = await freshDatabase();
    const { attempts, setClock, size } = await openAttempts(url);
    await Promise.all(times(200, (index) => attempts.take(`key ${index}`, { most: 1, windowSeconds: 60 })));
    await setClock(60_000);
    await Promise.all([
      ...times(5, () => attempts.sweep()),
      ...times(100, (index) => attempts.take(`key ${index}`, { most: 1, windowSeconds: 60 })),
    ]);
    await attempts.sweep();
    expect(await size()).toBe(100);
  });
});

describe.skipIf(!realServer)('opening', () => {
  it('is refused in one sentence by a server that has no such user, password or database, and nothing changes', async () => {
    const url = await freshDatabase();
    const at = `127.0.0.1:${new URL(url).port}`;
    for (const [wrong, kind, message] of [
      [
        urlWith(url, { password: 'guessed-one' }),
        'login-refused',
        `The server at ${at} refuses the login: password authentication failed for user "postgres".`,
      ],
      [
        urlWith(url, { username: 'nobody', password: 'guessed-one' }),
        'login-refused',
        `The server at ${at} refuses the login: password authentication failed for user "nobody".`,
      ],
      [
        urlWith(url, { password: '' }),
        'login-refused',
        `The server at ${at} refuses the login: it asks for a password.`,
      ],
      [urlWith(url, { pathname: '/none' }), 'database-missing', `The server at ${at} has no database "none".`],
      [
        urlWith(url, { search: 'sslmode=require' }),
        'tls-refused',
        `The server at ${at} does not give the TLS of sslmode=require: it has no TLS.`,
      ],
      [
        urlWith(url, { search: 'sslmode=verify-full&sslrootcert=/none.pem' }),
        'tls-refused',
        'The file of sslrootcert cannot be read: /none.pem.',
      ],
    ] as const) {
      expect(await openPostgres(wrong)).toEqual({ ok: false, kind, message });
    }
    expect(await sql(url, schemas)).toEqual([]);
  });

  it('is refused where there is no server, another one, or one that says nothing', async () => {
    const http = await listen(createHttpServer((_request, reply) => reply.end()));
    const ending = await listen(createServer((socket) => socket.end()));
    const silent = await listen(createServer((socket) => void socket.on('error', () => {})));
    const other = await listen(
      createServer((socket) => void socket.on('error', () => {}).write(Buffer.from('x\0\0\0\u0004'))),
    );
    const gone = createServer();
    const closed = await listen(gone);
    await new Promise((settle) => gone.close(settle));
    const opened = (port: number) => openPostgres(`postgres://ada:guessed-one@127.0.0.1:${port}/a`);
    const results = await Promise.all([closed, http, ending, silent, other].map(opened));
    expect(results).toEqual(
      [
        [closed, 'ECONNREFUSED'],
        [http, 'it does not answer'],
        [ending, 'it does not answer'],
        [silent, 'it does not answer'],
        [other, 'it is no PostgreSQL'],
      ].map(([port, cause]) => ({
        ok: false,
        kind: 'unreachable',
        message: `No PostgreSQL can be reached at 127.0.0.1:${port}: ${cause}.`,
      })),
    );
    expect(await openPostgres('postgres://ada@llavero.invalid/a?sslmode=disable')).toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/at llavero\.invalid:5432: (ENOTFOUND|EAI_AGAIN)\.$/),
    });
  });

  it('is refused to a user without the right to create the schema, and then to use its tables', async () => {
    const url = await freshDatabase();
    const role = await freshRole(url);
    const name = new URL(url).pathname.slice(1);
    const tooFew = {
      ok: false,
      kind: 'forbidden',
      message: `The user has too few rights in the database "${name}": it must be allowed to create the schema "llavero", or to use the tables there.`,
    };
    expect(await openPostgres(role.url)).toEqual(tooFew);
    expect(await sql(url, schemas)).toEqual([]);

    await (await openStore(url)).accounts.close();
    expect(await openPostgres(role.url)).toEqual(tooFew);
    await sql(
      url,
      `GRANT USAGE ON SCHEMA llavero TO ${role.name};
                    GRANT SELECT ON ALL TABLES IN SCHEMA llavero TO ${role.name}`,
    );
    expect(await openPostgres(role.url)).toEqual(tooFew);

    await sql(
      url,
      `GRANT INSERT, UPDATE, DELETE ON llavero.accounts, llavero.tokens, llavero.attempts TO ${role.name}`,
    );
    const { accounts, attempts } = await openStore(role.url);
    expect(await accounts.createAccount(ada)).toMatchObject({ ok: true });
    expect(await attempts.take('a', { most: 1, windowSeconds: 1 })).toMatchObject({ granted: true });
  });

  it('takes an empty schema that was made for its user', async () => {
    const url = await freshDatabase();
    const role = await freshRole(url);
    await sql(url, `CREATE SCHEMA llavero AUTHORIZATION ${role.name}`);
    expect(await (await openStore(role.url)).accounts.createAccount(ada)).toMatchObject({ ok: true });
  });

  it('is refused by a database that is read-only, has no UTF-8, or no connection left', async () => {
    const readOnly = await freshDatabase();
    await sql(readOnly, `ALTER DATABASE ${new URL(readOnly).pathname.slice(1)} SET default_transaction_read_only = on`);
    expect(await openPostgres(readOnly)).toMatchObject({ ok: false, kind: 'read-only' });
    expect(await sql(readOnly, schemas)).toEqual([]);

    const ascii = await freshDatabase(realServer, "ENCODING 'SQL_ASCII' TEMPLATE template0");
    expect(await openPostgres(ascii)).toMatchObject({ ok: false, kind: 'wrong-encoding' });
    expect(await sql(ascii, schemas)).toEqual([]);

    const role = await freshRole(ascii);
    await sql(ascii, `ALTER ROLE ${role.name} CONNECTION LIMIT 0`);
    expect(await openPostgres(role.url)).toMatchObject({
      ok: false,
      kind: 'busy',
      message: expect.stringMatching(/is too busy: too many connections for role "\w+"\.$/),
    });
  });
});

describe.skipIf(!realServer)('migrations', () => {
  it('are made by one of many instances that start at once', async () => {
    const url = await freshDatabase();
    const opened = await Promise.all(times(8, () => openStore(url)));
    const made = await Promise.all(opened.map(({ accounts }) => accounts.createAccount(ada)));
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await sql(url, 'SELECT version FROM llavero.llavero_migrations')).toEqual([{ version: 1 }]);
  });

  it('go on from the version that is there, wholly or not at all', async () => {
    const url = await freshDatabase();
    const { accounts } = await openStore(url);
    await accounts.createAccount(ada);
    const client = await connect(url);
    const step = 'ALTER TABLE llavero.accounts ADD COLUMN nickname text';
    const columns = "SELECT 1 FROM information_schema.columns WHERE column_name = 'nickname'";

    await expect(migrate(client, [...migrations, step, 'SELECT nonsense'])).rejects.toThrow(/nonsense/);
    expect(await sql(url, columns)).toEqual([]);
    expect(await migrate(client, [...migrations, step])).toEqual({ ok: true });
    expect(await migrate(client, [...migrations, step])).toEqual({ ok: true });
    expect(await sql(url, columns)).toHaveLength(1);
    // The older program goes on with what it has open, and is told at its next start.
    expect(await accounts.findLogin(ada.emailKey)).toBeDefined();
    expect(await openPostgres(url)).toMatchObject({ ok: false, kind: 'newer' });
  });
});

describe.skipIf(!realServer)('a connection that is lost', () => {
  async function lockedStore(): Promise<{ accounts: AccountStore; id: number; client: Client }> {
    const url = await freshDatabase();
    const { accounts } = await openStore(url);
    const made = await accounts.createAccount(ada);
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
    // The first that is met dead takes the others along; a write that went into it would be told so.
    await accounts.ping();
    expect(await accounts.createAccount(ada)).toMatchObject({ ok: true });
  });

  it('takes the others at rest along, of which nobody has learned that they are lost', async () => {
    const front = await startFront(await freshDatabase());
    const { accounts } = await openStore(front.url);
    await Promise.all(times(10, (index) => accounts.findSession(index)));
    front.cut();
    await accounts.ping();
    expect(await accounts.createAccount(ada)).toMatchObject({ ok: true });
  });

  it('while reading is replaced, and the reading repeated', async () => {
    const { accounts, client } = await lockedStore();
    const found = accounts.findLogin(ada.emailKey);
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
    expect(await accounts.findLogin(ada.emailKey)).toMatchObject({ passwordHash: 'x' });
  });

  it('is not needed to be told that a statement took too long', async () => {
    const { accounts, client } = await lockedStore();
    const found = Promise.allSettled([accounts.findLogin(ada.emailKey)]);
    await whenWaiting(client, 'pg_cancel_backend');
    expect(await found).toEqual([{ status: 'rejected', reason: unavailable('failing') }]);
    await client.query('ROLLBACK');
    expect(await accounts.findLogin(ada.emailKey)).toBeDefined();
  });

  it.each([
    ['default_transaction_read_only = on', 'read-only'],
    ["lock_timeout = '1ms'", 'locked'],
    ['CONNECTION LIMIT 0', 'unreachable'],
  ])('leads to a server that says why it cannot write: %s', async (setting, reason) => {
    const url = await freshDatabase();
    const role = await freshRole(url);
    await sql(url, `GRANT ALL ON DATABASE ${new URL(url).pathname.slice(1)} TO ${role.name}`);
    const { accounts } = await openStore(role.url);
    const client = await connect(url);
    await sql(url, `ALTER ROLE ${role.name} ${setting.startsWith('CONN') ? '' : 'SET '}${setting}`);
    await endConnections(client);
    if (setting.startsWith('lock')) await client.query('BEGIN; LOCK TABLE llavero.accounts IN SHARE MODE');
    await expect(accounts.createAccount(ada)).rejects.toEqual(unavailable(reason));
    await client.query('ROLLBACK');
    await sql(url, `ALTER ROLE ${role.name} ${setting.startsWith('CONN') ? 'CONNECTION LIMIT -1' : 'RESET ALL'}`);
    await endConnections(client);
    expect(await accounts.createAccount(ada)).toMatchObject({ ok: true });
  });
});
