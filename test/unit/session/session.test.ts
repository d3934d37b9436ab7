import { describe, expect, it } from 'vitest';
import type { Cipher } from '../../../main/account/vault/cipher.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain, type MainOptions } from '../../support/make-main.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const registration = { ...ana, path: 'registro' as const };

type Foreign = Awaited<ReturnType<typeof startForeignServer>>;
type Override = NonNullable<Parameters<typeof startForeignServer>[0]>['override'];

/** Makes main with one foreign server as the active server. */
const makeSession = (foreign: Foreign, options: MainOptions = {}) => makeMain({ foreign }, options);

const paths = ({ calls }: Foreign): string[] => calls.map(({ path: called }) => called.slice(called.lastIndexOf('/')));

describe('registering', () => {
  it('logs in exactly once when the answer held no token', async () => {
    const foreign = await startForeignServer();
    const { session, state } = await makeSession(foreign);
    expect(await session.logins.register(registration)).toMatchObject({ ok: true });
    expect(paths(foreign)).toEqual(['/registro', '/login', '/perfil']);
    expect(state.get().session).toMatchObject({
      step: 'signed-in',
      user: { name: 'Ana Prueba' },
      check: { state: 'checked' },
    });
  });

  it('uses the token of the answer, and sends no login', async () => {
    const override: Override = ({ path: called }) =>
      called.endsWith('/registro')
        ? { status: 201, body: { token: '9|a', user: { name: 'Ana' } } }
        : called.endsWith('/perfil')
          ? { status: 200, body: { id: 1, name: 'Ana', email: ana.email } }
          : undefined;
    const foreign = await startForeignServer({ override });
    const { session, state } = await makeSession(foreign);
    await session.logins.register(registration);
    expect(paths(foreign)).toEqual(['/registro', '/perfil']);
    expect(foreign.calls.at(-1)?.headers.authorization).toBe('Bearer 9|a');
    expect(state.get().session.step).toBe('signed-in');
  });

  it('logs in when what looked like a token in the answer was none', async () => {
    const override: Override = ({ path: called }) =>
      called.endsWith('/registro') ? { status: 201, body: { id: 7, api_key: 'k3y-of-the-account' } } : undefined;
    const foreign = await startForeignServer({ override });
    foreign.accounts.set(ana.email, { id: 7, name: ana.name, password: ana.password });
    const { session, state, vault } = await makeSession(foreign);
    expect(await session.logins.register(registration)).toMatchObject({ ok: true });
    expect(paths(foreign)).toEqual(['/registro', '/perfil', '/login', '/perfil']);
    expect(state.get().session).toMatchObject({ step: 'signed-in', user: { name: ana.name } });
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(1);
  });

  it('logs nobody in where the email is to be confirmed first, and shows what the server said', async () => {
    const says = `We sent a link to ${ana.email}. Please confirm your email.`;
    const override: Override = ({ path: called }) =>
      called.endsWith('/registro') ? { status: 201, body: { message: says } } : undefined;
    const foreign = await startForeignServer({ override });
    const { session, state } = await makeSession(foreign);
    expect(await session.logins.register(registration)).toMatchObject({ ok: true });
    expect(paths(foreign)).toEqual(['/registro']);
    expect(state.get().session).toMatchObject({
      notice: { kind: 'confirm-first', email: ana.email, serverMessage: says },
    });
  });

  it('sends and keeps an email without what it was copied with', async () => {
    const foreign = await startForeignServer();
    const { session, state } = await makeSession(foreign);
    expect(await session.logins.register({ ...registration, email: ` Ana <${ana.email}> ` })).toMatchObject({
      ok: true,
    });
    expect(foreign.calls.map(({ body }) => (JSON.parse(body || '{}') as { email?: string }).email)).toEqual(
      expect.arrayContaining([ana.email]),
    );
    expect([...foreign.accounts.keys()]).toEqual([ana.email]);
    expect(state.get().sessions.map(({ account }) => account)).toEqual([ana.email]);
  });

  it('says that the account exists when only the login after it failed', async () => {
    const override: Override = ({ path: called }) =>
      called.endsWith('/login') ? { status: 503, body: { message: 'later' } } : undefined;
    const foreign = await startForeignServer({ override });
    const { session, state } = await makeSession(foreign);
    expect(await session.logins.register(registration)).toMatchObject({ ok: true });
    expect(state.get().session).toMatchObject({
      step: 'signed-out',
      notice: { kind: 'registered-not-logged-in', email: ana.email, error: { kind: 'server-fault', status: 503 } },
    });
    expect(paths(foreign)).toEqual(['/registro', '/login']);
  });
});

describe('a registration after one whose log-in was refused', () => {
  const fields = { errors: { email: ['The email has already been taken.'] } };
  const page = '<html><title>502 Bad Gateway</title></html>';
  it.each<[string, ReturnType<NonNullable<Override>>, object]>([
    [
      'a refused one',
      { status: 422, body: fields },
      { ok: false, error: { kind: 'validation', fields: fields.errors } },
    ],
    ['a conflict', { status: 409, body: { message: 'Taken' } }, { ok: false, error: { message: 'Taken' } }],
    ['500', { status: 500, body: {} }, { ok: false, error: { kind: 'server-fault', perhapsDone: true } }],
    ['502 with a page', { status: 502, body: page }, { ok: false, error: { perhapsDone: true } }],
    ['an answer that stops', 'lost', { ok: false, error: { perhapsDone: true } }],
    ['429', { status: 429, body: { message: 'Wait' } }, { ok: false, error: { kind: 'throttled' } }],
    ['one that is done', { status: 201, body: { message: 'ok' } }, { ok: true, value: 'not-logged-in' }],
  ])('is told by its own answer: %s', async (_what, second, told) => {
    let registered = 0;
    const override: Override = ({ path: called }) => {
      if (called.endsWith('/login')) return { status: 401, body: { message: 'Not yet' } };
      if (!called.endsWith('/registro')) return undefined;
      registered += 1;
      return registered === 1 ? { status: 201, body: { message: 'ok' } } : second;
    };
    const foreign = await startForeignServer({ override });
    const { session, state } = await makeSession(foreign);
    expect(await session.logins.register(registration)).toEqual({ ok: true, value: 'not-logged-in' });
    expect(state.get().session).toMatchObject({ notice: { kind: 'registered-not-logged-in', email: ana.email } });
    const bea = { ...registration, email: 'bea@example.test' };
    const result = await session.logins.register(bea);
    expect(result).toMatchObject(told);
    expect(state.get().session).toMatchObject({ step: 'signed-out' });
    expect(state.get().session).toMatchObject(result.ok ? { notice: { email: bea.email } } : { notice: undefined });
  });

  it('says who logs in where it was made and logged in', async () => {
    const foreign = await startForeignServer();
    const { session } = await makeSession(foreign);
    expect(await session.logins.register(registration)).toEqual({ ok: true, value: 'logged-in' });
  });
});

describe('logging in', () => {
  it('is refused, without a session, when the server takes back its token at once', async () => {
    const override: Override = ({ path: called }) =>
      called.endsWith('/perfil') ? { status: 401, body: { message: 'Unauthenticated.' } } : undefined;
    const foreign = await startForeignServer({ override });
    const { session, vault, state } = await makeSession(foreign);
    const result = await session.logins.register(registration);
    expect(result.ok).toBe(true);
    expect(state.get().session).toMatchObject({
      notice: { error: { kind: 'unexpected', reason: 'fresh-token-refused' } },
    });
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
  });

  it('keeps the session and says unchecked when the profile does not come', async () => {
    const override: Override = ({ path: called }) =>
      called.endsWith('/perfil') ? { status: 500, body: { message: 'Server Error' } } : undefined;
    const foreign = await startForeignServer({ override });
    const { session, state } = await makeSession(foreign);
    await session.logins.register(registration);
    expect(state.get().session).toMatchObject({
      step: 'signed-in',
      user: { email: ana.email },
      check: { state: 'unchecked', error: { kind: 'server-fault' } },
    });
  });

  it('takes one call at a time', async () => {
    const foreign = await startForeignServer();
    const { session } = await makeSession(foreign);
    const results = await Promise.all([
      session.logins.register(registration),
      session.logins.register(registration),
      session.logins.login(ana),
    ]);
    expect(results.map(({ ok: succeeded }) => succeeded)).toEqual([true, false, false]);
    expect(results[1]).toEqual({ ok: false, error: { kind: 'not-now' } });
    expect(foreign.accounts.size).toBe(1);
  });

  it('ends as cancelled, which is no failure of the server, when it is cancelled', async () => {
    const foreign = await startForeignServer();
    const { session, state } = await makeSession(foreign);
    const result = session.logins.login(ana);
    session.operations.cancel();
    expect(await result).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(state.get().session.step).toBe('signed-out');
    // The next call works.
    expect(await session.logins.register(registration)).toMatchObject({ ok: true });
  });

  it('hands no token to the screens', async () => {
    const foreign = await startForeignServer();
    const { session, shown } = await makeSession(foreign);
    await session.logins.register(registration);
    await session.checkShown();
    const [token] = foreign.tokens.keys();
    expect(JSON.stringify(shown)).not.toContain(token!.split('|')[1]);
    expect(JSON.stringify(shown)).not.toContain(ana.password);
  });
});

describe('restoring', () => {
  async function signedInBefore(foreign: Foreign, cipher?: Cipher) {
    const before = await makeSession(foreign, cipher && { cipher });
    await before.session.logins.register(registration);
    foreign.calls.length = 0;
    return { folder: before.folder, store: before.store };
  }

  it('shows who it was at once, and confirms it with the profile call', async () => {
    const foreign = await startForeignServer();
    const { session, state } = await makeSession(foreign, await signedInBefore(foreign));
    expect(state.get().session).toMatchObject({ step: 'restoring', user: { name: 'Ana Prueba' } });
    await session.restore();
    expect(paths(foreign)).toEqual(['/perfil']);
    expect(state.get().session).toMatchObject({
      step: 'signed-in',
      check: { state: 'checked', at: '2026-11-21T10:00:00.000Z' },
    });
  });

  it('ends the session at 401, and forgets the token', async () => {
    const foreign = await startForeignServer();
    const kept = await signedInBefore(foreign);
    foreign.tokens.clear();
    const { session, state, vault, config } = await makeSession(foreign, kept);
    await session.restore();
    const notice = { kind: 'session-ended', at: expect.any(String) };
    expect(state.get().session).toEqual({ step: 'signed-out', notice, email: ana.email });
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    expect(config.get().sessions).toEqual({});
  });

  it.each([
    ['a server fault', { status: 500, body: { message: 'Server Error' } }],
    ['a page of a firewall', { status: 403, body: '<html><title>Blocked</title></html>' }],
    ['too many requests', { status: 429, body: { message: 'Too Many Attempts.' } }],
    ['a missing route', { status: 404, body: { message: 'The route api/v1/auth/perfil could not be found.' } }],
  ])('keeps the session on %s, and says that it could not be checked', async (_what, answer) => {
    let faulty = false;
    const foreign = await startForeignServer({ override: () => (faulty ? answer : undefined) });
    const kept = await signedInBefore(foreign);
    faulty = true;
    const { session, state } = await makeSession(foreign, kept);
    await session.restore();
    expect(state.get().session).toMatchObject({
      step: 'signed-in',
      user: { name: 'Ana Prueba' },
      check: { state: 'unchecked' },
    });
    faulty = false;
    await session.checkShown();
    expect(state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
  });

  it('asks twice before it believes that a session is over', async () => {
    let refusals = 0;
    const foreign = await startForeignServer({
      override: () => (refusals-- > 0 ? { status: 401, body: { message: 'Unauthenticated.' } } : undefined),
    });
    const kept = await signedInBefore(foreign);
    refusals = 1;
    const { session, state } = await makeSession(foreign, kept);
    await session.restore();
    expect(paths(foreign)).toEqual(['/perfil', '/perfil']);
    expect(state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
  });

  it('asks to log in again when the keyring does not open, and deletes nothing', async () => {
    const foreign = await startForeignServer();
    const kept = await signedInBefore(foreign);
    const locked = createFakeCipher({ protection: { protected: false, reason: 'no-keyring' } });
    const { session, state } = await makeSession(foreign, { ...kept, cipher: locked });
    await session.restore();
    expect(state.get().session).toMatchObject({ step: 'signed-out', notice: { kind: 'vault-unreadable' } });
    expect(foreign.calls).toEqual([]);
    const unlocked = await makeSession(foreign, kept);
    await unlocked.session.restore();
    expect(unlocked.state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
  });

  it('is not persisted when the token is in memory only', async () => {
    const foreign = await startForeignServer();
    const weak = createFakeCipher({ protection: { protected: false, reason: 'keyring-failed' } });
    const kept = await signedInBefore(foreign, weak);
    const { state } = await makeSession(foreign, kept);
    expect(state.get().session).toEqual({ step: 'signed-out', email: ana.email });
  });
});

describe('logging out', () => {
  it.each([
    ['says so when the server was told', undefined, 'logged-out'],
    [
      'counts a token the server no longer knows as told',
      { status: 401, body: { message: 'Unauthenticated.' } },
      'logged-out',
    ],
    [
      'ends here also at a fault of the server',
      { status: 500, body: { message: 'Server Error' } },
      'logged-out-here-only',
    ],
    [
      'ends here also where the path is missing',
      { status: 404, body: { message: 'Not Found' } },
      'logged-out-no-way-to-tell',
    ],
    [
      'ends here also where something in between answered',
      { status: 511, body: '<html>Sign in to this network</html>' },
      'logged-out-here-only',
    ],
  ])('%s', async (_what, answer, notice) => {
    const override: Override = ({ path: called }) => (called.endsWith('/salir') ? answer : undefined);
    const foreign = await startForeignServer({ override });
    const { session, state, vault, config } = await makeSession(foreign);
    await session.logins.register(registration);
    expect(await session.logOutShown(true)).toMatchObject({ ok: true });
    expect(state.get().session).toMatchObject({ step: 'signed-out', notice: { kind: notice }, email: ana.email });
    // The token is kept until the server was told, for that alone.
    const kept = notice === 'logged-out' ? [] : ['to-revoke'];
    expect(state.get().sessions.map(({ state: held }) => held)).toEqual(kept);
    expect(await vault.findCredentials('app.llavero.desktop/foreign')).toHaveLength(kept.length);
    expect(Object.keys(config.get().sessions)).toHaveLength(kept.length);
    expect(config.get().currentSessions).toEqual({});
  });

  it('ends here when the server is gone', async () => {
    const foreign = await startForeignServer();
    const { session, state } = await makeSession(foreign);
    await session.logins.register(registration);
    await foreign.stop();
    await session.logOutShown(true);
    expect(state.get().session).toMatchObject({
      step: 'signed-out',
      notice: { kind: 'logged-out-here-only' },
    });
  });

  it('says that the server was not told when the keyring does not give the token', async () => {
    const foreign = await startForeignServer();
    const before = await makeSession(foreign);
    await before.session.logins.register(registration);
    foreign.calls.length = 0;
    // It is read when the vault opens, for the check at the start, and for the logout.
    const cipher = createFakeCipher({ failsAtCall: 3 });
    const { session, state } = await makeSession(foreign, { folder: before.folder, store: before.store, cipher });
    await session.restore();
    await session.logOutShown(true);
    expect(paths(foreign)).toEqual(['/perfil']);
    expect(state.get().session).toMatchObject({
      step: 'signed-out',
      notice: { kind: 'logged-out-here-only', error: { kind: 'token-unreadable' } },
    });
  });

  it('interrupts a check that hangs', async () => {
    let hanging = false;
    const foreign = await startForeignServer({
      override: ({ path: called }) => (hanging && called.endsWith('/perfil') ? 'no answer' : undefined),
    });
    const { session, state } = await makeSession(foreign);
    await session.logins.register(registration);
    hanging = true;
    const checking = session.checkShown();
    await session.logOutShown(true);
    await checking;
    expect(state.get().session).toMatchObject({ step: 'signed-out', notice: { kind: 'logged-out' } });
  });
});
