import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGoTrueLike } from '../../support/described-servers.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import type { Main } from '../../support/make-main.ts';
import { fileOf, openAndTake } from '../../support/servers-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { anaForm, entered, registerAna, defaultConnection, withPerson } from '../../support/with-person.ts';

const staging = { name: 'staging', address: 'https://staging.example.test' };
const described = { name: 'Ours', calls: { login: { path: '/in' }, profile: { path: '/me' } } };
const gate = { 'X-Gate': 'LLAVERO_GATE' };

/** The application of a person who opens a file of these servers and takes it over. */
async function withFile(...servers: object[]) {
  const person = await withPerson({});
  person.file.chosen = path.join(await makeTemporaryFolder(), 'llavero.servers.json');
  const write = (...others: object[]) => writeFile(person.file.chosen, fileOf(...others));
  await write(...servers);
  await openAndTake(person.main);
  return { ...person, write };
}

const listed = ({ config }: Main) => config.get().servers.slice(1);
const named = (main: Main, name: string) => listed(main).find((each) => each.name === name)!;

/** What the file says now, once it was read again. */
async function readAgain({ servers }: Main) {
  const [reading] = ((await servers.files.reload()) as { value: { key: string }[] }).value;
  return reading as Extract<NonNullable<Awaited<ReturnType<typeof openAndTake>>['reading']>, { readable: true }>;
}

describe('servers of a file', () => {
  it('are there, each as of the file, once a person took them over, and not before', async () => {
    const { main, write } = await withFile();
    await write(
      { ...staging, colour: 'amber', interface: described, headers: gate },
      { ...staging, name: 'live', production: true },
    );
    const opened = await main.servers.files.open();
    expect(opened).toMatchObject({
      value: {
        reading: {
          added: [
            {
              name: 'staging',
              address: staging.address,
              colour: 'amber',
              interface: 'Ours (POST /in)',
              headers: ['X-Gate'],
            },
            { name: 'live', production: true },
          ],
        },
      },
    });
    expect(listed(main)).toEqual([]);
    await openAndTake(main);
    expect(named(main, 'staging')).toMatchObject({
      baseUrl: staging.address,
      colour: 'amber',
      extraHeaders: [{ name: 'X-Gate', isSet: false }],
      interface: { name: 'Ours' },
      file: { name: 'staging' },
      agreed: [],
    });
    expect(named(main, 'live').production).toBe(true);
    expect(main.state.get().servers[1]?.file?.name).toBe('staging');
  });

  it('read nothing of the environment: what is asked for has no value, and no call goes out without it', async () => {
    const server = await startGoTrueLike();
    process.env['LLAVERO_KEY'] = 'anon-key-of-the-project';
    const { main } = await withFile({
      name: 'gotrue',
      address: server.baseUrl,
      interface: 'supabase-gotrue',
      variables: { apikey: 'LLAVERO_KEY' },
      headers: { 'X-Gate': 'LLAVERO_KEY' },
    });
    delete process.env['LLAVERO_KEY'];
    const { id } = named(main, 'gotrue');
    await main.servers.choose({ id });
    expect(await main.session.logins.login(anaForm)).toMatchObject({ error: { problem: 'header-value-missing' } });
    expect(server.requests).toEqual([]);
    const enteredInterface = { variables: [{ name: 'apikey', value: 'anon-key-of-the-project' }] };
    const headers = [{ name: 'X-Gate', value: 'x' }];
    await main.servers.edit({
      ...entered(main, id, { enteredConnection: { ...defaultConnection, headers } }),
      id,
      enteredInterface,
    });
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
  });

  it('whose interface wants a value that is no secret are asked about it before anything is sent', async () => {
    const { main, asked } = await withFile({
      ...staging,
      interface: 'keycloak',
      variables: { realm: 'LLAVERO_REALM' },
    });
    const { id } = named(main, 'staging');
    await main.servers.choose({ id });
    expect(await main.session.logins.login(anaForm)).toMatchObject({
      error: { kind: 'invalid-interface', faults: [{ problem: 'missing', name: 'realm' }] },
    });
    expect(asked.filter(({ kind }) => kind !== 'new-origin')).toEqual([]);
  });
});

describe('a file of servers that was changed', () => {
  it('is shown with what was and what will be, and counts once it is taken over as it was shown', async () => {
    const { main, write } = await withFile({ ...staging, interface: described, headers: gate });
    const other = { ...described, calls: { ...described.calls, login: { path: '/other' } } };
    await write({
      ...staging,
      address: 'https://evil.example.test',
      interface: other,
      headers: { 'X-Other': 'LLAVERO_GATE' },
    });
    const before = JSON.stringify(listed(main));
    const reading = await readAgain(main);
    expect(reading.changed).toEqual([
      {
        id: expect.any(String),
        name: 'staging',
        sessions: 0,
        changes: [
          { what: 'address', from: staging.address, to: 'https://evil.example.test' },
          { what: 'interface', from: 'Ours (POST /in, GET /me)', to: 'Ours (POST /other, GET /me)' },
          { what: 'headers', from: 'X-Gate', to: 'X-Other' },
        ],
      },
    ]);
    expect(JSON.stringify(listed(main))).toBe(before);
    // What the file says by the time that somebody presses is not what they saw.
    await write({ ...staging, address: 'https://later.example.test' });
    expect(await main.servers.files.apply(reading.key)).toEqual({ ok: true, value: { ended: 0, pendingLogouts: 0 } });
    expect(named(main, 'staging')).toMatchObject({
      baseUrl: 'https://evil.example.test',
      extraHeaders: [{ name: 'X-Other', isSet: false }],
      interface: { calls: { login: 'POST /other' } },
    });
    expect(await main.servers.files.apply(reading.key)).toMatchObject({ error: { kind: 'not-now' } });
  });

  it('ends the sessions of a server that moves, after main’s own question, or leaves it as it is', async () => {
    const foreign = await startForeignServer();
    const { main, write, answers, kinds } = await withFile({ name: 'shop', address: foreign.baseUrl });
    await main.servers.choose({ id: named(main, 'shop').id });
    await registerAna(main);
    await write({ name: 'shop', address: 'http://127.0.0.9:1' });
    expect((await readAgain(main)).changed).toMatchObject([{ sessions: 1 }]);
    answers.connection = false;
    const refused = await readAgain(main);
    expect(await main.servers.files.apply(refused.key)).toMatchObject({ error: { kind: 'cancelled' } });
    expect(named(main, 'shop').baseUrl).toBe(foreign.baseUrl);
    expect(main.sessionStore.all()).toHaveLength(1);
    main.prompts.onUserActivation();
    answers.connection = true;
    expect(await main.servers.files.apply(refused.key)).toEqual({ ok: true, value: { ended: 1, pendingLogouts: 0 } });
    expect(kinds()).toEqual(['new-origin', 'connection', 'connection']);
    expect(main.sessionStore.all()).toEqual([]);
  });

  it('asks for the host of a production server before its sessions end, and changes nothing until then', async () => {
    const foreign = await startForeignServer();
    const { main, write } = await withFile(
      { name: 'a', address: 'http://127.0.0.8:1' },
      { name: 'shop', address: foreign.baseUrl },
    );
    const { id } = named(main, 'shop');
    await main.servers.choose({ id });
    await registerAna(main);
    await main.servers.edit({ ...entered(main, id, {}), id, production: true });
    await write({ name: 'a', address: 'http://127.0.0.7:1' }, { name: 'shop', address: 'http://127.0.0.9:1' });
    const { key } = await readAgain(main);
    expect(await main.servers.files.apply(key)).toMatchObject({
      error: { kind: 'production-not-confirmed', serverId: id },
    });
    expect(named(main, 'a').baseUrl).toBe('http://127.0.0.8:1');
    main.servers.production.confirm(id, new URL(foreign.baseUrl).host);
    expect(await main.servers.files.apply(key)).toMatchObject({ ok: true, value: { ended: 1 } });
    // The file does not say that it is no production server.
    expect(named(main, 'shop')).toMatchObject({ baseUrl: 'http://127.0.0.9:1', production: true });
  });

  it('leaves what it does not name, and a server that it names no more with its sessions', async () => {
    const foreign = await startForeignServer();
    const { main, write } = await withFile({ name: 'shop', address: foreign.baseUrl, colour: 'red', headers: {} });
    const { id } = named(main, 'shop');
    await main.servers.choose({ id });
    await registerAna(main);
    await main.servers.edit({ ...entered(main, id, {}), id, name: 'My shop', notes: 'mine', colour: 'pink' });
    await write({ name: 'shop', address: foreign.baseUrl });
    expect(await readAgain(main)).toMatchObject({ changed: [], same: 1 });
    await write();
    const reading = await readAgain(main);
    expect(reading).toMatchObject({ gone: [{ id, name: 'My shop' }], same: 0 });
    await main.servers.files.apply(reading.key);
    expect(named(main, 'My shop')).toMatchObject({ colour: 'pink', notes: 'mine' });
    expect(named(main, 'My shop')).not.toHaveProperty('file');
    expect(main.sessionStore.all()).toHaveLength(1);
    expect(await main.servers.files.reload()).toEqual({ ok: true, value: [] });
  });

  it('that cannot be read any more says so, and a server can be made the person’s own', async () => {
    const { main, file } = await withFile(staging);
    await rm(file.chosen);
    expect(await main.servers.files.reload()).toMatchObject({
      value: [{ readable: false, fault: { problem: 'unreadable', name: 'ENOENT' } }],
    });
    const { id } = named(main, 'staging');
    expect(main.servers.files.detach(id)).toMatchObject({ ok: true });
    expect(main.servers.files.detach(id)).toMatchObject({ ok: false });
    expect(named(main, 'staging').file).toBeUndefined();
  });

  it('is not taken over after a lock, and a copy of a server is no server of the file', async () => {
    const { main, write } = await withFile(staging);
    await main.servers.duplicate({ id: named(main, 'staging').id });
    expect(listed(main).map(({ file }) => file?.name)).toEqual(['staging', undefined]);
    await write({ ...staging, colour: 'red' });
    const { key } = await readAgain(main);
    main.lock.lock('by-hand');
    await main.lock.unlock(undefined);
    expect(await main.servers.files.apply(key)).toMatchObject({ error: { kind: 'not-now' } });
  });
});

it('an export has an interface by its name or as it is, with what was entered that is no secret, and no secret', async () => {
  const { main, file } = await withFile(
    { ...staging, interface: 'strapi' },
    { name: 'cloak', address: 'https://id.example.test', interface: 'keycloak', variables: { realm: 'LLAVERO_REALM' } },
    { name: 'go true!', address: 'https://go.example.test', interface: 'supabase-gotrue', headers: gate },
  );
  const { id } = named(main, 'cloak');
  const { variables } = main.state.get().servers.find((each) => each.id === id)!.interface;
  const values = variables.map(({ name, secret }) => ({
    name,
    value: secret ? 'sekret-of-the-client' : `value-of-${name}`,
  }));
  expect(
    await main.servers.edit({ ...entered(main, id, {}), id, enteredInterface: { variables: values } }),
  ).toMatchObject({ ok: true });
  await rm(file.chosen);
  await main.servers.files.export();
  const text = await readFile(file.chosen, 'utf8');
  expect(text).not.toContain('sekret-of-the-client');
  expect((JSON.parse(text) as { servers: unknown[] }).servers).toMatchObject([
    { name: 'staging', interface: 'strapi' },
    { name: 'cloak', interface: { variables: { realm: { default: 'value-of-realm' } } } },
    {
      name: 'go true!',
      interface: 'supabase-gotrue',
      variables: { apikey: 'LLAVERO_GO_TRUE_APIKEY' },
      headers: { 'X-Gate': 'LLAVERO_GO_TRUE_X_GATE' },
    },
  ]);
  // It says the same as is here, although it was written again.
  expect((await openAndTake(main)).reading).toMatchObject({
    readable: true,
    added: [],
    changed: [],
    gone: [],
    same: 3,
  });
});
