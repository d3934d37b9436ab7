import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const registration = { ...ana, path: 'registro' } as const;
const details = {
  name: 'Staging',
  colour: 'teal',
  notes: 'Reset each night.',
  registrationPath: 'register',
  production: true,
  pinned: { token: 'data.token', user: '' },
} as const;
const somewhere = { baseUrl: 'https://one.example.test' };
const elsewhere = { baseUrl: 'https://two.example.test/app' };

const names = (main: Awaited<ReturnType<typeof makeMain>>): string[] =>
  main.state.get().servers.map(({ name }) => name);

describe('servers', () => {
  it('are created with what a person says about them, at the canonical address', async () => {
    const main = await makeMain({});
    expect(
      await main.servers.create({ ...details, address: 'staging.example.test:8443/api/v1/auth/login' }),
    ).toMatchObject({ ok: true });
    expect(main.config.get().servers[1]).toMatchObject({
      name: 'Staging',
      baseUrl: 'https://staging.example.test:8443',
      colour: 'teal',
      notes: 'Reset each night.',
      registrationPath: 'register',
      production: true,
      dialect: { learned: {}, pinned: { token: 'data.token' } },
    });
    expect(main.state.get().activeServerId).toBe('built-in');
  });

  it.each(['', 'ftp://example.test', 'https://ana:secret@example.test', 'https://example.test/?a=1'])(
    'are not created at an invalid address: %s',
    async (address) => {
      const main = await makeMain({});
      expect(await main.servers.create({ ...details, address })).toMatchObject({
        ok: false,
        error: { kind: 'invalid-address' },
      });
      expect(main.config.get().servers).toHaveLength(1);
    },
  );

  it('take the exact origins of web pages where they run here, and nowhere else', async () => {
    const main = await makeMain({ foreign: somewhere });
    const allow = (id: string, ...origins: string[]) => main.servers.store.allowOrigins(id, origins);
    const shown = () => main.state.get().servers.map(({ allowedOrigins }) => allowedOrigins);
    expect(allow('built-in', 'http://localhost:5173/', 'HTTP://localhost:5173', 'https://[::1]:8443')).toEqual({
      ok: true,
      value: null,
    });
    expect(shown()).toEqual([['http://localhost:5173', 'https://[::1]:8443'], undefined]);
    for (const wrong of ['*', 'null', 'localhost:5173', 'http://localhost:5173/app', 'http://a@localhost'])
      expect(allow('built-in', 'http://localhost:3000', wrong)).toEqual({
        ok: false,
        error: { kind: 'invalid-origin', origin: wrong },
      });
    expect(allow('foreign', 'http://localhost:3000')).toMatchObject({ ok: false });
    // The form of a server says nothing of them.
    await main.servers.edit({ ...details, id: 'built-in', address: '' });
    expect(shown()).toEqual([['http://localhost:5173', 'https://[::1]:8443'], undefined]);
    allow('built-in');
    expect(shown()).toEqual([[], undefined]);
  });

  it('lose the path of a call that was pasted, which is that of their own interface', async () => {
    const main = await makeMain({});
    const text = JSON.stringify({ name: 'Shop', calls: { login: { path: '/auth/in' }, profile: { path: '/me' } } });
    const described = { ...details, enteredInterface: { text, variables: [] } };
    await main.servers.create({ ...described, address: 'https://one.example.test/api//AUTH/in' });
    await main.servers.create({ ...details, address: 'https://two.example.test/api//V1/auth/login' });
    expect(main.config.get().servers.slice(1)).toMatchObject([
      { baseUrl: 'https://one.example.test/api' },
      { baseUrl: 'https://two.example.test' },
    ]);
  });

  it('get a name and a colour of their own when only an address is typed, and keep both', async () => {
    const foreign = await startForeignServer();
    const main = await makeMain({});
    await main.servers.chooseAddress({ address: 'https://example.test' });
    await main.servers.chooseAddress({ address: foreign.baseUrl });
    expect(names(main)).toEqual(['', 'Example', `Local ${foreign.port}`]);
    const [, example, local] = main.state.get().servers;
    expect(new Set(['gray', 'red', example!.colour, local!.colour]).size).toBe(4);
    await main.servers.edit({ ...example!, address: 'https://other.test' });
    expect(main.state.get().servers[1]).toMatchObject({ name: 'Example', colour: example!.colour });
    await main.servers.edit({ ...main.state.get().servers[1]!, address: 'https://example.test', name: ' ' });
    expect(names(main)).toEqual(['', 'Example', `Local ${foreign.port}`]);
    await main.servers.chooseAddress({ address: 'https://EXAMPLE.test/' });
    expect(names(main)).toHaveLength(3);
    expect(main.state.get().activeServerId).toBe(main.state.get().servers[1]?.id);
  });

  it('get what a form leaves open of their name and colour', async () => {
    const main = await makeMain({});
    const open = { ...details, name: '', colour: 'gray', production: false } as const;
    expect(await main.servers.create({ ...open, address: 'https://qa.example.test' })).toMatchObject({ ok: true });
    const { name, colour } = main.state.get().servers[1]!;
    expect(name).toBe('Example · qa');
    expect(colour).not.toBe('gray');
  });

  it('keep an address with an api of its own when they are edited', async () => {
    const main = await makeMain({});
    await main.servers.create({ ...details, address: 'https://example.test/api/api/v1/auth' });
    const created = main.state.get().servers[1]!;
    expect(created.baseUrl).toBe('https://example.test/api');
    await main.servers.edit({ ...created, address: created.baseUrl, name: 'Renamed' });
    expect(main.state.get().servers[1]).toMatchObject({ name: 'Renamed', baseUrl: 'https://example.test/api' });
  });

  it('are moved up and down, and not over the ends', async () => {
    const main = await makeMain({ one: somewhere, two: elsewhere });
    main.servers.store.move('two', -1);
    expect(main.servers.store.move('two', -1)).toEqual({ ok: true, value: { place: 1 } });
    expect(names(main)).toEqual(['two', '', 'one']);
    expect(main.servers.store.move('two', -1)).toMatchObject({ ok: false });
    expect(main.servers.store.move('one', 1)).toMatchObject({ ok: false });
    await main.config.flushWithBackup();
    const next = await makeMain({}, { store: main.store });
    expect(names(next)).toEqual(['two', '', 'one']);
  });

  it('are duplicated beside the original, without its sessions', async () => {
    const foreign = await startForeignServer();
    const main = await makeMain({ foreign, last: elsewhere });
    await main.session.logins.register(registration);
    await main.servers.duplicate({ id: 'foreign' });
    const copied = await main.servers.duplicate({ id: 'foreign' });
    expect(names(main)).toEqual(['', 'foreign', 'foreign (3)', 'foreign (2)', 'last']);
    expect(copied).toEqual({ ok: true, value: { id: main.state.get().servers[2]?.id } });
    expect(main.state.get().sessions.map(({ serverId }) => serverId)).toEqual(['foreign']);
  });

  it('take their sessions and tokens along when they are deleted, and tell no server', async () => {
    const foreign = await startForeignServer();
    const other = await startForeignServer();
    const main = await makeMain({ foreign, other });
    await main.session.logins.register(registration);
    await main.servers.choose({ id: 'other' });
    await main.session.logins.register(registration);
    await main.servers.choose({ id: 'foreign' });
    foreign.calls.length = 0;
    await main.servers.remove({ id: 'foreign' });
    expect(foreign.calls).toEqual([]);
    expect(main.state.get()).toMatchObject({ activeServerId: 'built-in', session: { step: 'signed-out' } });
    expect(main.state.get().sessions.map(({ serverId }) => serverId)).toEqual(['other']);
    expect(await main.vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    const vaultFile = JSON.parse(await readFile(path.join(main.folder, 'vault.json'), 'utf8'));
    expect(vaultFile.entries).toMatchObject([{ service: 'app.llavero.desktop/other' }]);
    expect(await main.servers.remove({ id: 'built-in' })).toMatchObject({ ok: false });
  });

  it('leave no token behind when they are deleted while a login is under way', async () => {
    const sealed = Promise.withResolvers<void>();
    const removed = Promise.withResolvers<void>();
    const foreign = await startForeignServer();
    const main = await makeMain({ foreign });
    const original = main.vault.setPassword.bind(main.vault);
    main.vault.setPassword = async (...entry) => {
      await original(...entry);
      sealed.resolve();
      await removed.promise;
    };
    const registering = main.session.logins.register(registration);
    await sealed.promise;
    await main.servers.remove({ id: 'foreign' });
    removed.resolve();
    await registering;
    expect(await main.vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    expect(main.state.get()).toMatchObject({ sessions: [], session: { step: 'signed-out' } });
  });
});

describe('a look at an address', () => {
  it('finds the interface, creates nothing and sends no credentials', async () => {
    const foreign = await startForeignServer();
    const main = await makeMain({ foreign });
    await main.session.logins.register(registration);
    foreign.calls.length = 0;
    expect(await main.servers.drafts.test({ address: foreign.baseUrl, id: 'foreign' })).toMatchObject({
      ok: true,
      value: { reached: true, status: 401, answered: 'asks-for-token', secure: false, baseUrl: foreign.baseUrl },
    });
    expect(foreign.calls.map(({ method, path: called }) => `${method} ${called}`)).toEqual([
      'GET /app/api/v1/auth/perfil',
    ]);
    expect(foreign.calls[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    ['a web page', { status: 200, body: '<html><title>Hi</title></html>' }, 'web-page'],
    ['the sign-in page of a network', { status: 511, body: '<html></html>' }, 'captive-portal'],
    [
      'a protection',
      { status: 200, body: '<html>The requested URL was rejected. Please consult with your administrator.</html>' },
      'protection-page',
    ],
    ['a missing path', { status: 404, body: { message: 'Not Found' } }, 'path-missing'],
    ['a fault', { status: 500, body: { message: 'Server Error' } }, 'server-fault'],
    ['an open profile', { status: 200, body: { id: 1, email: 'ana@example.test' } }, 'profile-without-token'],
    ['anything else', { status: 200, body: [1, 2] }, 'something-else'],
  ])('tells %s', async (_what, answer, answered) => {
    const foreign = await startForeignServer({ override: () => answer });
    const main = await makeMain({});
    expect(await main.servers.drafts.test({ address: foreign.baseUrl })).toMatchObject({
      ok: true,
      value: { answered },
    });
  });

  it('ends when it is cancelled', async () => {
    const foreign = await startForeignServer({ override: () => 'no answer' });
    const main = await makeMain({});
    const looked = main.servers.drafts.test({ address: foreign.baseUrl });
    await expect.poll(() => foreign.waiting.size).toBe(1);
    main.servers.transports.cancelTests();
    expect(await looked).toMatchObject({ ok: true, value: { reached: false, error: { kind: 'cancelled' } } });
  });

  it('says why nothing was reached, and refuses what is no address', async () => {
    const foreign = await startForeignServer();
    await foreign.stop();
    const main = await makeMain({});
    expect(await main.servers.drafts.test({ address: foreign.baseUrl })).toMatchObject({
      ok: true,
      value: { reached: false, error: { kind: 'refused' } },
    });
    expect(await main.servers.drafts.test({ address: 'http://a:b@c' })).toMatchObject({ ok: false });
  });
});
