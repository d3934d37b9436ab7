import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const registration = { ...ana, path: 'registro' } as const;

async function makeProduction() {
  const foreign = await startForeignServer();
  const main = await makeMain({ foreign });
  const server = main.state.get().servers.find(({ id }) => id === 'foreign')!;
  await main.servers.edit({ ...server, address: server.baseUrl, production: true });
  const host = `${foreign.host}:${foreign.port}`;
  const notConfirmed = { kind: 'production-not-confirmed', serverId: 'foreign', host };
  return { ...main, foreign, host, notConfirmed };
}

describe('on a production server', () => {
  it('another path that is typed is guarded as well, and another host is not', async () => {
    const main = await makeMain({ shop: { baseUrl: 'https://shop.example.test' } });
    const server = main.state.get().servers[1]!;
    await main.servers.edit({ ...server, address: server.baseUrl, production: true });
    await main.servers.chooseAddress({ address: 'https://SHOP.example.test/v2' });
    await main.servers.chooseAddress({ address: 'https://shop.example.test:8443' });
    expect(main.state.get().servers.map(({ production }) => production)).toEqual([false, true, true, false]);
  });

  it('nothing is registered before the host was typed exactly, once per run', async () => {
    const { session, servers, foreign, host, notConfirmed, folder, store } = await makeProduction();
    expect(await session.logins.register(registration)).toEqual({ ok: false, error: notConfirmed });
    for (const typed of ['', host.toUpperCase() + ' ', ` ${host}`, foreign.host, foreign.baseUrl]) {
      expect(servers.production.confirm('foreign', typed)).toEqual({
        ok: false,
        error: { kind: 'wrong-host', host },
      });
    }
    expect(foreign.calls).toEqual([]);
    expect(servers.production.confirm('foreign', host)).toMatchObject({ ok: true });
    expect(await session.logins.register(registration)).toMatchObject({ ok: true });
    expect(await session.logOutShown(true)).toMatchObject({ ok: true });
    expect(foreign.accounts.size).toBe(1);

    const next = await makeMain({ foreign }, { folder, store });
    expect(await next.session.logins.register(registration)).toEqual({ ok: false, error: notConfirmed });
  });

  it('a logout that is not to be told ends the session here all the same, and waits to be told', async () => {
    const { session, servers, state, foreign, notConfirmed } = await makeProduction();
    foreign.accounts.set(ana.email, { id: 7, ...ana });
    expect(await session.logins.login(ana)).toMatchObject({ ok: true });
    expect(await session.logOutShown(true)).toEqual({ ok: false, error: notConfirmed });
    expect(state.get().session.step).toBe('signed-in');
    foreign.calls.length = 0;
    expect(await session.logOutShown(false)).toMatchObject({ ok: true });
    expect(state.get().session).toMatchObject({ step: 'signed-out', notice: { kind: 'logged-out-untold' } });
    expect(foreign.calls).toEqual([]);

    const [waiting] = state.get().sessions;
    expect(await session.revoke(waiting!.id)).toEqual({ ok: false, error: notConfirmed });
    expect(foreign.calls).toEqual([]);
    servers.production.confirm('foreign', notConfirmed.host);
    expect(await session.revoke(waiting!.id)).toMatchObject({ ok: true });
    expect(foreign.tokens.size).toBe(0);
  });

  it('the host is asked for again when the server was given another address', async () => {
    const { session, servers, state, host, foreign } = await makeProduction();
    const other = await startForeignServer();
    await session.logins.register(registration);
    servers.production.confirm('foreign', host);
    const server = state.get().servers.find(({ id }) => id === 'foreign')!;
    await servers.edit({ ...server, address: other.baseUrl });
    expect(await session.logins.register(registration)).toMatchObject({
      ok: false,
      error: { kind: 'production-not-confirmed', host: `${other.host}:${other.port}` },
    });
    expect([...foreign.calls, ...other.calls]).toEqual([]);
  });
});
