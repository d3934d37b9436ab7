import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStoredMockServer } from '../../../main/account/config/config.ts';
import { createMockServerId } from '../../../main/account/config/server-ids.ts';
import { startGoTrueLike } from '../../support/described-servers.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import type { Main } from '../../support/make-main.ts';
import { fileOf, importFile } from '../../support/servers-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { anaForm, entered, registerAna, defaultConnection, withPerson } from '../../support/with-person.ts';

const staging = { name: 'staging', address: 'https://staging.example.test' };
const described = { name: 'Ours', calls: { login: { path: '/in' }, profile: { path: '/me' } } };
const gate = { 'X-Gate': 'LLAVERO_GATE' };
const nothingLost = { sessions: 0, logouts: 0, headers: 0 };

/** The application of a user who has imported a file with these servers. */
async function withFile(...servers: object[]) {
  const person = await withPerson({});
  person.file.chosen = path.join(await makeTemporaryFolder(), 'llavero.servers.json');
  const write = (...others: object[]) => writeFile(person.file.chosen, fileOf(...others));
  await write(...servers);
  await importFile(person.main);
  person.asked.length = 0;
  return { ...person, write };
}

const listed = ({ config }: Main) => config.get().servers.slice(1);
const named = (main: Main, name: string) => listed(main).find((each) => each.name === name)!;

describe('servers of a file', () => {
  it('are added, each as in the file, once the user agreed to one question that names them', async () => {
    const { main, write, asked } = await withFile();
    await write(
      { ...staging, colour: 'amber', interface: described, headers: gate },
      { name: 'live', address: 'https://shop.example.test', production: true },
    );
    expect(await importFile(main)).toEqual({
      ok: true,
      value: { outcome: 'imported', added: 2, changed: 0, unchanged: 0, ended: 0, pendingLogouts: 0 },
    });
    expect(asked).toEqual([
      {
        kind: 'import-servers',
        file: 'llavero.servers.json',
        added: [staging, { name: 'live', address: 'https://shop.example.test' }],
        changed: [],
        proxies: [],
        unlisted: 0,
        ...nothingLost,
      },
    ]);
    expect(named(main, 'staging')).toMatchObject({
      baseUrl: staging.address,
      colour: 'amber',
      extraHeaders: [{ name: 'X-Gate', isSet: false }],
      interface: { name: 'Ours' },
      agreed: [],
    });
    expect(named(main, 'live').production).toBe(true);
  });

  it('are not added after a no, and a file that was not chosen asks nothing', async () => {
    const { main, write, answers, kinds, file } = await withFile();
    await write(staging);
    answers['import-servers'] = false;
    expect(await importFile(main)).toEqual({ ok: true, value: { outcome: 'cancelled' } });
    expect(listed(main)).toEqual([]);
    // Choosing a file again lifts the refusal.
    expect(await importFile(main)).toEqual({ ok: true, value: { outcome: 'cancelled' } });
    expect(kinds()).toEqual(['import-servers', 'import-servers']);
    file.chosen = '';
    expect(await importFile(main)).toEqual({ ok: true, value: { outcome: 'cancelled' } });
    expect(kinds()).toHaveLength(2);
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
    const { main, kinds } = await withFile({
      ...staging,
      interface: 'keycloak',
      variables: { realm: 'LLAVERO_REALM' },
    });
    const { id } = named(main, 'staging');
    await main.servers.choose({ id });
    expect(await main.session.logins.login(anaForm)).toMatchObject({
      error: { kind: 'invalid-interface', faults: [{ problem: 'missing', name: 'realm' }] },
    });
    expect(kinds().filter((kind) => kind !== 'new-origin')).toEqual([]);
  });
});

describe('a server of the same name', () => {
  it('is changed after the one question, which says what it is now and what it will be', async () => {
    const { main, write, asked } = await withFile({ ...staging, interface: described, headers: gate });
    const { id } = named(main, 'staging');
    const headers = [{ name: 'X-Gate', value: 'x' }];
    await main.servers.edit({ ...entered(main, id, { enteredConnection: { ...defaultConnection, headers } }), id });
    asked.length = 0;
    const other = { ...described, calls: { ...described.calls, login: { path: '/other' } } };
    const address = 'https://evil.example.test';
    await write({ ...staging, address, interface: other, headers: { 'X-Other': 'LLAVERO_GATE' } });
    expect(await importFile(main)).toMatchObject({ value: { added: 0, changed: 1, unchanged: 0, ended: 0 } });
    expect(asked).toMatchObject([
      {
        added: [],
        changed: [
          {
            name: 'staging',
            address,
            changes: [
              { what: 'address', from: staging.address, to: address },
              { what: 'interface', from: 'Ours (POST /in)', to: 'Ours (POST /other)' },
            ],
            losesProduction: false,
          },
        ],
        ...nothingLost,
        headers: 1,
      },
    ]);
    expect(listed(main)).toMatchObject([
      {
        id,
        baseUrl: address,
        extraHeaders: [{ name: 'X-Other', isSet: false }],
        interface: { calls: { login: 'POST /other' } },
        agreed: [],
      },
    ]);
  });

  it('ends its sessions if it moves, as the question says, and stays as it is after a no', async () => {
    const foreign = await startForeignServer();
    const { main, write, answers, asked, kinds } = await withFile({ name: 'shop', address: foreign.baseUrl });
    await main.servers.choose({ id: named(main, 'shop').id });
    await registerAna(main);
    await write({ name: 'shop', address: 'http://127.0.0.9:1' });
    answers['import-servers'] = false;
    expect(await importFile(main)).toEqual({ ok: true, value: { outcome: 'cancelled' } });
    expect(named(main, 'shop').baseUrl).toBe(foreign.baseUrl);
    expect(main.sessionStore.all()).toHaveLength(1);
    answers['import-servers'] = true;
    expect(await importFile(main)).toMatchObject({ value: { changed: 1, ended: 1, pendingLogouts: 0 } });
    expect(asked.at(-1)).toMatchObject({ ...nothingLost, sessions: 1 });
    expect(kinds()).toEqual(['new-origin', 'import-servers', 'import-servers']);
    expect(main.sessionStore.all()).toEqual([]);
  });

  it('of production that has sessions moves once its host was typed, of the same file, and nothing changes before', async () => {
    const foreign = await startForeignServer();
    const { main, write, file, kinds } = await withFile(
      { name: 'a', address: 'http://127.0.0.8:1' },
      { name: 'shop', address: foreign.baseUrl },
    );
    const { id } = named(main, 'shop');
    await main.servers.choose({ id });
    await registerAna(main);
    await main.servers.edit({ ...entered(main, id, {}), id, production: true });
    await write({ name: 'a', address: 'http://127.0.0.7:1' }, { name: 'shop', address: 'http://127.0.0.9:1' });
    expect(await importFile(main)).toMatchObject({ error: { kind: 'production-not-confirmed', serverId: id } });
    expect(kinds()).toEqual(['new-origin']);
    expect(named(main, 'a').baseUrl).toBe('http://127.0.0.8:1');
    main.servers.production.confirm(id, new URL(foreign.baseUrl).host);
    file.chosen = '';
    const again = () => main.servers.fileImport.run({ again: true });
    expect(await again()).toMatchObject({ value: { changed: 2, ended: 1 } });
    expect(kinds()).toEqual(['new-origin', 'import-servers']);
    // The file does not say that it is no production server.
    expect(named(main, 'shop')).toMatchObject({ baseUrl: 'http://127.0.0.9:1', production: true });
    expect(await again()).toMatchObject({ error: { kind: 'not-now' } });
  });

  it('loses its production mark only after the question said so', async () => {
    const { main, write, asked } = await withFile({ ...staging, production: true });
    await write({ ...staging, production: false });
    expect(await importFile(main)).toMatchObject({ value: { changed: 1 } });
    expect(asked).toMatchObject([{ changed: [{ name: 'staging', changes: [], losesProduction: true }] }]);
    expect(named(main, 'staging').production).toBe(false);
  });

  it('keeps what the file does not name, and a server that the file does not have stays with its sessions', async () => {
    const foreign = await startForeignServer();
    const { main, write, kinds } = await withFile({ name: 'shop', address: foreign.baseUrl, colour: 'red' });
    const { id } = named(main, 'shop');
    await main.servers.choose({ id });
    await registerAna(main);
    await main.servers.edit({ ...entered(main, id, {}), id, notes: 'mine', colour: 'pink' });
    await write({ name: 'shop', address: foreign.baseUrl });
    expect(await importFile(main)).toMatchObject({ value: { added: 0, changed: 0, unchanged: 1 } });
    await write({ name: 'shop', address: foreign.baseUrl, colour: 'blue' });
    expect(await importFile(main)).toMatchObject({ value: { changed: 1, ended: 0 } });
    await write();
    expect(await importFile(main)).toMatchObject({ value: { added: 0, changed: 0, unchanged: 0 } });
    expect(named(main, 'shop')).toMatchObject({ colour: 'blue', notes: 'mine' });
    expect(main.sessionStore.all()).toHaveLength(1);
    // Only the import that changed something asked.
    expect(kinds()).toEqual(['new-origin', 'import-servers']);
  });

  it('that is changed while the question is open stays as it was changed', async () => {
    const { main, write, asked, answers } = await withFile(staging);
    await write({ ...staging, address: 'https://other.example.test' });
    const answer = Promise.withResolvers<boolean>();
    answers['import-servers'] = answer.promise;
    const importing = importFile(main);
    await expect.poll(() => asked.length).toBe(1);
    main.servers.store.setPins(named(main, 'staging').id, [`AB${':CD'.repeat(31)}`]);
    answer.resolve(true);
    expect(await importing).toMatchObject({ error: { kind: 'not-now' } });
    expect(named(main, 'staging').baseUrl).toBe(staging.address);
  });

  it('that runs here stays, and the one of the file is added', async () => {
    const { main, write } = await withFile();
    const double = { of: 'Shop', originUrl: 'https://shop.example.test', measuredAt: '2026-11-20T10:00:00.000Z' };
    const mock = createStoredMockServer(createMockServerId(), 'Mock', double);
    const [builtIn] = main.config.get().servers;
    main.config.change({ servers: [builtIn!, mock] });
    await write({ ...staging, name: 'Mock' });
    expect(await importFile(main)).toMatchObject({ value: { added: 1, changed: 0 } });
    expect(listed(main)).toMatchObject([
      { id: mock.id, baseUrl: '' },
      { name: 'Mock', baseUrl: staging.address },
    ]);
  });
});

it('a lock while the question is open, or before the file is imported again, changes nothing', async () => {
  const { main, write, asked, answers } = await withFile();
  await write(staging);
  const answer = Promise.withResolvers<boolean>();
  answers['import-servers'] = answer.promise;
  const importing = importFile(main);
  await expect.poll(() => asked.length).toBe(1);
  main.lock.lock('by-hand');
  answer.resolve(true);
  expect(await importing).toMatchObject({ value: { outcome: 'cancelled' } });
  await main.lock.unlock(undefined);
  expect(listed(main)).toEqual([]);
  expect(await main.servers.fileImport.run({ again: true })).toMatchObject({ error: { kind: 'not-now' } });
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
  await main.servers.exportFile();
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
  expect(await importFile(main)).toMatchObject({ value: { added: 0, changed: 0, unchanged: 3 } });
});
