import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';
import { entered } from '../../support/with-person.ts';

const logout = '/app/api/v1/auth/salir';
const account = (name: string) =>
  ({
    name,
    email: `${name}@example.test`,
    password: 'correct horse battery',
    cpassword: '',
    path: 'registro',
  }) as const;

/** Makes main with three sessions at a server whose logout answers as `server.status` says. */
async function makeThree() {
  const server = { status: 503 };
  const foreign = await startForeignServer({
    override: ({ path }) =>
      path === logout && server.status !== 200 ? { status: server.status, body: {} } : undefined,
  });
  const main = await makeMain({ foreign });
  for (const name of ['ana', 'bea', 'carl']) {
    main.session.addAccount();
    await main.session.logins.register(account(name));
  }
  const tries = (): number => foreign.calls.filter(({ path }) => path === logout).length;
  return { ...main, server, foreign, tries };
}

const minute = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Lets so much time pass for main, and then what it sends. */
async function pass(ms: number, tries: () => number, expected: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await vi.waitFor(() => expect(tries()).toBe(expected));
  // The answer is read and the next try planned.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

describe('a logout that waits for its server', () => {
  it('is tried after 1, 2, 5 and 15 minutes, one call each time for all sessions of the server, until it is told', async () => {
    const { session, server, tries, state } = await makeThree();
    await session.startRetries();
    expect(await session.logoutEverywhere()).toMatchObject({
      value: { serverNotified: 0, pendingLogouts: 3, noLogout: 0 },
    });
    expect(tries()).toBe(1);
    for (const [index, minutes] of [1, 2, 5].entries()) {
      await pass(minutes * minute - 1000, tries, index + 1);
      await pass(1000, tries, index + 2);
    }
    server.status = 200;
    await pass(15 * minute, tries, 7);
    await vi.waitFor(() => expect(state.get().sessions).toEqual([]));
    // The mark of the server is told once more, and then nothing waits.
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1000);
      expect(vi.getTimerCount()).toBe(0);
    });
    session[Symbol.dispose]();
  });

  it('waits while the application is locked, and is told once it is open', async () => {
    const { session, server, tries, state, lock, handlers } = await makeThree();
    await session.startRetries();
    await session.logoutEverywhere();
    lock.lock('by-hand');
    server.status = 200;
    await pass(120 * minute, tries, 1);
    await handlers.lock.unlock({});
    await vi.waitFor(() => expect(state.get().sessions).toEqual([]));
    session[Symbol.dispose]();
  });

  it('is not told by itself where the person chose not to tell, or where the server has no logout', async () => {
    const { session, server, tries, state } = await makeThree();
    await session.startRetries();
    await session.logOutShown(false);
    server.status = 404;
    expect(await session.logoutEverywhere()).toMatchObject({
      value: { serverNotified: 0, pendingLogouts: 0, noLogout: 3 },
    });
    const before = tries();
    await pass(120 * minute, tries, before);
    expect(state.get().sessions.map(({ state: held, logoutPending }) => [held, logoutPending])).toEqual([
      ['to-revoke', undefined],
      ['to-revoke', undefined],
      ['to-revoke', undefined],
    ]);
  });

  it('is not held up by another session, to whose logout the server answers with a fault each time', async () => {
    let faultOf: string | undefined;
    const foreign = await startForeignServer({
      override: ({ path, headers }) =>
        path === logout && foreign.tokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '') === faultOf
          ? { status: 500, body: {} }
          : undefined,
    });
    const { session, state } = await makeMain({ foreign });
    for (const name of ['ana', 'bea', 'carl']) {
      session.addAccount();
      await session.logins.register(account(name));
    }
    faultOf = 'ana@example.test';
    expect(await session.logoutEverywhere()).toMatchObject({
      value: { serverNotified: 2, pendingLogouts: 1, noLogout: 0 },
    });
    expect(state.get().sessions.map((held) => held.account)).toEqual(['ana@example.test']);
    session[Symbol.dispose]();
  });

  it('ends no session before the host of a production server was typed, and is not sent there in a later run without', async () => {
    const main = await makeThree();
    const { session, servers, state, tries, foreign, folder, store, server } = main;
    expect(await servers.edit({ ...entered(main, 'foreign', {}), production: true })).toMatchObject({ ok: true });
    const refused = { ok: false, error: { kind: 'production-not-confirmed' } };
    expect(await session.logoutEverywhere()).toMatchObject(refused);
    expect(state.get().sessions.every((held) => held.state === 'usable')).toBe(true);
    servers.production.confirm('foreign', new URL(foreign.baseUrl).host);
    expect(await session.logoutEverywhere()).toMatchObject({ value: { pendingLogouts: 3 } });
    const before = tries();
    server.status = 200;
    const next = await makeMain({ foreign }, { folder, store });
    await next.session.startRetries();
    await pass(120 * minute, tries, before);
    expect(next.state.get().sessions).toHaveLength(3);
    next.session[Symbol.dispose]();
  });
});
