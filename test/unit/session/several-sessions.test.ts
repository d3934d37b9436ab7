import { describe, expect, it, vi } from 'vitest';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const bea = { name: 'Bea Prueba', email: 'bea@example.test', password: 'battery horse correct', cpassword: '' };
const at = { path: 'registro' } as const;
const profile = '/app/api/v1/auth/perfil';
const logout = '/app/api/v1/auth/salir';

/** Makes main with Ana and then Bea logged in on one server. Bea is on the screen. */
async function makeTwo(options: Parameters<typeof startForeignServer>[0] = {}) {
  const foreign = await startForeignServer(options);
  const main = await makeMain({ foreign });
  await main.session.logins.register({ ...ana, ...at });
  main.session.addAccount();
  await main.session.logins.register({ ...bea, ...at });
  const idOf = (account: string): string =>
    main.state.get().sessions.find((each) => each.account === account)?.id ?? '';
  foreign.calls.length = 0;
  main.shown.length = 0;
  return { ...main, foreign, idOf };
}

describe('several accounts on one server', () => {
  it('are kept side by side, with the number of the token and no more of it', async () => {
    const { state, foreign, shown, session } = await makeTwo();
    expect(state.get().sessions).toMatchObject([
      { account: ana.email, tokenId: '41', state: 'usable', madeAt: '2026-11-21T10:00:00.000Z' },
      { account: bea.email, tokenId: '42', state: 'usable', checkedAt: '2026-11-21T10:00:00.000Z' },
    ]);
    await session.checkShown();
    const [opaque] = [...foreign.tokens.keys()].map((token) => token.split('|')[1]!);
    expect(JSON.stringify(shown)).not.toContain(opaque);
  });

  it('are switched without a state that shows the one under the session of the other', async () => {
    const { servers, session, shown, idOf, foreign } = await makeTwo();
    const anas = idOf(ana.email);
    await servers.chooseSession({ id: anas });
    await session.restored();
    const pairs = shown.map(({ session }) => session.step !== 'signed-out' && [session.sessionId, session.user.email]);
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.every((pair) => JSON.stringify(pair) === JSON.stringify([anas, ana.email]))).toBe(true);
    expect(foreign.calls.map(({ path, headers }) => [path, headers.authorization?.slice(0, 9)])).toEqual([
      [profile, 'Bearer 41'],
    ]);
  });

  it('are on the screen as they are stored before their server has answered', async () => {
    let isSilent = false;
    const { servers, session, state, idOf, foreign } = await makeTwo({
      override: () => (isSilent ? 'no answer' : undefined),
    });
    isSilent = true;
    expect(await servers.chooseSession({ id: idOf(ana.email) })).toEqual({ ok: true, value: null });
    expect(state.get().session).toMatchObject({ step: 'restoring', user: { name: ana.name } });
    await vi.waitFor(() => expect(foreign.calls).toHaveLength(1));
    session.operations.cancel();
    await session.restored();
    expect(state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'unchecked' } });
  });

  it('show the one that was on the screen last after a restart', async () => {
    const { servers, idOf, foreign, folder, store } = await makeTwo();
    await servers.chooseSession({ id: idOf(ana.email) });
    const next = await makeMain({ foreign }, { folder, store });
    expect(next.state.get().session).toMatchObject({ step: 'restoring', user: { name: ana.name } });
    expect(next.state.get().sessions).toHaveLength(2);
  });

  it.each(['hasOwnProperty', 'constructor', '__proto__'])('have none of the name %s', async (id) => {
    const { servers, session, state, shown } = await makeTwo();
    const before = state.get();
    const asked = [
      () => servers.chooseSession({ id }),
      () => session.check(id),
      () => session.forget(id),
      () => session.revoke(id),
      () => session.logout(id, true),
    ];
    for (const ask of asked) expect(await ask()).toEqual({ ok: false, error: { kind: 'not-now' } });
    expect([state.get(), shown]).toEqual([before, []]);
  });

  it('keep the sessions when another account is being added', async () => {
    const { session, state } = await makeTwo();
    session.addAccount();
    expect(state.get().session).toEqual({ step: 'signed-out' });
    expect(state.get().sessions).toHaveLength(2);
  });

  it('can be checked, logged out and forgotten from the list, whatever is on the screen', async () => {
    const { session, state, vault, idOf, foreign } = await makeTwo();
    const anas = idOf(ana.email);
    expect(await session.check(anas)).toMatchObject({ ok: true });
    expect(state.get().session).toMatchObject({ step: 'signed-in', user: { email: bea.email } });
    expect(await session.logout(anas, true)).toMatchObject({ ok: true });
    expect(foreign.calls.at(-1)).toMatchObject({ path: logout });
    expect(state.get().session).toMatchObject({ step: 'signed-in', user: { email: bea.email } });
    expect(state.get().sessions.map(({ account }) => account)).toEqual([bea.email]);
    foreign.calls.length = 0;
    await session.forget(idOf(bea.email));
    expect(state.get()).toMatchObject({ session: { step: 'signed-out' }, sessions: [] });
    expect(foreign.calls).toEqual([]);
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
  });

  it('end one by one: a token the server no longer knows takes no other along', async () => {
    const { session, state, foreign, idOf } = await makeTwo();
    foreign.tokens.delete([...foreign.tokens.keys()][0]!);
    expect(await session.check(idOf(ana.email))).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    expect(state.get().sessions.map(({ account }) => account)).toEqual([bea.email]);
    expect(state.get().session).toMatchObject({ step: 'signed-in', user: { email: bea.email } });
  });
});

describe('a logout the server was not told of', () => {
  const failing = () => {
    const server = { down: true };
    const options: Parameters<typeof startForeignServer>[0] = {
      override: ({ path }) => (server.down && path === logout ? { status: 503, body: {} } : undefined),
    };
    return { server, options };
  };

  it('can be told again at a server that had no logout, once it has one', async () => {
    const server = { without: true };
    const { session, state, idOf, vault } = await makeTwo({
      override: ({ path }) => (server.without && path === logout ? { status: 405, body: '<html></html>' } : undefined),
    });
    await session.logOutShown(true);
    expect(state.get().session).toMatchObject({ notice: { kind: 'logged-out-no-way-to-tell' } });
    const id = idOf(bea.email);
    expect(await session.revoke(id)).toMatchObject({
      ok: false,
      error: { kind: 'unexpected', reason: 'operation-missing', status: 405 },
    });
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(2);
    server.without = false;
    expect(await session.revoke(id)).toMatchObject({ ok: true });
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(1);
  });

  it('is told again until it works, also after a restart, and then lets the token go', async () => {
    const { server, options } = failing();
    const { session, folder, store, foreign, idOf } = await makeTwo(options);
    await session.logOutShown(true);
    const id = idOf(bea.email);
    const next = await makeMain({ foreign }, { folder, store });
    expect(next.state.get().sessions).toMatchObject([{ state: 'usable' }, { id, state: 'to-revoke' }]);
    expect(await next.servers.chooseSession({ id })).toMatchObject({ ok: false });
    expect(await next.session.revoke(id)).toMatchObject({ ok: false, error: { kind: 'server-fault' } });
    server.down = false;
    expect(await next.session.revoke(id)).toMatchObject({ ok: true });
    expect(foreign.calls.at(-1)?.headers.authorization).toMatch(/^Bearer 42\|/);
    expect(foreign.tokens.size).toBe(1);
    expect(next.state.get().sessions).toHaveLength(1);
    expect(await next.vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(1);
  });

  it('can be given up, which sends nothing', async () => {
    const { options } = failing();
    const { session, state, vault, foreign, idOf } = await makeTwo(options);
    await session.logOutShown(true);
    foreign.calls.length = 0;
    await session.forget(idOf(bea.email));
    expect(foreign.calls).toEqual([]);
    expect(state.get().session).toEqual({ step: 'signed-out', email: bea.email });
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(1);
  });

  it('is remembered for this run only when the token is in memory only', async () => {
    const { options } = failing();
    const foreign = await startForeignServer(options);
    const cipher = createFakeCipher({ protection: { protected: false, reason: 'no-keyring' } });
    const main = await makeMain({ foreign }, { cipher });
    await main.session.logins.register({ ...ana, ...at });
    await main.session.logOutShown(true);
    expect(main.state.get().sessions).toMatchObject([{ state: 'to-revoke' }]);
    const next = await makeMain({ foreign }, { folder: main.folder, store: main.store, cipher });
    expect(next.state.get().sessions).toEqual([]);
  });
});

describe('what was learned of a server', () => {
  it('changes once by a login, though login and profile have the user at different places', async () => {
    const foreign = await startForeignServer({
      override: ({ path }) =>
        path.endsWith('/login')
          ? { status: 200, body: { token: '41|right-0123456789', user: { id: 1, email: ana.email } } }
          : { status: 200, body: { id: 1, email: ana.email } },
    });
    const { session, state, told } = await makeMain({ foreign });
    await session.logins.login(ana);
    await vi.waitUntil(() => state.get().servers[1]?.learned.user !== undefined);
    for (const expected of ['signed-out', 'signed-in']) {
      told.length = 0;
      if (expected === 'signed-out') session.addAccount();
      else await session.logins.login(ana);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      expect(told.at(-1)).toMatchObject({ session: { step: expected } });
      expect(new Set(told.map((each) => !each.locked && each.servers[1]?.learned.user))).toEqual(new Set(['body']));
    }
  });

  it('is learned for the server, and a pinned place is used instead', async () => {
    const body = {
      token: 'wrong|0123456789',
      extra: { 'x.y': ['41|right-0123456789'] },
      refresh_token: 'r|0123456789',
    };
    const foreign = await startForeignServer({
      override: ({ path }) => (path.endsWith('/login') ? { status: 200, body } : undefined),
    });
    const { session, servers, state } = await makeMain({ foreign });
    const server = state.get().servers.find(({ id }) => id === 'foreign')!;
    const pin = (token: string) => servers.edit({ ...server, address: server.baseUrl, pinned: { token } });

    await session.logins.login(ana);
    expect(foreign.calls.at(-1)?.headers.authorization).toBe('Bearer wrong|0123456789');
    await vi.waitUntil(() => state.get().servers[1]?.learned.token === 'token');
    await pin('extra.x.y[0]');
    await session.logins.login(ana);
    expect(foreign.calls.at(-1)?.headers.authorization).toBe('Bearer 41|right-0123456789');

    // A pin to nothing gives no leave to guess, and one to what renews a session gives none to use it.
    foreign.calls.length = 0;
    for (const path of ['nowhere', 'refresh_token', 'extra', '__proto__']) {
      await pin(path);
      expect(await session.logins.login(ana)).toMatchObject({ ok: false, error: { reason: 'no-token' } });
    }
    expect(foreign.calls.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });
});
