import { describe, expect, it, onTestFinished } from 'vitest';
import type { NamedChange } from '../../../preload/contract/calls.ts';
import { makeMain } from '../../support/make-main.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import {
  all,
  ana,
  bea,
  changesOf,
  idOf,
  makeLoggedIn,
  sent,
  startServer,
  withBody,
} from '../../support/replay-main.ts';

describe('a replay as it was', () => {
  it.each(['login', 'perfil', 'registro', 'register', 'salir'] as const)(
    'sends a call of %s again byte for byte',
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
    const here = () => {
      const { session, sessions } = main.state.get();
      return JSON.stringify([session, sessions, main.held.all()]);
    };
    const before = here();
    await sent(main, idOf(main, '/login'));
    expect(server.given).toHaveLength(2);
    expect(here()).toBe(before);
    main.session.addAccount();
    await main.session.login(bea);
    await main.session.logOutShown(true);
    // The server no longer knows the other's token after this. Llavero does not pretend here that anything was seen.
    const [{ id } = { id: '' }] = main.held.all();
    const kept = here();
    const ended = await sent(main, idOf(main, '/salir'), { change: 'other-token', sessionId: id });
    expect(ended.response?.status).toBe(200);
    expect(here()).toBe(kept);
    expect(await sent(main, idOf(main, '/perfil'))).toMatchObject({ response: { status: 401 } });
  });

  it('is a record like any other when it fails or is cancelled, and one is under way at a time', async () => {
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

describe('a replay with a named change', () => {
  it('is offered as far as its request can have the change', async () => {
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
  const cases: [NamedChange, 'login' | 'perfil' | 'register', change: (raw: string) => string][] = [
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
  it.each(cases)('sends %o of a call of %s, and changes nothing else', async (change, operation, expected) => {
    const { main, server } = await makeLoggedIn();
    await main.session.register({ ...ana, cpassword: ana.password, path: 'register' });
    const original = server.requests.find(({ target }) => target.endsWith(operation))!;
    const replay = await sent(main, idOf(main, `/${operation}`), change);
    const last = server.requests.at(-1)!;
    expect(last.raw).toBe(operation === 'register' ? withBody(original.raw, expected('')) : expected(original.raw));
    expect(replay.replayOf?.change).toEqual(change);
    // A replay of the replay is the same again, so its record lost nothing.
    await sent(main, replay.id);
    expect(server.requests.at(-1)!.raw).toBe(last.raw);
  });

  it('goes out with the token of another session of the same server, and of no other', async () => {
    const { main, server } = await makeLoggedIn();
    const other = await startServer('127.0.0.3');
    main.session.addAccount();
    await main.session.login(bea);
    await main.servers.chooseAddress({ address: other.baseUrl });
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

describe('the built-in server', () => {
  it('is sent the tokens of its own sessions alone, and no server at its address gets those', async () => {
    const server = await startServer();
    const { baseUrl } = server;
    const service = { baseUrl, port: Number(new URL(baseUrl).port), place: '', close: async () => undefined };
    const startBuiltIn = async () => ({ ok: true, service }) as const;
    const main = await makeMain({ shop: server }, { ports: { startBuiltIn } });
    await main.session.login(ana);
    await main.servers.choose({ id: 'built-in' });
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
    // While it is not there, nothing is sent to another program that may listen where it was.
    main.state.set({ builtIn: { state: 'starting' } });
    expect(await main.replay.replay(inBuiltIn!.id, undefined)).toEqual({ ok: false, error: { kind: 'not-now' } });
  });
});
