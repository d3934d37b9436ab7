import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { openPostgres } from '../../../../main/service/stores/postgres/open-postgres.ts';
import { describeWhere } from '../../../support/describe-where.ts';
import {
  adaRow,
  freshDatabase,
  freshRole,
  listenOnLoopback,
  missingServer,
  openStore,
  realServer,
  sql,
  times,
  urlWith,
} from './databases.ts';

const schemas = "SELECT nspname FROM pg_namespace WHERE nspname = 'llavero'";

describeWhere(missingServer, 'opening', () => {
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
    const http = await listenOnLoopback(createHttpServer((_request, reply) => reply.end()));
    const ending = await listenOnLoopback(createServer((socket) => socket.end()));
    const silent = await listenOnLoopback(createServer((socket) => void socket.on('error', () => {})));
    const other = await listenOnLoopback(
      createServer((socket) => void socket.on('error', () => {}).write(Buffer.from('x\0\0\0\u0004'))),
    );
    const gone = createServer();
    const closed = await listenOnLoopback(gone);
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

  it('is refused to a user without the right to create the schema, or to use that of another one', async () => {
    const url = await freshDatabase();
    const role = await freshRole(url);
    const name = new URL(url).pathname.slice(1);
    const tooFew = {
      ok: false,
      kind: 'forbidden',
      message: `The user has too few rights in the database "${name}": it must own the schema "llavero", or be allowed to create it.`,
    };
    expect(await openPostgres(role.url)).toEqual(tooFew);
    expect(await sql(url, schemas)).toEqual([]);

    await (await openStore(url)).accounts.close();
    expect(await openPostgres(role.url)).toEqual(tooFew);
  });

  it('takes an empty schema that was made for its user', async () => {
    const url = await freshDatabase();
    const role = await freshRole(url);
    await sql(url, `CREATE SCHEMA llavero AUTHORIZATION ${role.name}`);
    expect(await (await openStore(role.url)).accounts.createAccount(adaRow)).toMatchObject({ ok: true });
  });

  it('takes no function of somebody else in the schema "public" for one of PostgreSQL', async () => {
    const url = await freshDatabase();
    const role = await freshRole(url);
    // PostgreSQL's own take any array: these fit better.
    await sql(
      url,
      `GRANT ALL ON DATABASE ${new URL(url).pathname.slice(1)} TO ${role.name};
       ALTER ROLE ${role.name} SET search_path = public, pg_catalog;
       CREATE FUNCTION public.cardinality(bigint[]) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE 'caught'; END $$`,
    );
    const { rateLimitStore } = await openStore(role.url);
    const limit = { most: 1, windowSeconds: 60 };
    expect(await rateLimitStore.consume('a', limit)).toMatchObject({ granted: true });
    expect(await rateLimitStore.consume('a', limit)).toMatchObject({ granted: false });
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

describeWhere(missingServer, 'the tables', () => {
  it('are made by one of many instances that start at once', async () => {
    const url = await freshDatabase();
    const opened = await Promise.all(times(8, () => openStore(url)));
    const made = await Promise.all(opened.map(({ accounts }) => accounts.createAccount(adaRow)));
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await sql(url, 'SELECT version FROM llavero.schema_version')).toEqual([{ version: 2 }]);
  });
});
