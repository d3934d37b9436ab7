import { operationPaths } from '../../../preload/contract/names.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RecordedCall } from '../../../preload/contract/calls.ts';
import { makeMain } from '../../support/make-main.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import {
  addToFile,
  all,
  anaQuoted,
  bea,
  edited,
  idOf,
  makeLoggedIn,
  sent,
  startServer,
} from '../../support/replay-main.ts';

describe('a replay as it was', () => {
  it.each(['login', 'profile', 'registro', 'register', 'logout'] as const)(
    'sends a call of %s again byte for byte',
    async (operation) => {
      const { main, server } = await makeLoggedIn();
      if (operation === 'registro' || operation === 'register')
        await main.session.logins.register({ ...anaQuoted, cpassword: anaQuoted.password, path: operation });
      if (operation === 'logout') await main.session.logOutShown(true);
      const original = server.requests.find(({ target }) => target.endsWith(operationPaths[operation]))!;
      const id = idOf(main, operationPaths[operation]);
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
      return JSON.stringify([session, sessions, main.sessionStore.all()]);
    };
    const before = here();
    await sent(main, idOf(main, '/login'));
    expect(server.given).toHaveLength(2);
    expect(here()).toBe(before);
    // The server no longer knows the token after this. Llavero does not pretend here that anything was seen.
    const id = idOf(main, '/perfil');
    const logout = edited(main, id, { method: 'POST', path: ['/api/v1/auth/salir'] });
    expect(await sent(main, id, logout)).toMatchObject({ response: { status: 200 } });
    expect(here()).toBe(before);
    expect(await sent(main, idOf(main, '/perfil'))).toMatchObject({ response: { status: 401 } });
  });

  it('is a record like any other when it fails or is cancelled, and one is under way at a time', async () => {
    let silent = false;
    const server = await startRecordingServer(() => (silent ? undefined : answer(200, { token: '1|abcdefghijkl' })));
    onTestFinished(() => server.close());
    const main = await makeMain({ shop: { baseUrl: server.origin } });
    await main.session.logins.login(anaQuoted);
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

/** A call of the same request with the token of another session, as somebody else could write it into the file. */
const withToken = (call: RecordedCall, sessionId: string): RecordedCall => {
  const { head } = call.request;
  const text = head.text.map((part) => (typeof part === 'string' ? part : { ...part, id: sessionId }));
  return { ...call, id: `forged-${sessionId}`, request: { ...call.request, head: { ...head, text } } };
};

describe('the built-in server', () => {
  it('is sent the tokens of its own sessions alone, and no server at its address gets those', async () => {
    const server = await startServer();
    const { baseUrl } = server;
    const service = { baseUrl, port: Number(new URL(baseUrl).port), location: '', close: async () => undefined };
    const startBuiltIn = async () => ({ ok: true, service }) as const;
    const main = await makeMain({ shop: server }, { ports: { startBuiltIn } });
    await main.session.logins.login(anaQuoted);
    await main.servers.choose({ id: 'built-in' });
    await main.session.logins.login(bea);
    const [shops, builtIns] = main.sessionStore.all();
    const [inShop, inBuiltIn] = main.calls.findAll({ ...all, search: '/perfil' });
    expect([inShop!.serverId, inBuiltIn!.serverId]).toEqual(['shop', 'built-in']);
    const before = server.requests.length;
    for (const [call, session] of [
      [inShop!, builtIns!],
      [inBuiltIn!, shops!],
    ] as const) {
      addToFile(main, withToken(call, session.id));
      expect(await main.replay.replay(`forged-${session.id}`, undefined)).toMatchObject({
        error: { kind: 'other-address' },
      });
    }
    expect(server.requests.length).toBe(before);
    expect(await sent(main, inBuiltIn!.id)).toMatchObject({ response: { status: 200 } });
    // While it is not there, nothing is sent to another program that may listen where it was.
    main.state.set({ builtIn: { state: 'starting' } });
    expect(await main.replay.replay(inBuiltIn!.id, undefined)).toEqual({ ok: false, error: { kind: 'not-now' } });
  });
});
