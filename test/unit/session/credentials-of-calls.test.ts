import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startJsonServer } from '../../support/described-servers.ts';
import type { Main } from '../../support/make-main.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { anaForm, entered, withPerson } from '../../support/with-person.ts';

const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;
const person = { id: 7, name: 'Ana', email: anaForm.email };
const unauthorized = { status: 401, body: { msg: 'Token has expired' } };
type Answer = { status: number; body?: unknown; headers?: Record<string, string | string[]> };

const login = { path: '/login', body: { email: '{{email}}', password: '{{password}}' } };
const described = (refresh: object, more: object = {}) => ({
  name: 'A credential of its own',
  calls: {
    login,
    profile: { path: '/me' },
    logout: { path: '/logout' },
    refresh: { path: '/auth/refresh', ...refresh },
  },
  ...more,
});

async function mainBy(baseUrl: string, description: object | string, again = {}) {
  const { main } = await withPerson({ there: { baseUrl } }, again);
  const text = typeof description === 'string' ? description : JSON.stringify(description);
  const edited = { ...entered(main, 'there', {}), id: 'there', enteredInterface: { text, variables: [] } };
  expect(await main.servers.edit(edited)).toMatchObject({ ok: true });
  return main;
}

const step = ({ state }: Main) => state.get().session;

/**
 * A server whose access tokens end when a test says so. `renewalOf` is what a request carries to renew, and `gives` where
 * the refresh token goes; a refresh token is taken once.
 */
async function startServer(
  renewalOf: (headers: Record<string, string | string[] | undefined>) => string | undefined,
  gives: (refresh: string) => Pick<Answer, 'body' | 'headers'>,
) {
  let tokens = 0;
  const at = { access: '', refresh: '' };
  const given: string[] = [];
  const give = (): Answer => {
    tokens += 1;
    Object.assign(at, { access: `access-token-number-${tokens}`, refresh: `refresh-token-number-${tokens}` });
    given.push(at.access, at.refresh);
    const { body, headers = {} } = gives(at.refresh);
    return { status: 200, body: { access_token: at.access, ...(body as object) }, headers };
  };
  const server = await startJsonServer(({ target, headers }) => {
    if (target === '/login') return give();
    if (target === '/auth/refresh') return renewalOf(headers) === at.refresh ? give() : unauthorized;
    if (headers.authorization !== `Bearer ${at.access}`) return unauthorized;
    return target === '/me' ? { status: 200, body: person } : { status: 204 };
  });
  const asked = (target: string) => server.requests.filter((each) => each.target === target);
  return { ...server, given, asked, expire: () => void (at.access = 'over') };
}

const bearer = (headers: { authorization?: string }) => headers.authorization?.replace(/^Bearer /, '');
const cookieOf = (headers: { cookie?: string }) => /\brefresh_token=([^;]+)/.exec(headers.cookie ?? '')?.[1];
const ways: [string, object, Parameters<typeof startServer>, object?][] = [
  [
    'in Authorization, as Flask-JWT-Extended and FastAPI JWT Auth take it',
    { security: { type: 'http', scheme: 'Bearer', value: '{{refreshToken}}' } },
    [bearer, (refresh) => ({ body: { refresh_token: refresh } })],
    { outputs: { refreshToken: '$response.body#/refresh_token' } },
  ],
  [
    'in a header of its own',
    { security: { type: 'apiKey', in: 'header', name: 'X-Refresh-Token', value: '{{refreshToken}}' } },
    [(headers) => String(headers['x-refresh-token']), (refresh) => ({ body: { tokens: { refresh } } })],
    { outputs: { refreshToken: '$response.body#/tokens/refresh' } },
  ],
  [
    'in a cookie for its call alone, beside a token in the body',
    { security: { type: 'apiKey', in: 'cookie', name: 'refresh_token' } },
    [
      cookieOf,
      (refresh) => ({
        headers: {
          'Set-Cookie': [`refresh_token=${refresh}; Path=/auth/refresh; HttpOnly; SameSite=Strict`, 'seen=1'],
        },
      }),
    ],
  ],
  [
    'in a cookie for every path, by GET',
    { method: 'GET', security: [{ type: 'apiKey', in: 'cookie', name: 'refresh_token' }] },
    [cookieOf, (refresh) => ({ headers: { 'Set-Cookie': `refresh_token=${refresh}; Path=/; HttpOnly` } })],
  ],
];

describe.each(ways)('a refresh token %s', (_, refresh, server, more) => {
  it('renews the session, again and over a start, and goes to no call but its own', async () => {
    const { given, asked, expire, baseUrl, requests } = await startServer(...server);
    const again = { store: {}, folder: await makeTemporaryFolder() };
    const main = await mainBy(baseUrl, described(refresh, more), again);
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    expect(main.sessionStore.list()).toMatchObject([{ renews: true }]);
    for (let renewal = 1; renewal <= 2; renewal += 1) {
      expire();
      expect(await main.session.checkShown()).toMatchObject({ ok: true });
      expect(asked('/auth/refresh')).toHaveLength(renewal);
    }
    const { main: next } = await withPerson({ there: { baseUrl } }, again);
    expire();
    expect(await next.session.restore()).toMatchObject({ ok: true });
    expect(step(next)).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
    expect(asked('/auth/refresh')).toHaveLength(3);
    const profiles = JSON.stringify(asked('/me').map(({ headers }) => headers));
    expect(profiles).not.toContain('refresh-token-number');
    expect(JSON.stringify(asked('/auth/refresh').map(({ headers }) => headers))).not.toContain('access-token-number');
    expect(JSON.stringify(requests)).not.toContain('seen=1');
    for (const each of [main, next]) {
      await each.calls.settled();
      const shown = [
        each.calls.findAll(all).map(({ id }) => each.calls.get(id)),
        each.told,
        each.state.get(),
        again.store,
      ];
      for (const token of given) {
        expect(JSON.stringify(shown)).not.toContain(token);
        expect(await filesContaining(again.folder, token)).toEqual([]);
      }
    }
  });

  it('that the server refuses ends the session', async () => {
    const { baseUrl, expire } = await startServer(() => undefined, server[1]);
    const main = await mainBy(baseUrl, described(refresh, more));
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    expire();
    expect(await main.session.checkShown()).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
    expect(step(main)).toMatchObject({ step: 'signed-out', notice: { kind: 'session-ended' } });
  });
});

it('a refresh cookie goes along with the log-out, which ends it, and is not held where no call is below its path', async () => {
  const cookie = { security: { type: 'apiKey', in: 'cookie', name: 'refresh_token' } };
  const set = (at: string) => (refresh: string) => ({
    headers: { 'Set-Cookie': `refresh_token=${refresh}; Path=${at}` },
  });
  const here = await startServer(cookieOf, set('/'));
  const main = await mainBy(here.baseUrl, described(cookie));
  await main.session.logins.login(anaForm);
  expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
  expect(here.asked('/logout')[0]?.headers).toMatchObject({
    authorization: 'Bearer access-token-number-1',
    cookie: 'refresh_token=refresh-token-number-1',
  });
  const elsewhere = await startServer(cookieOf, set('/admin'));
  const other = await mainBy(elsewhere.baseUrl, described(cookie));
  await other.session.logins.login(anaForm);
  expect(other.sessionStore.list()).toMatchObject([{ renews: undefined }]);
});

it('a renewal without any credential sends what its body has alone', async () => {
  const server = await startServer(
    () => undefined,
    (refresh) => ({ body: { refresh } }),
  );
  const refresh = { body: { refresh: '{{refreshToken}}' }, security: { type: 'none' } };
  const main = await mainBy(
    server.baseUrl,
    described(refresh, { outputs: { refreshToken: '$response.body#/refresh' } }),
  );
  await main.session.logins.login(anaForm);
  server.expire();
  await main.session.checkShown();
  const [sent] = server.asked('/auth/refresh');
  expect(sent?.headers.authorization).toBeUndefined();
  expect(sent?.body).toBe('{"refresh":"refresh-token-number-1"}');
});

describe('a session that a token or a cookie may keep, as at Payload CMS', () => {
  const fixture = path.join(import.meta.dirname, '../../fixtures/interfaces/payload.interface.json');
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.payload-session.sig';
  const start = (gives: { token?: string; cookie?: string }) =>
    startJsonServer(({ target, headers }) => {
      const set = gives.cookie === undefined ? {} : { 'Set-Cookie': `payload-token=${gives.cookie}; Path=/; HttpOnly` };
      if (target === '/api/users/login')
        return {
          status: 200,
          body: { message: 'Authentication Passed', user: person, token: gives.token },
          headers: set,
        };
      const sent =
        headers.authorization?.replace(/^JWT /, '') ?? /payload-token=([^;]+)/.exec(headers.cookie ?? '')?.[1];
      const isIn = sent === (headers.authorization ? gives.token : gives.cookie) && sent !== undefined;
      if (target === '/api/users/me') return { status: 200, body: { user: isIn ? person : null } };
      return { status: isIn ? 200 : 400, body: { message: 'Logged out' } };
    });

  it.each([
    ['both', { token: jwt, cookie: 'cookie-of-the-session' }, { authorization: `JWT ${jwt}`, cookie: undefined }],
    ['both, of one value', { token: jwt, cookie: jwt }, { authorization: `JWT ${jwt}`, cookie: undefined }],
    ['a token alone', { token: jwt }, { authorization: `JWT ${jwt}`, cookie: undefined }],
    [
      'a cookie alone',
      { cookie: 'cookie-of-the-session' },
      { authorization: undefined, cookie: 'payload-token=cookie-of-the-session' },
    ],
  ])('is kept by the first that is given: %s', async (_, gives, sent) => {
    const server = await start(gives);
    const main = await mainBy(server.baseUrl, await readFile(fixture, 'utf8'));
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: true });
    expect(step(main)).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    for (const { headers } of server.requests.slice(1))
      expect({ authorization: headers.authorization, cookie: headers.cookie }).toEqual(sent);
    expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });
    expect(step(main)).toMatchObject({ notice: { kind: 'logged-out' } });
    await main.calls.settled();
    const shown = JSON.stringify(main.calls.findAll(all).map(({ id }) => main.calls.get(id)));
    for (const value of Object.values(gives)) expect(shown).not.toContain(value);
  });
});
