import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseHar, readHarEntry, writeHar } from '../../../main/calls/har.ts';
import type { CallFilter, RecordedCall, ReplayChange } from '../../../preload/contract/calls.ts';
import { makeMain, type MainOptions } from '../../support/make-main.ts';
import { filesContaining } from '../../support/temporary-folder.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';

const ana = { name: 'Ana "la" Ñandú', email: 'ana@example.test', password: 'a\\b "ñ" €9|x', cpassword: '' };
const bea = { ...ana, email: 'bea@example.test', password: 'other battery' };
const all: CallFilter = { search: '', outcome: 'all', contractRuns: 'with', pinnedOnly: false };
type Main = Awaited<ReturnType<typeof makeMain>>;

/** A server of the interface that gives a new token at each login and keeps what came over the wire. */
async function startServer(host = '127.0.0.1', wanted = 0) {
  const given: string[] = [];
  const ended = new Set<string>();
  const server = await startRecordingServer(
    ({ target, headers }) => {
      const token = headers.find(([name]) => name === 'Authorization')?.[1].replace('Bearer ', '') ?? '';
      if (target.endsWith('/login')) {
        given.push(`${given.length + 1}|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je${given.length}Ru`);
        return answer(200, { token: given.at(-1) });
      }
      if (target.endsWith('/registro') || target.endsWith('/register')) return answer(201, { message: 'made' });
      if (!given.includes(token) || ended.has(token))
        return answer(401, { message: `Unauthenticated: ${token.replace(/x$/, '')}` });
      if (target.endsWith('/salir')) ended.add(token);
      return answer(200, { name: 'Ana', email: ana.email });
    },
    undefined,
    { host, port: wanted },
  );
  onTestFinished(() => server.close());
  return { ...server, baseUrl: `http://${host.includes(':') ? 'localhost' : host}:${server.port}/app`, given };
}

async function makeLoggedIn(options: MainOptions = {}) {
  const server = await startServer();
  const main = await makeMain({ shop: server }, options);
  await main.session.login(ana);
  return { main, server };
}

function idOf({ calls }: Main, called: string): string {
  const page = calls.list(all, 0);
  const found = page.ok && page.value.calls.findLast((each) => each.path.endsWith(called));
  if (!found) throw new Error(`no call of ${called} was recorded`);
  return found.id;
}

async function sent(main: Main, id: string, change?: ReplayChange): Promise<RecordedCall> {
  const result = await main.replay.replay(id, change);
  if (!result.ok || result.value.outcome !== 'sent') throw new Error(JSON.stringify(result));
  return result.value.call;
}

/** Another body, in UTF-8, under the same head; each character of the answer is a byte. */
function withBody(raw: string, body: string): string {
  const bytes = Buffer.from(body).toString('latin1');
  const [head = ''] = raw.split('\r\n\r\n');
  return `${head.replace(/Content-Length: \d+/, `Content-Length: ${bytes.length}`)}\r\n\r\n${bytes}`;
}

const changesOf = (main: Main, id: string): string[] => {
  const result = main.replay.changes(id);
  if (!result.ok) throw new Error(result.error.kind);
  return result.value.changes.map((each) => Object.values(each).join(' '));
};

describe('as it was', () => {
  it.each(['login', 'perfil', 'registro', 'register', 'salir'] as const)(
    'a call of %s is sent again byte for byte',
    async (operation) => {
      const { main, server } = await makeLoggedIn();
      if (operation === 'registro' || operation === 'register')
        await main.session.register({ ...ana, cpassword: ana.password, path: operation });
      if (operation === 'salir') await main.session.logOutShown(true);
      const original = server.requests.find(({ target }) => target.endsWith(operation))!;
      const id = idOf(main, operation);
      const before = server.requests.length;
      const replay = await sent(main, id);
      expect(server.requests.slice(before).map(({ raw }) => raw)).toEqual([original.raw]);
      expect(replay.replayOf).toEqual({ id });
      expect(main.calls.get(replay.id)).toEqual({ ok: true, value: replay });
    },
  );

  it('leaves the session as it is: nobody is logged in or out here by it', async () => {
    const { main, server } = await makeLoggedIn();
    // What was learned of the server is written a turn later.
    await nextTurn();
    const here = () => JSON.stringify([main.state.get(), main.held.all()]);
    const before = here();
    await sent(main, idOf(main, '/login'));
    expect(server.given).toHaveLength(2);
    expect(here()).toBe(before);
    main.session.addAccount();
    await main.session.login(bea);
    await main.session.logOutShown(true);
    // The server no longer knows the other's token after this; here it is not pretended that anything was seen.
    const [{ id } = { id: '' }] = main.held.all();
    const kept = here();
    const ended = await sent(main, idOf(main, '/salir'), { change: 'other-token', sessionId: id });
    expect(ended.response?.status).toBe(200);
    expect(here()).toBe(kept);
    expect(await sent(main, idOf(main, '/perfil'))).toMatchObject({ response: { status: 401 } });
  });

  it('a failure and a cancelled replay are records like any other, and one is under way at a time', async () => {
    let silent = false;
    const server = await startRecordingServer(() => (silent ? undefined : answer(200, { token: '1|abcdefghijkl' })));
    onTestFinished(() => server.close());
    const main = await makeMain({ shop: { baseUrl: server.origin } });
    await main.session.login(ana);
    silent = true;
    const id = idOf(main, '/perfil');
    const arrived = server.requests.length;
    const first = main.replay.replay(id, undefined);
    expect(await main.replay.replay(id, undefined)).toEqual({ ok: false, error: { kind: 'not-now' } });
    while (server.requests.length === arrived) await new Promise((resolve) => setImmediate(resolve));
    main.replay.cancel();
    expect(await first).toMatchObject({ value: { outcome: 'sent', call: { failure: { kind: 'cancelled' } } } });
    expect(server.requests.length).toBe(arrived + 1);
    await server.close();
    expect(await sent(main, id)).toMatchObject({ failure: { kind: 'refused' }, replayOf: { id } });
  });
});

describe('changed by name', () => {
  it('is offered what its request can have', async () => {
    const { main } = await makeLoggedIn();
    main.session.addAccount();
    await main.session.login(bea);
    await main.session.register({ ...ana, cpassword: ana.password, path: 'register' });
    const [anas, beas] = main.held.all();
    expect(changesOf(main, idOf(main, '/perfil'))).toEqual([
      'without-accept',
      'no-token',
      'broken-token',
      'lower-case-bearer',
      `other-token ${beas!.id}`,
      ...main.held
        .all()
        .slice(2)
        .map(({ id }) => `other-token ${id}`),
      'body-on-profile',
    ]);
    expect(anas!.id).not.toBe(beas!.id);
    expect(changesOf(main, idOf(main, '/login'))).toEqual([
      'without-accept',
      'wrong-content-type',
      'malformed-json',
      'field-missing email',
      'field-missing password',
      'field-number email',
      'field-number password',
    ]);
    expect(changesOf(main, idOf(main, '/register'))).toContain('cpassword-differs');
    expect(await main.replay.replay(idOf(main, '/login'), { change: 'no-token' })).toEqual({
      ok: false,
      error: { kind: 'not-replayable', problem: 'not-applicable' },
    });
  });

  const password = JSON.stringify(ana.password);
  const name = JSON.stringify(ana.name);
  const whole = `{"name":${name},"email":"${ana.email}","password":${password},"cpassword":${password}}`;
  const cases: [ReplayChange, 'login' | 'perfil' | 'register', change: (raw: string) => string][] = [
    [{ change: 'without-accept' }, 'login', (raw) => raw.replace('Accept: application/json\r\n', '')],
    [{ change: 'wrong-content-type' }, 'login', (raw) => raw.replace('Type: application/json', 'Type: text/plain')],
    [{ change: 'no-token' }, 'perfil', (raw) => raw.replace(/Authorization: .*\r\n/, '')],
    [{ change: 'broken-token' }, 'perfil', (raw) => raw.replace(/(Authorization: .*)\r\n/, '$1x\r\n')],
    [{ change: 'lower-case-bearer' }, 'perfil', (raw) => raw.replace('Bearer', 'bearer')],
    [
      { change: 'body-on-profile' },
      'perfil',
      (raw) =>
        raw.replace(/(Authorization: .*\r\n)/, '$1Content-Type: application/json\r\nContent-Length: 2\r\n') + '{}',
    ],
    [{ change: 'malformed-json' }, 'register', () => whole.slice(0, -1)],
    [{ change: 'field-missing', field: 'name' }, 'register', () => whole.replace(`"name":${name},`, '')],
    [{ change: 'field-missing', field: 'password' }, 'register', () => whole.replace(`"password":${password},`, '')],
    [{ change: 'field-missing', field: 'cpassword' }, 'register', () => whole.replace(`,"cpassword":${password}`, '')],
    [{ change: 'field-number', field: 'email' }, 'register', () => whole.replace(`"${ana.email}"`, '12345')],
    [
      { change: 'field-number', field: 'password' },
      'register',
      () => whole.replace(`"password":${password}`, '"password":12345'),
    ],
    [
      { change: 'cpassword-differs' },
      'register',
      () => whole.replace(`"cpassword":${password}`, `"cpassword":${JSON.stringify(`${ana.password}x`)}`),
    ],
  ];
  it.each(cases)('%o goes out so, of %s, and nothing else of it differs', async (change, operation, expected) => {
    const { main, server } = await makeLoggedIn();
    await main.session.register({ ...ana, cpassword: ana.password, path: 'register' });
    const original = server.requests.find(({ target }) => target.endsWith(operation))!;
    const replay = await sent(main, idOf(main, `/${operation}`), change);
    const last = server.requests.at(-1)!;
    expect(last.raw).toBe(operation === 'register' ? withBody(original.raw, expected('')) : expected(original.raw));
    expect(replay.replayOf?.change).toEqual(change);
    // Replayed once more it is the same again: its record lost nothing.
    await sent(main, replay.id);
    expect(server.requests.at(-1)!.raw).toBe(last.raw);
  });

  it('goes out with the token of another session of the same server, and of no other', async () => {
    const { main, server } = await makeLoggedIn();
    const other = await startServer('127.0.0.3');
    main.session.addAccount();
    await main.session.login(bea);
    await main.servers.chooseAddress(other.baseUrl);
    await main.session.login(ana);
    const [, beas, elsewhere] = main.held.all();
    const id = idOf(main, 'perfil');
    expect(changesOf(main, id)).toContain(`other-token ${beas!.id}`);
    expect(changesOf(main, id)).not.toContain(`other-token ${elsewhere!.id}`);
    const replay = await sent(main, id, { change: 'other-token', sessionId: beas!.id });
    expect(server.requests.at(-1)!.raw).toContain(`Authorization: Bearer ${server.given[1]}\r\n`);
    expect(JSON.stringify(replay.request.head)).toContain(`{"secret":"token","id":"${beas!.id}"}`);

    const before = server.requests.length;
    expect(await main.replay.replay(id, { change: 'other-token', sessionId: elsewhere!.id })).toEqual({
      ok: false,
      error: { kind: 'other-address', baseUrl: other.baseUrl },
    });
    expect(await main.replay.replay(id, { change: 'other-token', sessionId: 'none' })).toMatchObject({ ok: false });
    expect(server.requests.length).toBe(before);
  });
});

describe('the embedded service', () => {
  it('alone is sent the tokens of its sessions, and no other, whatever else has its address', async () => {
    const server = await startServer();
    const { baseUrl } = server;
    const running = { state: 'running', baseUrl } as const;
    const started = { status: running, message: 'it has no controls', close: async () => undefined };
    const main = await makeMain({ shop: server }, { ports: { startBuiltIn: async () => started } });
    await main.session.login(ana);
    await main.servers.choose('built-in');
    await main.session.login(bea);
    const [shops, builtIns] = main.held.all();
    const [inShop, inBuiltIn] = main.calls.every({ ...all, search: '/perfil' });
    expect([inShop!.serverId, inBuiltIn!.serverId]).toEqual(['shop', 'built-in']);
    expect(changesOf(main, inShop!.id).filter((change) => change.startsWith('other-token'))).toEqual([]);
    expect(changesOf(main, inBuiltIn!.id).filter((change) => change.startsWith('other-token'))).toEqual([]);
    expect(await main.replay.replay(inShop!.id, { change: 'other-token', sessionId: builtIns!.id })).toMatchObject({
      error: { kind: 'other-address' },
    });
    expect(await main.replay.replay(inBuiltIn!.id, { change: 'other-token', sessionId: shops!.id })).toMatchObject({
      error: { kind: 'other-address' },
    });
    expect(await sent(main, inBuiltIn!.id)).toMatchObject({ response: { status: 200 } });
    // While it is not there, nothing is sent to whoever may listen where it was.
    main.state.set({ builtIn: { state: 'starting' } });
    expect(await main.replay.replay(inBuiltIn!.id, undefined)).toEqual({ ok: false, error: { kind: 'not-now' } });
  });
});

describe('secrets that are gone', () => {
  it('are asked for by name, and those that are typed go out and are in no record', async () => {
    const { main: first, server } = await makeLoggedIn();
    first.calls.close();
    const main = await makeMain({ shop: server }, { folder: first.folder, store: first.store });
    const id = idOf(main, '/login');
    const before = server.requests.length;
    const asked = await main.replay.replay(id, undefined);
    expect(asked).toEqual({
      ok: true,
      value: { outcome: 'secrets-missing', missing: [{ secret: 'password', id: expect.any(String) }] },
    });
    expect(server.requests.length).toBe(before);
    const missing = asked.ok && asked.value.outcome === 'secrets-missing' ? asked.value.missing : [];
    const typed = 'typed "just" now';
    const result = await main.replay.replay(id, undefined, { [missing[0]!.id]: typed });
    expect(JSON.parse(server.requests.at(-1)!.body)).toEqual({ email: ana.email, password: typed });
    expect(JSON.stringify(result)).not.toContain('just');
    expect(result).toMatchObject({ value: { outcome: 'sent', call: { response: { status: 200 } } } });
    // The token of the answer is no session, and nowhere but in the memory of this run.
    expect(main.held.all()).toHaveLength(1);
    const token = server.given.at(-1)!;
    // The profile's token is in the vault, so nothing is asked; without its field the login's password is not needed.
    await sent(main, idOf(main, '/perfil'));
    await sent(main, id, { change: 'field-missing', field: 'password' });
    main.calls.close();
    expect(await filesContaining(main.folder, 'replayOf')).not.toEqual([]);
    for (const secret of [token, token.split('|')[1]!, server.given[0]!, typed, 'just', ana.password])
      expect(await filesContaining(main.folder, secret)).toEqual([]);
  });

  it('a token whose session was forgotten in another run is asked for', async () => {
    const { main: first, server } = await makeLoggedIn();
    await first.session.forget(first.held.all()[0]!.id);
    first.calls.close();
    const main = await makeMain({ shop: server }, { folder: first.folder, store: first.store });
    const id = idOf(main, '/perfil');
    const asked = await main.replay.replay(id, undefined);
    expect(asked).toMatchObject({ value: { outcome: 'secrets-missing', missing: [{ secret: 'token' }] } });
    const missing = asked.ok && asked.value.outcome === 'secrets-missing' ? asked.value.missing : [];
    // Also when it is sent broken and comes back whole, in a sentence.
    const broken = await main.replay.replay(id, { change: 'broken-token' }, { [missing[0]!.id]: 'typed-by-hand' });
    expect(server.requests.at(-1)!.raw).toContain('Bearer typed-by-handx\r\n');
    expect(broken).toMatchObject({ value: { call: { response: { status: 401 } } } });
    expect(JSON.stringify(broken)).not.toContain('typed-by-hand');
    await main.replay.replay(id, undefined, { [missing[0]!.id]: server.given[0]! });
    expect(server.requests.at(-1)!.raw).toContain(`Bearer ${server.given[0]}`);
    expect(await sent(main, id, { change: 'no-token' })).toMatchObject({ response: { status: 401 } });
  });
});

describe('is refused, and nothing is sent,', () => {
  it('when its server has another address, is gone, or never was ours', async () => {
    const { main, server } = await makeLoggedIn();
    const other = await startServer('127.0.0.3');
    const id = idOf(main, '/perfil');
    const entry = main.state.get().servers.find((each) => each.id === 'shop')!;
    const before = server.requests.length;
    const expectRefused = async (callId: string, problem: string): Promise<void> => {
      const refused = { ok: false, error: { kind: 'not-replayable', problem } };
      expect(main.replay.changes(callId)).toEqual(refused);
      expect(await main.replay.replay(callId, undefined)).toEqual(refused);
    };
    // A path is an address too: what begins alike is not below it.
    for (const address of [other.baseUrl, server.baseUrl.slice(0, -1), `${server.baseUrl}/v2`]) {
      await main.servers.edit({ ...entry, address });
      const result = await main.replay.replay(id, undefined);
      expect(result).toEqual({ ok: false, error: { kind: 'not-replayable', problem: 'other-address' } });
    }
    await expectRefused(id, 'other-address');

    const whole = main.calls.every(all);
    const har = parseHar(writeHar(whole, { name: 'x', version: '1' }));
    const read = har.ok && readHarEntry(har.entries[0], main.references);
    if (!read) throw new Error('the archive was not read');
    main.calls.add({ ...read, id: 'from-a-file', serverId: 'imported' });
    await expectRefused('from-a-file', 'imported');
    main.calls.add({ ...whole[0]!, id: 'of-none', serverId: 'removed' });
    await expectRefused('of-none', 'no-server');
    expect(server.requests.length).toBe(before);
    expect(other.requests).toEqual([]);
  });

  it('when a token came from another address than its server has come to have', async () => {
    const { main, server } = await makeLoggedIn();
    const other = await startServer('127.0.0.3');
    const id = idOf(main, '/perfil');
    const original = main.calls.get(id);
    if (!original.ok) throw new Error('gone');
    const entry = main.state.get().servers.find((each) => each.id === 'shop')!;
    await main.servers.edit({ ...entry, address: other.baseUrl });
    // As if somebody had changed the file of the calls.
    const url = [`${other.baseUrl}/api/v1/auth/perfil`];
    main.calls.add({ ...original.value, id: 'forged', request: { ...original.value.request, url } });
    expect(await main.replay.replay('forged', undefined)).toEqual({
      ok: false,
      error: { kind: 'other-address', baseUrl: server.baseUrl },
    });
    expect(other.requests).toEqual([]);
  });

  it('by the other address of localhost, where somebody else may listen', async () => {
    const server = await startServer('::1');
    const main = await makeMain({ shop: server });
    await main.session.login(ana);
    await server.close();
    const other = await startServer('127.0.0.1', server.port);
    for (const called of ['/perfil', '/login'])
      expect(await sent(main, idOf(main, called))).toMatchObject({ failure: { kind: 'refused' } });
    expect(other.requests).toEqual([]);
  });

  it('on a production server before its host was typed, unless it is a login or a profile as it was', async () => {
    const { main, server } = await makeLoggedIn();
    await main.session.register({ ...ana, path: 'registro' });
    await main.session.logOutShown(true);
    const entry = main.state.get().servers.find((each) => each.id === 'shop')!;
    await main.servers.edit({ ...entry, address: server.baseUrl, production: true });
    const before = server.requests.length;
    const host = `127.0.0.1:${server.port}`;
    const refused = { ok: false, error: { kind: 'production-not-confirmed', serverId: 'shop', host } };
    expect(await main.replay.replay(idOf(main, '/registro'), undefined)).toEqual(refused);
    expect(await main.replay.replay(idOf(main, '/salir'), undefined)).toEqual(refused);
    expect(await main.replay.replay(idOf(main, '/login'), { change: 'malformed-json' })).toEqual(refused);
    expect(await main.replay.replay(idOf(main, '/perfil'), { change: 'no-token' })).toEqual(refused);
    expect(server.requests.length).toBe(before);
    await sent(main, idOf(main, '/login'));
    await sent(main, idOf(main, '/perfil'));
    main.servers.confirmProduction('shop', host);
    await sent(main, idOf(main, '/registro'));
    await sent(main, idOf(main, '/perfil'), { change: 'no-token' });
    expect(server.requests.length).toBe(before + 4);
  });
});
