import { afterEach, describe, expect, it, vi } from 'vitest';
import { proveRenewals } from '../../prove/renewals.ts';
import { startJsonServer } from '../../support/described-servers.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import type { Main, MainOptions } from '../../support/make-main.ts';
import { anaForm, entered, withPerson } from '../../support/with-person.ts';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
const html = { 'Content-Type': 'text/html' };
const page = '<html><title>Sign in to the network</title><body>Sign in</body></html>';

const description = {
  name: 'Renewing',
  calls: {
    login: { path: '/login', body: { email: '{{email}}', password: '{{password}}' } },
    profile: { path: '/me' },
    logout: { path: '/logout' },
    refresh: { path: '/refresh', body: { refresh: '{{refreshToken}}' } },
  },
  outputs: { refreshToken: '$response.body#/refresh_token' },
};

/** A server whose opaque tokens tell no end. Its refresh tokens are taken once; `renewal` is what it answers instead. */
async function startServer(told: object = {}) {
  let tokens = 0;
  const does: { renewal?: Answer | undefined; until?: Promise<void>; me?: Answer | undefined } = {};
  const [access, refresh] = [new Set<string>(), new Set<string>()];
  const give = (): Answer => {
    tokens += 1;
    access.clear();
    refresh.clear();
    access.add(`access-${tokens}`);
    refresh.add(`refresh-${tokens}`);
    return { status: 200, body: { access: `access-${tokens}`, refresh: `refresh-${tokens}`, ...told } };
  };
  const server = await startJsonServer(async ({ target, headers, body }) => {
    if (target === '/login') return give();
    if (target === '/refresh') {
      await does.until;
      if (does.renewal) return does.renewal;
      const sent = /^\{"refresh":"(.+)"\}$/.exec(body)?.[1] ?? '';
      return refresh.has(sent) ? give() : { status: 401, body: { code: 'token_not_valid' } };
    }
    if (!access.has(headers.authorization?.replace('Bearer ', '') ?? ''))
      return { status: 401, body: { message: 'Unauthorized' } };
    if (target === '/me') return does.me ?? { status: 200, body: { id: 1, name: 'Ana', email: anaForm.email } };
    access.clear();
    refresh.clear();
    return { status: 204 };
  });
  const asked = (path: string): number => server.requests.filter(({ target }) => target === path).length;
  return { ...server, does, asked, forget: () => access.clear() };
}

async function describedMain(baseUrl: string, said: object = description, options: MainOptions = {}) {
  const person = await withPerson({ there: { baseUrl } }, options);
  const enteredInterface = { text: JSON.stringify(said), variables: [] };
  const edited = { ...entered(person.main, 'there', {}), id: 'there', enteredInterface };
  expect(await person.main.servers.edit(edited)).toMatchObject({ ok: true });
  return person.main;
}

async function signedIn(told: object = {}, options: MainOptions = {}) {
  const server = await startServer(told);
  const main = await describedMain(server.baseUrl, description, options);
  expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
  return { server, main };
}

const shown = ({ state }: Main) => state.get().session;
const unauthenticated = { ok: false, error: { kind: 'unauthenticated' } };

afterEach(() => void vi.useRealTimers());

describe('a session whose token the server refuses', () => {
  it('is renewed and asked once more, also with a refresh token that is not where the description says', async () => {
    const { server, main } = await signedIn();
    server.forget();
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(shown(main)).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
    expect([server.asked('/refresh'), server.asked('/me')]).toEqual([1, 3]);
  });

  it.each<[string, Answer]>([
    ['500', { status: 500, body: { message: 'Server Error' } }],
    ['500 with words about the token', { status: 500, body: { message: 'jwt expired' } }],
    ['503', { status: 503, body: {} }],
    ['429', { status: 429, body: { message: 'Too many requests' } }],
    ['408', { status: 408 }],
    ['a page with 200', { status: 200, body: page, headers: html }],
    ['a page with 401', { status: 401, body: page, headers: html }],
    ['a redirect to a page', { status: 302, headers: { Location: 'https://portal.example.test/login' } }],
    ['HTTP authentication by a proxy', { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="proxy"' } }],
    ['403 without a word', { status: 403 }],
    ['403 that only forbids', { status: 403, body: { message: 'Forbidden' } }],
    ['an error about the client', { status: 401, body: { error: 'invalid_client' } }],
    ['an error about the request', { status: 400, body: { refresh: ['This field is required.'] } }],
    ['a key of the gateway', { status: 401, body: { message: 'No API key found in request' } }],
    ['404', { status: 404, body: { message: 'Not Found' } }],
    ['nothing that can be read', { status: 200, body: {} }],
  ])('stays where its renewal is answered with %s, and is renewed later', async (_name, answer) => {
    const { server, main } = await signedIn();
    server.forget();
    server.does.renewal = answer;
    const checked = await main.session.checkShown();
    expect(checked).toMatchObject({ ok: false });
    expect(checked).not.toMatchObject(unauthenticated);
    expect(shown(main)).toMatchObject({ step: 'signed-in', check: { state: 'unchecked' } });
    server.does.renewal = undefined;
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(shown(main)).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
  });

  it.each<[string, Answer]>([
    ['401', { status: 401, body: { message: 'Unauthorized' } }],
    ['401 without a body', { status: 401 }],
    ['RFC 6749', { status: 400, body: { error: 'invalid_grant', error_description: 'Token is not active' } }],
    ['simplejwt', { status: 401, body: { detail: 'Token is invalid or expired', code: 'token_not_valid' } }],
    ['Supabase', { status: 400, body: { code: 400, error_code: 'refresh_token_already_used', msg: 'Already Used' } }],
    ['Firebase', { status: 400, body: { error: { code: 400, message: 'TOKEN_EXPIRED' } } }],
    ['Cognito', { status: 400, body: { __type: 'NotAuthorizedException', message: 'Refresh Token has been revoked' } }],
    [
      'Auth0',
      { status: 403, body: { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' } },
    ],
    ['a Spring tutorial', { status: 403, body: { message: 'Failed for [x]: Refresh token was expired.' } }],
    ['Laravel Passport', { status: 401, body: { error: 'invalid_request', message: 'The refresh token is invalid.' } }],
    ['a Spanish one', { status: 400, body: { mensaje: 'El token de refresco ha caducado' } }],
    ['a German one', { status: 403, body: { message: 'Das Token ist abgelaufen.' } }],
    ['one that answers all with 200', { status: 200, body: { success: false, message: 'Refresh token revoked' } }],
  ])('is over where its renewal is refused: %s', async (_name, answer) => {
    const { server, main } = await signedIn();
    server.forget();
    server.does.renewal = answer;
    expect(await main.session.checkShown()).toMatchObject(unauthenticated);
    expect(shown(main)).toMatchObject({ step: 'signed-out', notice: { kind: 'session-ended' } });
    expect(server.asked('/refresh')).toBe(1);
  });

  it('stays where the server refuses the token that it has just given, and that is said', async () => {
    const { server, main } = await signedIn();
    server.does.me = { status: 401, body: { message: 'Unauthorized' } };
    expect(await main.session.checkShown()).toMatchObject({ error: { reason: 'fresh-token-refused' } });
    expect(shown(main)).toMatchObject({ step: 'signed-in', check: { state: 'unchecked' } });
    expect(server.asked('/refresh')).toBe(1);
  });

  it('waits as long as its server says, and is renewed then by itself', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const clock = { at: Date.parse('2026-11-21T10:00:00Z') };
    const { server, main } = await signedIn({}, { ports: { now: () => new Date(clock.at) } });
    await main.session.startRetries();
    server.forget();
    server.does.renewal = { status: 429, body: {}, headers: { 'Retry-After': '120' } };
    const throttled = (retryAfterSeconds: number) => ({ ok: false, error: { kind: 'throttled', retryAfterSeconds } });
    expect(await main.session.checkShown()).toMatchObject(throttled(120));
    clock.at += 30_000;
    expect(await main.session.checkShown()).toMatchObject(throttled(90));
    expect(server.asked('/refresh')).toBe(1);
    server.does.renewal = undefined;
    clock.at += 90_000;
    await vi.advanceTimersByTimeAsync(120_000);
    await vi.waitFor(() => expect(shown(main)).toMatchObject({ check: { state: 'checked' } }));
    expect(server.asked('/refresh')).toBe(2);
    main.session[Symbol.dispose]();
  });
});

describe('a log-out of a session that can be renewed', () => {
  it('is told with a new token where the old one is refused', async () => {
    const { server, main } = await signedIn();
    server.forget();
    expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
    expect(shown(main)).toMatchObject({ notice: { kind: 'logged-out' } });
    expect(server.requests.slice(-3).map(({ target }) => target)).toEqual(['/logout', '/refresh', '/logout']);
    expect(main.state.get().sessions).toEqual([]);
  });

  it('waits for the renewal of a check that it interrupts, and needs no second one', async () => {
    const { server, main } = await signedIn();
    const held = Promise.withResolvers<void>();
    server.does.until = held.promise;
    server.forget();
    const checked = main.session.checkShown();
    await vi.waitFor(() => expect(server.asked('/refresh')).toBe(1));
    const loggedOut = main.session.logOutShown(true);
    held.resolve();
    expect(await checked).toMatchObject({ error: { kind: 'cancelled' } });
    expect(await loggedOut).toMatchObject({ ok: true });
    expect(shown(main)).toMatchObject({ notice: { kind: 'logged-out' } });
    expect([server.asked('/refresh'), server.asked('/logout')]).toEqual([1, 1]);
  });

  it('is not known to the server that refused a token and could not renew it, and is told later', async () => {
    const { server, main } = await signedIn();
    server.forget();
    server.does.renewal = { status: 503, body: {} };
    expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
    expect(shown(main)).toMatchObject({ notice: { kind: 'logged-out-here-only' } });
    const [owed] = main.state.get().sessions;
    server.does.renewal = undefined;
    expect(await main.session.revoke(owed!.id)).toMatchObject({ ok: true });
    expect(main.state.get().sessions).toEqual([]);
  });
});

it('a check and a call that is sent again never renew a session', async () => {
  const { server, main } = await signedIn();
  await main.calls.settled();
  const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;
  const profile = main.calls.findAll(all).find(({ request }) => request.method === 'GET');
  server.forget();
  await main.replay.replay(profile!.id, undefined);
  expect([server.asked('/me'), server.asked('/refresh')]).toEqual([2, 0]);
});

it('a renewal is never sent without a refresh token', async () => {
  const server = await startServer();
  const calls = { ...description.calls, refresh: { path: '/refresh', body: {} } };
  const main = await describedMain(server.baseUrl, { ...description, calls });
  await main.session.logins.login(anaForm);
  expect(main.sessionStore.list()).toMatchObject([{ renews: undefined }]);
  server.forget();
  expect(await main.session.checkShown()).toMatchObject(unauthenticated);
  expect(server.asked('/refresh')).toBe(0);
});

it('sessions live on at servers that refuse, turn and fail, without a log-in, in twelve minutes of their clock', async () => {
  const clock = { at: Date.parse('2026-11-21T10:00:00Z') };
  const time = {
    now: () => clock.at,
    async sleep(ms: number) {
      clock.at += ms;
    },
  };
  const folder = await makeTemporaryFolder();
  const summary = await proveRenewals({ folder, seconds: 720, seed: 7, time });
  expect(summary).toMatchObject({ sessionsEnded: 0, logInsAskedFor: 0, told: 4, findings: [] });
  for (const { renewals, csrfRefused, answered503, logins } of Object.values(summary.servers)) {
    expect(logins).toBe(1);
    expect(renewals).toBeGreaterThan(20);
    expect(csrfRefused).toBeGreaterThan(5);
    expect(answered503).toBeGreaterThan(5);
  }
});
