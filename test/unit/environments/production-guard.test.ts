import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const registration = { ...ana, path: 'registro' } as const;

async function makeProduction() {
  const foreign = await startForeignServer();
  const main = await makeMain({ foreign });
  const environment = main.state.get().environments.find(({ id }) => id === 'foreign')!;
  await main.environments.edit({ ...environment, address: environment.baseUrl, production: true });
  const host = `${foreign.host}:${foreign.port}`;
  const notConfirmed = { kind: 'production-not-confirmed', environmentId: 'foreign', host };
  return { ...main, foreign, host, notConfirmed };
}

describe('on a production server', () => {
  it('another path that is typed is guarded as well, and another host is not', async () => {
    const main = await makeMain({ shop: { baseUrl: 'https://shop.example.test' } });
    const environment = main.state.get().environments[1]!;
    await main.environments.edit({ ...environment, address: environment.baseUrl, production: true });
    await main.environments.useAddress('https://SHOP.example.test/v2');
    await main.environments.useAddress('https://shop.example.test:8443');
    expect(main.state.get().environments.map(({ production }) => production)).toEqual([false, true, true, false]);
  });

  it('nothing is registered before the host was typed exactly, once per run', async () => {
    const { session, environments, foreign, host, notConfirmed, folder, store } = await makeProduction();
    expect(await session.register(registration)).toEqual({ ok: false, error: notConfirmed });
    for (const typed of ['', host.toUpperCase() + ' ', ` ${host}`, foreign.host, foreign.baseUrl]) {
      expect(environments.confirmProduction('foreign', typed)).toEqual({
        ok: false,
        error: { kind: 'wrong-host', host },
      });
    }
    expect(foreign.calls).toEqual([]);
    expect(environments.confirmProduction('foreign', host)).toMatchObject({ ok: true });
    expect(await session.register(registration)).toMatchObject({ ok: true });
    expect(await session.logout(true)).toMatchObject({ ok: true });
    expect(foreign.accounts.size).toBe(1);

    const next = await makeMain({ foreign }, { folder, store });
    expect(await next.session.register(registration)).toEqual({ ok: false, error: notConfirmed });
  });

  it('a logout that is not to be told ends the session here all the same, and waits to be told', async () => {
    const { session, environments, state, foreign, notConfirmed } = await makeProduction();
    foreign.accounts.set(ana.email, { id: 7, ...ana });
    expect(await session.login(ana)).toMatchObject({ ok: true });
    expect(await session.logout(true)).toEqual({ ok: false, error: notConfirmed });
    expect(state.get().session.step).toBe('signed-in');
    foreign.calls.length = 0;
    expect(await session.logout(false)).toMatchObject({ ok: true });
    expect(state.get().session).toMatchObject({ step: 'signed-out', notice: { kind: 'logged-out-untold' } });
    expect(foreign.calls).toEqual([]);

    const [waiting] = state.get().sessions;
    expect(await session.revoke(waiting!.id)).toEqual({ ok: false, error: notConfirmed });
    expect(foreign.calls).toEqual([]);
    environments.confirmProduction('foreign', notConfirmed.host);
    expect(await session.revoke(waiting!.id)).toMatchObject({ ok: true });
    expect(foreign.tokens.size).toBe(0);
  });

  it('asks anew when the environment was given another address', async () => {
    const { session, environments, state, host, foreign } = await makeProduction();
    const other = await startForeignServer();
    await session.register(registration);
    environments.confirmProduction('foreign', host);
    const environment = state.get().environments.find(({ id }) => id === 'foreign')!;
    await environments.edit({ ...environment, address: other.baseUrl });
    expect(await session.register(registration)).toMatchObject({
      ok: false,
      error: { kind: 'production-not-confirmed', host: `${other.host}:${other.port}` },
    });
    expect([...foreign.calls, ...other.calls]).toEqual([]);
  });
});
