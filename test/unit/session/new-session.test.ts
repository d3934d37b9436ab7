import { describe, expect, it, vi } from 'vitest';
import { startJsonServer } from '../../support/described-servers.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { createHeldCipher } from '../../support/held-cipher.ts';
import { makeMain } from '../../support/make-main.ts';

type Override = NonNullable<NonNullable<Parameters<typeof startForeignServer>[0]>['override']>;

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery' };
const user = { id: 7, name: ana.name, email: ana.email };
const answeredBy =
  (profile: ReturnType<Override>): Override =>
  ({ path: called }) =>
    called.endsWith('/login')
      ? { status: 200, body: { token: '7|0123456789abcdef', user } }
      : called.endsWith('/perfil')
        ? profile
        : undefined;

describe('a new session', () => {
  it('is shown once its profile is there and its token sealed, which happens at the same time, and before the answer', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = answeredBy({ status: 200, body: user });
    const foreign = await startForeignServer({
      override(call) {
        if (call.path.endsWith('/perfil')) asked.resolve();
        return answer(call);
      },
    });
    const system = createHeldCipher();
    const main = await makeMain({ foreign }, { cipher: system.cipher });
    system.hold();
    const login = main.handlers.session.login(ana);
    const stepAtAnswer = Promise.resolve(login).then(() => main.shown.at(-1)?.session.step);
    await asked.promise;
    expect(main.state.get()).toMatchObject({ session: { step: 'signed-out' }, sessions: [] });
    system.release();
    expect(await login).toMatchObject({ ok: true });
    expect(await stepAtAnswer).toBe('signed-in');
    expect(main.shown.map((each) => each.session.step)).not.toContain('restoring');
    expect(main.state.get().session).toMatchObject({ step: 'signed-in', user: { name: ana.name } });
  });

  it.each([
    ['a name of its own', { logged_in_as: ana.email }, { email: ana.email }],
    [
      'a name of its own, further in',
      { ok: true, data: { whoami: 'ANA@example.test' } },
      { email: 'ANA@example.test' },
    ],
    ['the id of the log-in', { account_number: 7 }, { id: '7' }],
  ])('is checked by a profile that has who logged in under %s', async (_name, body, user) => {
    const foreign = await startForeignServer({ override: answeredBy({ status: 200, body }) });
    const { session, state } = await makeMain({ foreign });
    expect(await session.logins.login(ana)).toMatchObject({ ok: true });
    expect(state.get().session).toMatchObject({ step: 'signed-in', user, check: { state: 'checked' } });
    expect(await session.checkShown()).toMatchObject({ ok: true });
    expect(state.get().session).toMatchObject({ step: 'signed-in', user });
  });

  it('is two changes of the configuration: itself, and what the profile says, with what was learned of the server', async () => {
    const foreign = await startForeignServer({ override: answeredBy({ status: 200, body: user }) });
    const { session, config } = await makeMain({ foreign });
    const before = config.get();
    const change = vi.spyOn(config, 'change');
    expect(await session.logins.login(ana)).toMatchObject({ ok: true });
    const changes = change.mock.calls.filter(([patch]) => Object.keys(patch).length > 0);
    expect(changes).toHaveLength(2);
    expect(config.get()).not.toEqual(before);
    expect(config.get()).toMatchObject({ lastEmails: { foreign: ana.email }, currentSessions: {} });
    expect(config.get().servers.at(-1)?.dialect.learned).toMatchObject({ token: 'token' });
  });

  it('that nobody confirmed is held and shown as not checked, whatever failed', async () => {
    const foreign = await startForeignServer({ override: answeredBy({ status: 503, body: {} }) });
    const { session, state, vault } = await makeMain({ foreign });
    expect(await session.logins.login(ana)).toMatchObject({ ok: true });
    expect(state.get()).toMatchObject({
      session: { step: 'signed-in', user: { name: ana.name }, check: { state: 'unchecked' } },
      sessions: [{ account: ana.email, tokenId: '7', state: 'usable' }],
    });
    expect(state.get().sessions[0]?.checkedAt).toBeUndefined();
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(1);
  });

  it('is not made where the server refuses its token, and the earlier session stays', async () => {
    let isRefused = false;
    const foreign = await startForeignServer({
      override: (call) => (isRefused ? answeredBy({ status: 401, body: { message: 'No' } })(call) : undefined),
    });
    const { session, state, sessionStore, vault, config } = await makeMain({ foreign });
    const first = { ...ana, email: 'bea@example.test', cpassword: '', path: 'registro' } as const;
    expect(await session.logins.register(first)).toMatchObject({ ok: true });
    const before = sessionStore.current('foreign')?.id;
    isRefused = true;
    session.addAccount();
    expect(await session.logins.login(ana)).toMatchObject({ ok: false, error: { reason: 'fresh-token-refused' } });
    expect(before).toBeDefined();
    expect(sessionStore.current('foreign')?.id).toBe(before);
    expect(state.get()).toMatchObject({ session: { step: 'signed-out' }, sessions: [{}] });
    expect(Object.keys(config.persisted().sessions)).toEqual([before]);
    expect(config.persisted().currentSessions).toEqual({ foreign: before });
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(1);
  });

  it('that is refused says which scheme its server asks for, where that is another one', async () => {
    const { baseUrl } = await startJsonServer(({ target }) =>
      target.endsWith('/login')
        ? { status: 200, body: { token: 'a-token-of-this-server-1' } }
        : { status: 401, body: {}, headers: { 'WWW-Authenticate': 'JWT realm="api"' } },
    );
    const { session } = await makeMain({ there: { baseUrl } });
    expect(await session.logins.login(ana)).toMatchObject({
      ok: false,
      error: { reason: 'fresh-token-refused', wants: 'JWT' },
    });
  });

  it('whose profile lets wait is said to be accepted, and is there as not checked when the person cancels that', async () => {
    const foreign = await startForeignServer({ override: answeredBy('no answer') });
    const { session, state } = await makeMain({ foreign });
    const login = session.logins.login(ana);
    await vi.waitUntil(() => {
      const { session: shown } = state.get();
      return shown.step === 'signed-out' && shown.accepted === true;
    }, 5000);
    expect(state.get().sessions).toEqual([]);
    session.operations.cancel();
    expect(await login).toMatchObject({ ok: true });
    expect(state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'unchecked' } });
  });
});
