import { describe, expect, it } from 'vitest';
import { makeMain } from '../../support/make-main.ts';
import {
  addToFile,
  all,
  anaQuoted,
  editableOf,
  edited,
  idOf,
  makeLoggedIn,
  sent,
  startServer,
} from '../../support/replay-main.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

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
    expect(JSON.parse(server.requests.at(-1)!.body)).toEqual({ email: anaQuoted.email, password: typed });
    expect(JSON.stringify(result)).not.toContain('just');
    expect(result).toMatchObject({ value: { outcome: 'sent', call: { response: { status: 200 } } } });
    // The token of the answer is no session, and is nowhere but in the memory of this run.
    expect(main.sessionStore.all()).toHaveLength(1);
    const token = server.given.at(-1)!;
    // The profile's token is in the vault, so nothing is asked. Without the field of the password, that of the login is
    // not needed.
    await sent(main, idOf(main, '/perfil'));
    await sent(main, id, edited(main, id, { body: [`{"email":"${anaQuoted.email}"}`] }));
    main.calls.close();
    expect(await filesContaining(main.folder, 'replayOf')).not.toEqual([]);
    for (const secret of [token, token.split('|')[1]!, server.given[0]!, typed, 'just', anaQuoted.password])
      expect(await filesContaining(main.folder, secret)).toEqual([]);
  });

  it('a token whose session was forgotten in another run is asked for', async () => {
    const { main: first, server } = await makeLoggedIn();
    await first.session.forget(first.sessionStore.all()[0]!.id);
    first.calls.close();
    const main = await makeMain({ shop: server }, { folder: first.folder, store: first.store });
    const id = idOf(main, '/perfil');
    const asked = await main.replay.replay(id, undefined);
    expect(asked).toMatchObject({ value: { outcome: 'secrets-missing', missing: [{ secret: 'token' }] } });
    const missing = asked.ok && asked.value.outcome === 'secrets-missing' ? asked.value.missing : [];
    // The same holds when the token is sent broken and comes back whole, in a sentence.
    const { headers } = editableOf(main, id);
    const altered = headers.map(({ name, value }) => ({
      name,
      value: name === 'Authorization' ? [...value, 'x'] : value,
    }));
    const request = edited(main, id, { headers: altered });
    const broken = await main.replay.replay(id, request, { [missing[0]!.id]: 'typed-by-hand' });
    expect(server.requests.at(-1)!.raw).toContain('Bearer typed-by-handx\r\n');
    expect(broken).toMatchObject({ value: { call: { response: { status: 401 } } } });
    expect(JSON.stringify(broken)).not.toContain('typed-by-hand');
    await main.replay.replay(id, undefined, { [missing[0]!.id]: server.given[0]! });
    expect(server.requests.at(-1)!.raw).toContain(`Bearer ${server.given[0]}`);
    const withoutToken = edited(main, id, { headers: headers.filter(({ name }) => name !== 'Authorization') });
    expect(await sent(main, id, withoutToken)).toMatchObject({ response: { status: 401 } });
  });
});

describe('a replay is refused, and nothing is sent,', () => {
  it('when its server has another address or is gone', async () => {
    const { main, server } = await makeLoggedIn();
    const other = await startServer('127.0.0.3');
    const id = idOf(main, '/perfil');
    const entry = main.state.get().servers.find((each) => each.id === 'shop')!;
    await main.session.logOutShown(true);
    const before = server.requests.length;
    const expectRefused = async (callId: string, problem: string): Promise<void> => {
      const refused = { ok: false, error: { kind: 'not-replayable', problem } };
      expect(main.replay.editable(callId)).toEqual(refused);
      expect(await main.replay.replay(callId, undefined)).toEqual(refused);
    };
    // A path is an address too: what begins alike is not below it.
    for (const address of [other.baseUrl, server.baseUrl.slice(0, -1), `${server.baseUrl}/v2`]) {
      await main.servers.edit({ ...entry, address });
      const result = await main.replay.replay(id, undefined);
      expect(result).toEqual({ ok: false, error: { kind: 'not-replayable', problem: 'other-address' } });
    }
    await expectRefused(id, 'other-address');

    const whole = main.calls.findAll(all);
    addToFile(main, { ...whole[0]!, id: 'of-none', serverId: 'removed' });
    await expectRefused('of-none', 'no-server');
    expect(server.requests.length).toBe(before);
    expect(other.requests).toEqual([]);
  });

  it('when a token came from another address than its server has come to have', async () => {
    const { main } = await makeLoggedIn();
    const other = await startServer('127.0.0.3');
    const id = idOf(main, '/perfil');
    const original = main.calls.get(id);
    if (!original.ok) throw new Error('gone');
    const entry = main.state.get().servers.find((each) => each.id === 'shop')!;
    await main.servers.edit({ ...entry, address: other.baseUrl });
    const url = [`${other.baseUrl}/api/v1/auth/perfil`];
    addToFile(main, { ...original.value, id: 'forged', request: { ...original.value.request, url } });
    // The session ended with the address, and its token is known no more.
    expect(await main.replay.replay('forged', undefined)).toMatchObject({ value: { outcome: 'secrets-missing' } });
    expect(other.requests).toEqual([]);
  });

  it('at the other address of localhost, where somebody else may listen', async () => {
    const server = await startServer('::1');
    const main = await makeMain({ shop: server });
    await main.session.logins.login(anaQuoted);
    await server.close();
    const other = await startServer('127.0.0.1', server.port);
    for (const called of ['/perfil', '/login'])
      expect(await sent(main, idOf(main, called))).toMatchObject({ failure: { kind: 'refused' } });
    expect(other.requests).toEqual([]);
  });

  it('on a production server before its host was typed, unless it is a login or a profile as it was', async () => {
    const { main, server } = await makeLoggedIn();
    await main.session.logins.register({ ...anaQuoted, path: 'registro' });
    await main.session.logOutShown(true);
    const entry = main.state.get().servers.find((each) => each.id === 'shop')!;
    await main.servers.edit({ ...entry, address: server.baseUrl, production: true });
    const before = server.requests.length;
    const host = `127.0.0.1:${server.port}`;
    const refused = { ok: false, error: { kind: 'production-not-confirmed', serverId: 'shop', host } };
    expect(await main.replay.replay(idOf(main, '/registro'), undefined)).toEqual(refused);
    expect(await main.replay.replay(idOf(main, '/salir'), undefined)).toEqual(refused);
    const [login, profile] = [idOf(main, '/login'), idOf(main, '/perfil')];
    expect(await main.replay.replay(login, edited(main, login, { body: ['{'] }))).toEqual(refused);
    expect(await main.replay.replay(profile, edited(main, profile, { headers: [] }))).toEqual(refused);
    expect(server.requests.length).toBe(before);
    await sent(main, login);
    await sent(main, profile);
    main.servers.production.confirm('shop', host);
    await sent(main, idOf(main, '/registro'));
    await sent(main, profile, edited(main, profile, { headers: [] }));
    expect(server.requests.length).toBe(before + 4);
  });
});
