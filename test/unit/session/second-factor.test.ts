import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createTotpCode, parseTotpSecret } from '../../../main/interface/totp.ts';
import type { CodeMethod } from '../../../preload/contract/interface.ts';
import { startBetterAuth, startJsonServer } from '../../support/described-servers.ts';
import type { Main, MainOptions } from '../../support/make-main.ts';
import { secretsIn } from '../../support/secrets-in.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { anaForm, entered, withPerson } from '../../support/with-person.ts';

const { email, password } = anaForm;

const textOf = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, `../../../main/interface/shipped/${name}.json`), 'utf8');

/** The application at one server, which it has a description of. */
async function mainAt(
  baseUrl: string,
  name: string,
  options: MainOptions = {},
  variables: readonly { name: string; value: string }[] = [],
): Promise<Main> {
  const { main } = await withPerson({ there: { baseUrl } }, options);
  const enteredInterface = { text: textOf(name), variables: [...variables] };
  const edited = await main.servers.edit({ ...entered(main, 'there', {}), id: 'there', enteredInterface });
  expect(edited).toMatchObject({ ok: true });
  return main;
}

const shown = ({ state }: Main) => state.get().session;
const asked = ({ state }: Main) => state.get().pendingLogin;
const send = ({ session }: Main, code: string, method: CodeMethod = 'totp') =>
  session.logins.pending.sendCode(method, code);

/** Code of now, or of a step of 30 seconds after it. */
const codeOf = (secret: string, steps = 0): string =>
  createTotpCode(parseTotpSecret(secret)!, Date.now() + steps * 30_000);

const wrongCodeOf = (secret: string): string =>
  ['111111', '222222', '333333', '444444'].find((each) => ![-1, 0, 1].some((steps) => codeOf(secret, steps) === each))!;

/** better-auth with Ana's account, which has a factor. `folder` has all files of the application. */
async function withFactor() {
  const mails: { to: string; code?: string }[] = [];
  const { baseUrl } = await startBetterAuth({ mails });
  const at = `${baseUrl}/api/auth`;
  const post = async (target: string, cookie: string, body: unknown) => {
    const response = await fetch(at + target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: baseUrl, cookie },
      body: JSON.stringify(body),
    });
    const cookies = response.headers.getSetCookie().map((each) => each.split(';', 1)[0]!);
    const json: unknown = await response.json();
    return { status: response.status, cookie: cookies.join('; '), json };
  };
  const { cookie } = await post('/sign-up/email', '', { name: 'Ana', email, password });
  const { json } = await post('/two-factor/enable', cookie, { password });
  const { totpURI: secret, backupCodes } = json as { totpURI: string; backupCodes: string[] };
  expect(await post('/two-factor/verify-totp', cookie, { code: codeOf(secret) })).toMatchObject({ status: 200 });
  const folder = await makeTemporaryFolder();
  const main = await mainAt(baseUrl, 'better-auth', { folder });
  return { main, folder, mails, secret, recovery: backupCodes[0]!, cookie, post };
}

describe('a login that asks for a code, at better-auth', () => {
  it('is held apart until its code is accepted, and then is a session', async () => {
    const { main, secret } = await withFactor();
    expect(await main.session.logins.login({ email, password })).toEqual({ ok: true, value: null });
    expect(shown(main)).toMatchObject({ step: 'signed-out' });
    expect(main.sessionStore.all()).toEqual([]);
    expect(asked(main)).toEqual({
      serverId: 'there',
      account: email,
      methods: [
        { method: 'totp', isSent: false },
        { method: 'email', isSent: true },
        { method: 'recovery', isSent: false },
      ],
      expiresAt: expect.any(String),
      isRenewal: false,
    });
    expect(await send(main, wrongCodeOf(secret))).toMatchObject({ ok: false, error: { kind: 'wrong-code' } });
    expect(asked(main)).toBeDefined();
    expect(await send(main, codeOf(secret))).toEqual({ ok: true, value: null });
    expect(shown(main)).toMatchObject({ step: 'signed-in', user: { email }, check: { state: 'checked' } });
    expect(asked(main)).toBeUndefined();
    expect(await send(main, codeOf(secret))).toMatchObject({ ok: false, error: { kind: 'not-now' } });
  });

  it('takes a code that the server sends, and a recovery code', async () => {
    const { main, mails, recovery } = await withFactor();
    await main.session.logins.login({ email, password });
    expect(await main.session.logins.pending.requestCode('email')).toEqual({ ok: true, value: null });
    expect(mails).toEqual([{ to: email, code: expect.stringMatching(/^\d{6}$/) }]);
    expect(await send(main, mails[0]!.code!, 'email')).toMatchObject({ ok: true });
    expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
    await main.session.logins.login({ email, password });
    expect(await send(main, recovery, 'recovery')).toMatchObject({ ok: true });
    expect(shown(main)).toMatchObject({ step: 'signed-in' });
  });

  it('ends with what the server says after too many wrong codes', async () => {
    const { main, secret } = await withFactor();
    await main.session.logins.login({ email, password });
    const kinds: string[] = [];
    while (asked(main)) {
      const sent = await send(main, wrongCodeOf(secret));
      kinds.push(sent.ok ? 'ok' : sent.error.kind);
    }
    expect(kinds.slice(0, -1).every((kind) => kind === 'wrong-code')).toBe(true);
    expect(kinds.length).toBeGreaterThan(3);
    expect(shown(main)).toMatchObject({ step: 'signed-out', notice: { kind: 'code-refused', error: {} } });
  });

  it.each<[string, (main: Main) => Promise<unknown>]>([
    ['a cancellation', async (main) => main.handlers.session.cancelCode()],
    ['a lock', async (main) => main.lock.lock('by-hand')],
    ['another server', (main) => main.servers.choose({ id: 'built-in' })],
    ['the removal of its server', (main) => main.servers.remove({ id: 'there' })],
    ['the sleep of the computer', async (main) => main.application.onSuspend()],
    ['the end of the application', (main) => main.application.close()],
  ])('is given up with %s', async (_name, end) => {
    const { main, secret } = await withFactor();
    await main.session.logins.login({ email, password });
    expect(asked(main)).toBeDefined();
    const held = main.session.logins.pending;
    await end(main);
    await vi.waitFor(() => expect(asked(main)).toBeUndefined());
    expect(await held.sendCode('totp', codeOf(secret))).toMatchObject({ ok: false, error: { kind: 'not-now' } });
    expect(main.sessionStore.all()).toEqual([]);
  });

  it('leaves its code, its cookie and its password in no file, state or recorded call', async () => {
    const { main, folder, secret, recovery } = await withFactor();
    const codes = [wrongCodeOf(secret), codeOf(secret)];
    await main.session.logins.login({ email, password });
    for (const code of codes) await send(main, code);
    expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
    await main.session.logins.login({ email, password });
    expect(await send(main, recovery, 'recovery')).toMatchObject({ ok: true });
    const { calls } = main;
    await calls.settled();
    const all = calls.findAll({ search: '', outcome: 'all', checks: 'with', pinnedOnly: false });
    const recorded = all.map(({ id }) => calls.getWithBodies(id));
    // What is searched is there, with its bodies.
    expect(JSON.stringify(recorded)).toContain('/two-factor/verify-totp');
    expect(JSON.stringify(recorded)).toContain('INVALID_CODE');
    const seen = JSON.stringify([recorded, main.told]);
    await main.application.close();
    for (const value of [...codes, recovery, password, '2fa-'])
      expect({
        value,
        files: await filesContaining(folder, value),
        isSeen: secretsIn(seen, [value]).length > 0,
      }).toEqual({
        value,
        files: [],
        isSeen: false,
      });
  });
});

const ia = { email: 'ia@example.com', password: 'correct-horse-9' };
const invalidOtp = { errors: [{ message: '"invalid OTP"', extensions: { code: 'INVALID_OTP' } }] };
const invalidCredentials = {
  errors: [{ message: 'Invalid user credentials.', extensions: { code: 'INVALID_CREDENTIALS' } }],
};

/** Answers as the recorded Directus 12.3.1 does: the code goes along with the password. */
async function startDirectusLike() {
  return startJsonServer(({ target, body }) => {
    if (target === '/users/me') return { status: 200, body: { data: { id: 'b0f9', email: ia.email } } };
    if (target !== '/auth/login') return { status: 204 };
    const sent = JSON.parse(body) as { password?: string; otp?: string };
    if (sent.otp === '999999') return { status: 503, body: { errors: [{ message: 'Service unavailable' }] } };
    if (sent.password !== ia.password || sent.otp === '888888') return { status: 401, body: invalidCredentials };
    if (sent.otp !== '123456') return { status: 401, body: invalidOtp };
    return {
      status: 200,
      body: { data: { access_token: 'access-of-ia', refresh_token: 'refresh-of-ia', expires: 900000 } },
    };
  });
}

describe('a server that wants the password again with the code', () => {
  it('gets both, and the password is asked for once', async () => {
    const server = await startDirectusLike();
    const main = await mainAt(server.baseUrl, 'directus');
    expect(await main.session.logins.login(ia)).toMatchObject({ ok: true });
    expect(asked(main)).toMatchObject({ account: ia.email, methods: [{ method: 'totp', isSent: false }] });
    expect(await send(main, '000000')).toMatchObject({ ok: false, error: { kind: 'wrong-code' } });
    expect(await send(main, '123456')).toMatchObject({ ok: true });
    expect(shown(main)).toMatchObject({ step: 'signed-in', user: { email: ia.email } });
    expect(JSON.parse(server.requests.findLast(({ target }) => target === '/auth/login')!.body)).toEqual({
      ...ia,
      otp: '123456',
    });
  });

  it('a wrong password is one, and no request for a code', async () => {
    const server = await startDirectusLike();
    const main = await mainAt(server.baseUrl, 'directus');
    const wrong = await main.session.logins.login({ ...ia, password: 'wrong-horse-9' });
    expect(wrong).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    expect(asked(main)).toBeUndefined();
  });

  it('a refusal ends it with its message; a fault of the server does not', async () => {
    const server = await startDirectusLike();
    const main = await mainAt(server.baseUrl, 'directus');
    await main.session.logins.login(ia);
    expect(await send(main, '999999')).toMatchObject({ ok: false, error: { kind: 'server-fault' } });
    expect(asked(main)).toBeDefined();
    expect(await send(main, '888888')).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    expect(asked(main)).toBeUndefined();
    expect(shown(main)).toMatchObject({
      notice: { kind: 'code-refused', error: { message: 'Invalid user credentials.' } },
    });
  });

  it('is given up with the password after five minutes, which the server is not blamed for', async () => {
    const server = await startDirectusLike();
    const main = await mainAt(server.baseUrl, 'directus');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await main.session.logins.login(ia);
      await vi.advanceTimersByTimeAsync(299_000);
      expect(asked(main)).toMatchObject({ account: ia.email });
      expect(asked(main)).not.toHaveProperty('expiresAt');
      await vi.advanceTimersByTimeAsync(1500);
    } finally {
      vi.useRealTimers();
    }
    expect(asked(main)).toBeUndefined();
    expect(shown(main)).toMatchObject({ step: 'signed-out', notice: { kind: 'code-dropped' } });
    expect(await send(main, '123456')).toMatchObject({ ok: false, error: { kind: 'not-now' } });
  });

  it('logs in again where a session is near its end, and what is shown stays', async () => {
    const server = await startDirectusLike();
    const main = await mainAt(server.baseUrl, 'directus');
    await main.servers.choose({ id: 'built-in' });
    expect(await main.session.logins.logInAgain({ ...ia, serverId: 'there' })).toMatchObject({ ok: true });
    expect(asked(main)).toMatchObject({ serverId: 'there', isRenewal: true });
    expect(await send(main, '123456')).toMatchObject({ ok: true });
    expect(main.state.get().activeServerId).toBe('built-in');
    expect(main.sessionStore.ofServer('there')).toHaveLength(1);
  });
});

describe('a server whose profile asks for the code', () => {
  it('has a session once that was accepted, made of the first one', async () => {
    const hasCode = new Set<string>();
    const server = await startJsonServer(({ target, method, headers, body }) => {
      const cookie = headers.cookie ?? '';
      if (target === '/v1/account/sessions/email')
        return {
          status: 201,
          body: { userId: '5e5ea5c1' },
          headers: { 'Set-Cookie': 'a_session_console=first-cookie; path=/; httponly' },
        };
      if (target === '/v1/account' && !hasCode.has('yes'))
        return {
          status: 401,
          body: { type: 'user_more_factors_required', message: 'More factors are required.', code: 401 },
        };
      if (target === '/v1/account') return { status: 200, body: { $id: '5e5ea5c1', name: 'Ana', email } };
      expect(cookie).toBe('a_session_console=first-cookie');
      if (method === 'POST') return { status: 201, body: { $id: `challenge-of-${JSON.parse(body).factor}` } };
      const isRight = JSON.parse(body).otp === '123456' && JSON.parse(body).challengeId === 'challenge-of-totp';
      if (isRight) hasCode.add('yes');
      return isRight ? { status: 200, body: { $id: 'session' } } : { status: 400, body: { message: 'Invalid token' } };
    });
    const main = await mainAt(server.baseUrl, 'appwrite', {}, [{ name: 'project', value: 'shop' }]);
    expect(await main.session.logins.login({ email, password })).toMatchObject({ ok: true });
    expect(asked(main)).toMatchObject({
      methods: [{ method: 'totp' }, { method: 'email', isSent: true }, { method: 'recovery' }],
    });
    expect(main.sessionStore.all()).toEqual([]);
    expect(await send(main, '000000')).toMatchObject({ ok: false, error: { kind: 'wrong-code' } });
    expect(await main.session.logins.pending.requestCode('email')).toMatchObject({ ok: true });
    expect(await send(main, '123456')).toMatchObject({ ok: true });
    expect(shown(main)).toMatchObject({ step: 'signed-in', user: { email } });
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    // Such a session that asks for a code once more is not over.
    hasCode.clear();
    expect(await main.session.checkShown()).toMatchObject({ ok: false, error: { reason: 'mfa-required' } });
    expect(shown(main)).toMatchObject({ step: 'signed-in', check: { state: 'unchecked' } });
    expect(main.sessionStore.all()).toHaveLength(1);
  });
});

it('a login that a server keeps for years waits for its code', async () => {
  const server = await startJsonServer(() => ({
    status: 200,
    body: { twoFactorRedirect: true, twoFactorMethods: ['totp'] },
    headers: { 'Set-Cookie': 'better-auth.two_factor=value; Max-Age=9999999999; Path=/' },
  }));
  const main = await mainAt(server.baseUrl, 'better-auth');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await main.session.logins.login({ email, password });
    await vi.advanceTimersByTimeAsync(60_000);
  } finally {
    vi.useRealTimers();
  }
  expect(asked(main)).toMatchObject({ methods: [{ method: 'totp' }, { method: 'recovery' }] });
});

describe('a server that takes the code with the login, and asks for none', () => {
  it('gets it along with the password', async () => {
    const server = await startJsonServer(({ target, body }) => {
      if (target.endsWith('/userinfo')) return { status: 200, body: { sub: '7', email } };
      const isIn = new URLSearchParams(body).get('totp') === '123456';
      return isIn
        ? { status: 200, body: { access_token: 'access-of-ana', refresh_token: 'refresh-of-ana' } }
        : { status: 401, body: { error: 'invalid_grant', error_description: 'Invalid user credentials' } };
    });
    const main = await mainAt(server.baseUrl, 'keycloak');
    expect(main.state.get().servers.find(({ id }) => id === 'there')?.interface.account).toEqual({
      secondFactor: 'offered',
    });
    const without = await main.session.logins.login({ email, password });
    expect(without).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    const wrong = await main.session.logins.login({ email, password, code: '000000' });
    expect(wrong).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    expect(await main.session.logins.login({ email, password, code: '123456' })).toMatchObject({ ok: true });
    expect(shown(main)).toMatchObject({ step: 'signed-in', user: { email } });
  });
});
