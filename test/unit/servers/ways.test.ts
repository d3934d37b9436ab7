import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Question } from '../../../main/dialogs.ts';
import type { EnteredConnection } from '../../../preload/contract/connection.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain, type Main, type MainOptions } from '../../support/make-main.ts';
import { startHttpProxy } from '../../support/proxies.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const nothing: EnteredConnection = {
  proxy: { mode: 'none' },
  authorityFile: '',
  clientCertificate: { form: 'none' },
  limits: { connectSeconds: '', firstByteSeconds: '', totalSeconds: '' },
  secrets: {},
};
const through = (port: number): EnteredConnection => ({
  ...nothing,
  proxy: { mode: 'manual', address: `http://127.0.0.1:${port}`, username: '', noProxy: '' },
});
const certificate = (name: string) => makeCertificate({ commonName: name, names: ['127.0.0.2'] });

/** The application with a person at the dialogs who answers as they were told, and otherwise yes. */
async function withPerson(addresses: Record<string, { baseUrl: string }>, options: MainOptions = {}) {
  const asked: Question[] = [];
  const answers: Partial<Record<Question['kind'], boolean>> = {};
  const file = { chosen: '' };
  const main = await makeMain(addresses, {
    ...options,
    ports: {
      dialogs: {
        chooseFile: async () => (file.chosen === '' ? undefined : file.chosen),
        async confirm(question) {
          asked.push(question);
          return answers[question.kind] ?? true;
        },
        sayNotErased: () => undefined,
        openOutside: () => expect.unreachable(),
      },
    },
  });
  return { main, asked, answers, file, kinds: () => asked.map(({ kind }) => kind) };
}

/** What the form sends of a server that is there, with what is changed about it. */
function entered(main: Main, id: string, change: { address?: string; enteredConnection?: EnteredConnection }) {
  const server = main.state.get().servers.find((each) => each.id === id)!;
  return { ...server, address: change.address ?? server.baseUrl, enteredConnection: change.enteredConnection };
}

const logIn = async (main: Main): Promise<void> => {
  expect(await main.session.register({ ...ana, path: 'registro' })).toMatchObject({ ok: true });
};

describe('how a server is reached that holds sessions', () => {
  it('changes after main asked, for the sessions too', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, asked, kinds } = await withPerson({ foreign });
    await logIn(main);
    const edit = entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) });
    expect(await main.servers.edit(edit)).toMatchObject({ ok: true });
    expect(asked.at(-1)).toMatchObject({
      kind: 'way',
      host: `127.0.0.1:${foreign.port}`,
      sessions: 1,
      changes: [{ what: 'proxy', from: { mode: 'system' }, to: { mode: 'manual' } }],
    });
    await main.session.checkShown();
    expect(proxy.asked).toEqual([`127.0.0.1:${foreign.port}`]);
    // What says nothing about the way is nobody's question.
    await main.servers.edit({ ...entered(main, 'foreign', {}), name: 'Shop', notes: 'x', colour: 'red' });
    expect(kinds()).toEqual(['first-password', 'way']);
  });

  it('stays as it is when the person says no, and then main does not ask again', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, answers, kinds } = await withPerson({ foreign });
    await logIn(main);
    answers.way = false;
    const before = JSON.stringify(main.config.get().servers);
    const edits = [
      { enteredConnection: through(proxy.proxy.port) },
      { enteredConnection: { ...nothing, proxy: { mode: 'pac', url: 'http://127.0.0.1:1/x.pac' } } as const },
      { address: 'http://127.0.0.9:1' },
    ];
    for (const [index, edit] of edits.entries()) {
      expect(await main.servers.edit(entered(main, 'foreign', edit))).toEqual({
        ok: false,
        error: { kind: index === 0 ? 'cancelled' : 'not-asked' },
      });
    }
    expect(JSON.stringify(main.config.get().servers)).toBe(before);
    await main.session.checkShown();
    expect(proxy.asked).toEqual([]);
    expect(kinds()).toEqual(['first-password', 'way']);
    main.person.actedInMenu();
    answers.way = true;
    expect(await main.servers.edit(entered(main, 'foreign', edits[0]!))).toMatchObject({ ok: true });
  });

  it('is asked about for a logout that the server was not told of, too', async () => {
    const foreign = await startForeignServer({
      host: '127.0.0.1',
      override: ({ path: called }) => (called.endsWith('/salir') ? { status: 503, body: {} } : undefined),
    });
    const proxy = await startHttpProxy();
    const { main, answers } = await withPerson({ foreign });
    await logIn(main);
    await main.session.logOutShown(true);
    expect(main.held.all()).toHaveLength(1);
    answers.way = false;
    const edit = entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) });
    expect(await main.servers.edit(edit)).toMatchObject({ ok: false });
  });

  it('does not change for a login that is under way while the page changes its server', async () => {
    const proxy = await startHttpProxy();
    const change = { of: undefined as Main | undefined, done: undefined as Promise<unknown> | undefined };
    const foreign = await startForeignServer({
      host: '127.0.0.1',
      override({ path: called }) {
        // There is a token by now and no session yet, and so no question.
        if (change.of && !change.done && called.endsWith('/perfil')) {
          const edit = entered(change.of, 'foreign', { enteredConnection: through(proxy.proxy.port) });
          change.done = change.of.servers.edit(edit);
        }
        return undefined;
      },
    });
    const { main, kinds } = await withPerson({ foreign });
    change.of = main;
    await logIn(main);
    expect(await change.done).toMatchObject({ ok: true });
    expect(kinds()).toEqual(['first-password']);
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(proxy.asked).toEqual([]);
  });

  it('at another address is not how the sessions of the old one are told', async () => {
    const server = { down: true };
    const old = certificate('old');
    const foreign = await startForeignServer({
      tls: old,
      override: ({ path: called }) =>
        server.down && called.endsWith('/salir') ? { status: 503, body: {} } : undefined,
    });
    const proxy = await startHttpProxy();
    const { main } = await withPerson({ foreign });
    await main.session.login(ana);
    expect(await main.servers.trust('foreign', old.sha256)).toMatchObject({ ok: true });
    await logIn(main);
    await main.session.logOutShown(true);
    const [pending] = main.held.all();
    const moved = { address: 'http://127.0.0.1:1', enteredConnection: through(proxy.proxy.port) };
    expect(await main.servers.edit(entered(main, 'foreign', moved))).toMatchObject({ ok: true });
    expect(main.config.get().servers[1]).toMatchObject({ pins: [], connection: { proxy: { mode: 'manual' } } });
    server.down = false;
    // By the certificate that was trusted there, and through no proxy of the new address.
    expect(await main.session.revoke(pending!.id)).toMatchObject({ ok: true });
    expect(foreign.tokens.size).toBe(0);
    expect(proxy.asked).toEqual([]);
  });
});

describe('a certificate', () => {
  it('is trusted only while exactly this one was just refused at exactly this address, and main asked', async () => {
    const own = certificate('own');
    const foreign = await startForeignServer({ tls: own });
    const evil = certificate('evil');
    const { main, asked, answers, kinds } = await withPerson({ foreign });
    const trust = (sha256: string) => main.servers.trust('foreign', sha256);
    expect(await trust(own.sha256)).toEqual({ ok: false, error: { kind: 'not-now' } });
    // A look at it over a connection that is only being entered is not the server's own refusal.
    await main.servers.test(entered(main, 'foreign', { enteredConnection: nothing }));
    expect(await trust(own.sha256)).toMatchObject({ ok: false });
    await main.session.login(ana);
    expect(await trust(evil.sha256)).toMatchObject({ ok: false });
    expect(kinds()).toEqual(['first-password']);
    answers.trust = false;
    expect(await trust(own.sha256)).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(main.config.get().servers[1]?.pins).toEqual([]);
    main.person.actedInMenu();
    answers.trust = true;
    expect(await trust(own.sha256)).toMatchObject({ ok: true });
    expect(asked.at(-1)).toMatchObject({
      kind: 'trust',
      host: `127.0.0.2:${foreign.port}`,
      certificate: { sha256: own.sha256 },
      instead: false,
    });
    await logIn(main);
    // An answer has come since: nothing was just refused.
    expect(await trust(own.sha256)).toMatchObject({ ok: false });
    answers.way = false;
    expect(await main.servers.distrust('foreign')).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(main.config.get().servers[1]?.pins).toEqual([own.sha256]);
  });

  it('that was refused before the server was reached otherwise is no longer one that was just refused', async () => {
    const own = certificate('own');
    const foreign = await startForeignServer({ tls: own });
    const { main } = await withPerson({ foreign });
    await main.session.login(ana);
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(1) }));
    expect(await main.servers.trust('foreign', own.sha256)).toMatchObject({ ok: false });
  });
});

describe('a password', () => {
  const typing = (main: Main, text: string): void => {
    main.person.pressed({ by: 'mouse' });
    for (const key of text) main.person.pressed({ by: 'key', key, command: false });
    main.person.pressed({ by: 'key', key: 'Enter', command: false });
  };

  it('goes to an address that a person typed, and to any other after main asked', async () => {
    const [typed, other] = await Promise.all([startForeignServer(), startForeignServer()]);
    const { main, asked, answers } = await withPerson({});
    answers['first-password'] = false;
    typing(main, typed.baseUrl);
    await main.servers.chooseAddress(typed.baseUrl);
    await logIn(main);
    expect(asked).toEqual([]);

    await main.servers.chooseAddress(other.baseUrl);
    expect(await main.session.login(ana)).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(await main.session.register({ ...ana, path: 'register' })).toMatchObject({ error: { kind: 'not-asked' } });
    expect(other.calls).toEqual([]);
    const { origin, host } = new URL(other.baseUrl);
    expect(asked).toEqual([{ kind: 'first-password', host, origin, proxy: undefined }]);
    main.person.actedInMenu();
    answers['first-password'] = true;
    await logIn(main);
    await main.session.login(ana);
    expect(asked).toHaveLength(2);
  });

  it('goes through a proxy that nobody typed after main asked', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, asked, answers } = await withPerson({ foreign });
    await main.session.login(ana);
    expect(asked).toHaveLength(1);
    answers['first-password'] = false;
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) }));
    expect(await main.session.login(ana)).toMatchObject({ ok: false });
    expect(asked.at(-1)).toMatchObject({ kind: 'first-password', origin: undefined, proxy: { mode: 'manual' } });
    expect(proxy.asked).toEqual([]);
    typing(main, `http://127.0.0.1:${proxy.proxy.port}`);
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) }));
    await main.session.login(ana);
    expect(proxy.asked).not.toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it('that was typed before is not sent again by a way that it did not go', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main } = await withPerson({ foreign });
    await main.session.login(ana);
    const listed = main.calls.list({ search: 'login', outcome: 'all', contractRuns: 'with', pinnedOnly: false }, 0);
    const id = (listed.ok && listed.value.calls[0]?.id) || '';
    expect(await main.replay.replay(id, undefined)).toMatchObject({ ok: true, value: { outcome: 'sent' } });
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) }));
    expect(await main.replay.replay(id, undefined)).toMatchObject({ ok: true, value: { outcome: 'secrets-missing' } });
    expect(proxy.asked).toEqual([]);
  });

  it('goes on to hosts where somebody logged in with an earlier version, and is asked about at others', async () => {
    const [used, unused] = await Promise.all([startForeignServer(), startForeignServer()]);
    const folder = await makeTemporaryFolder();
    const store = {
      environments: [
        { id: 'used', name: 'Used', baseUrl: used.baseUrl },
        { id: 'unused', name: 'Unused', baseUrl: unused.baseUrl },
      ],
      activeEnvironmentId: 'used',
      lastEmails: { used: ana.email },
      version: 2,
    };
    const { main, kinds } = await withPerson({}, { folder, store });
    await main.session.login(ana);
    expect(kinds()).toEqual([]);
    await main.servers.choose('unused');
    await main.session.login(ana);
    expect(kinds()).toEqual(['first-password']);
  });
});

describe('the sessions of an earlier version', () => {
  it('have the way of their server, if they have its address', async () => {
    const foreign = await startForeignServer();
    const first = await withPerson({ foreign });
    await logIn(first.main);
    await first.main.servers.edit(entered(first.main, 'foreign', { enteredConnection: nothing }));
    const [session] = first.main.held.all();
    const sessions = { here: { ...session!, way: undefined }, elsewhere: { ...session!, baseUrl: 'https://old.test' } };
    const earlier = Object.entries(sessions).map(([id, each]) => {
      const { serverId, way: _way, ...others } = each;
      return [id, { ...others, id, environmentId: serverId }];
    });
    const store = { ...first.main.store, sessions: Object.fromEntries(earlier) as unknown };
    const { main } = await withPerson({}, { folder: first.main.folder, store });
    expect(main.held.find('here')?.way).toMatchObject({ proxy: { mode: 'none' } });
    expect(main.held.find('elsewhere')?.way).toEqual({ proxy: { mode: 'system' }, pins: [] });
  });
});

describe('the proxies of an imported file', () => {
  const server = (name: string, connection: object) => ({
    name,
    address: `https://${name}.test`,
    colour: 'red',
    notes: '',
    registrationPath: 'registro',
    production: false,
    pinned: {},
    dialect: { learned: {}, pinned: {} },
    connection,
  });
  const proxy = (host: string) => ({ mode: 'manual', proxy: { scheme: 'http', host, port: 80 }, noProxy: [] });
  const pac = { mode: 'pac', url: 'http://evil.test/x.pac' };
  const content = (servers: object[]): string => JSON.stringify({ kind: 'llavero-environments', version: 1, servers });

  async function importing(servers: object[], agrees: boolean) {
    const person = await withPerson({});
    person.answers['imported-proxies'] = agrees;
    person.file.chosen = path.join(await makeTemporaryFolder(), 'servers.json');
    await writeFile(person.file.chosen, content(servers));
    expect(await person.main.servers.importFile()).toMatchObject({ ok: true });
    return { ...person, modes: person.main.config.get().servers.map(({ connection }) => connection.proxy.mode) };
  }

  it('are listed in main’s question, and left out unless the person agrees', async () => {
    const servers = [server('a', { proxy: proxy('evil.test') }), server('b', { proxy: pac }), server('c', {})];
    const no = await importing(servers, false);
    expect(no.modes).toEqual(['system', 'system', 'system', 'system']);
    expect(no.asked).toEqual([
      {
        kind: 'imported-proxies',
        listed: [
          { proxy: proxy('evil.test'), hosts: ['a.test'] },
          { proxy: pac, hosts: ['b.test'] },
        ],
        unlisted: 0,
      },
    ]);
    // Each file that a person chose is asked about.
    await no.main.servers.importFile();
    expect(no.kinds()).toHaveLength(2);
    expect((await importing(servers, true)).modes).toEqual(['system', 'manual', 'pac', 'system']);
  });

  it('that find no room in the question are left out in any case', async () => {
    const servers = Array.from({ length: 12 }, (_, index) => server(`s${index}`, { proxy: proxy(`p${index}.test`) }));
    const { modes, asked } = await importing(servers, true);
    expect(asked).toMatchObject([{ unlisted: 4 }]);
    expect(modes.filter((mode) => mode === 'manual')).toHaveLength(8);
  });
});

describe('the files of a connection', () => {
  it('come from main’s own dialog only, and no answer says whether there is one', async () => {
    const { main, file } = await withPerson({ shop: { baseUrl: 'https://shop.test' } });
    const trying = (authorityFile: string) =>
      main.servers.test(entered(main, 'shop', { enteredConnection: { ...nothing, authorityFile } }));
    const refused = { ok: false, error: { kind: 'invalid-connection', field: 'authorityFile' } };
    for (const path_ of ['/etc/passwd', '/nowhere', '\\\\evil.test\\share\\x']) {
      expect(await trying(path_)).toEqual(refused);
      expect(
        await main.servers.create(entered(main, 'shop', { enteredConnection: { ...nothing, authorityFile: path_ } })),
      ).toEqual(refused);
    }
    file.chosen = '/etc/passwd';
    await main.servers.chooseFile('key');
    expect(await trying('/etc/passwd')).toEqual(refused);
    await main.servers.chooseFile('authority');
    expect(await trying('/etc/passwd')).toMatchObject({ error: { kind: 'connection-settings' } });
    main.lock.lock('by-hand');
    await main.lock.unlock(undefined);
    expect(await trying('/etc/passwd')).toEqual(refused);
    file.chosen = '/etc/proxy.pac';
    expect(await main.servers.chooseFile('pac')).toBe('file:///etc/proxy.pac');
  });
});
