import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import { measureAndLearn } from '../../prove/mocks.ts';
import { startMock, haste } from '../support/mock-servers.ts';
import { startJson, type JsonAnswer } from '../support/json-server.ts';
import { described } from '../support/service-at.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 60_000 });

type Fields = Record<string, string | undefined>;

/** Accounts with passwords, as every server of this file has them. */
function createAccounts() {
  const accounts = new Map<string, string>();
  return {
    register({ email, password }: Fields): JsonAnswer {
      if (!email || !password) return [400, { detail: 'Both are needed.' }];
      if (accounts.has(email)) return [400, { detail: 'Known already.' }];
      accounts.set(email, password);
      return [201, { email }];
    },
    isRight: ({ email, password }: Fields): boolean =>
      email !== undefined && password !== undefined && accounts.get(email) === password,
  };
}

/** Access and refresh tokens as simplejwt gives them, with or without rotation. */
function startWithRenewals(rotates: boolean): Promise<string> {
  const accounts = createAccounts();
  const access = new Map<string, string>();
  const refresh = new Map<string, { email: string; isUsed: boolean }>();
  const accessFor = (email: string): string => {
    const token = randomUUID();
    access.set(token, email);
    return token;
  };
  const refreshFor = (email: string): string => {
    const token = randomUUID();
    refresh.set(token, { email, isUsed: false });
    return token;
  };
  return startJson(({ path, body, header }) => {
    if (path === 'POST /users') return accounts.register(body);
    if (path === 'POST /token') {
      const { email = '' } = body;
      if (!accounts.isRight(body)) return [401, { detail: 'No active account found with the given credentials' }];
      return [200, { access: accessFor(email), refresh: refreshFor(email) }];
    }
    if (path === 'POST /token/refresh') {
      if (body['refresh'] === undefined) return [400, { refresh: ['This field is required.'] }];
      const found = refresh.get(body['refresh']);
      if (!found) return [401, { detail: 'Token is invalid', code: 'token_not_valid' }];
      if (found.isUsed) return [401, { detail: 'Token is blacklisted', code: 'token_not_valid' }];
      found.isUsed = rotates;
      const { email } = found;
      return [200, { access: accessFor(email), ...(rotates && { refresh: refreshFor(email) }) }];
    }
    const email = access.get(header('authorization').replace('Bearer ', ''));
    if (path !== 'GET /me') return [404, { detail: 'Not found.' }];
    return email === undefined ? [401, { detail: 'Not logged in.' }] : [200, { email }];
  });
}

/** A session in a cookie, and a cookie against forged requests that a page reads in JSON, too. */
function startWithCsrf(isMinded: boolean): Promise<string> {
  const accounts = createAccounts();
  const sessions = new Map<string, string>();
  const cookieIn = (jar: string, name: string): string => new RegExp(`${name}=([^;]*)`).exec(jar)?.[1] ?? '';
  return startJson(({ path, body, header }) => {
    const jar = header('cookie');
    if (path === 'GET /csrf') {
      const csrfToken = randomUUID();
      return [200, { csrfToken, mode: 'double-submit' }, { 'set-cookie': `csrftoken=${csrfToken}; Path=/` }];
    }
    const email = sessions.get(cookieIn(jar, 'sid'));
    if (path === 'GET /me') return email === undefined ? [401, { detail: 'Not logged in.' }] : [200, { email }];
    if (isMinded && path.startsWith('POST')) {
      if (header('x-csrftoken') === '') return [403, { detail: 'CSRF Failed: CSRF token missing.' }];
      if (header('x-csrftoken') !== cookieIn(jar, 'csrftoken'))
        return [419, { detail: 'CSRF Failed: CSRF token incorrect.', page: 'expired' }];
    }
    if (path === 'POST /users') return accounts.register(body);
    if (path === 'POST /session') {
      if (!accounts.isRight(body)) return [401, { detail: 'Wrong.' }];
      const sid = randomUUID();
      sessions.set(sid, body['email'] ?? '');
      return [200, { detail: 'Welcome.' }, { 'set-cookie': `sid=${sid}; Path=/; HttpOnly` }];
    }
    return [404, { detail: 'Not found.' }];
  });
}

const ana = { email: 'ana@example.test', password: 'correct horse 9' };

/** Asks one server or the other, with the cookies that it gave. */
function clientAt(baseUrl: string) {
  const jar = new Map<string, string>();
  return async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answered = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const each of answered.headers.getSetCookie()) {
      const [name = '', value = ''] = each.split(';', 1)[0]?.split('=') ?? [];
      jar.set(name, value);
    }
    const said = await answered.text();
    const type = answered.headers.get('content-type')?.split(';', 1)[0];
    return {
      status: answered.status,
      type,
      json: (said === '' ? {} : JSON.parse(said)) as Record<string, string>,
      jar,
    };
  };
}

const gist = ({ status, type, json }: Awaited<ReturnType<ReturnType<typeof clientAt>>>): unknown[] => [
  status,
  type,
  Object.entries(json).map(([name, value]) =>
    /access|refresh$|token$/i.test(name) && status < 300 ? name : [name, value],
  ),
];

const only = [
  'login.right-credentials',
  'login.wrong-password',
  'login.unknown-email',
  'login.fields',
  'token.missing',
  'token.invalid',
  'profile.served',
] as const;

const learn = async (baseUrl: string, description: InterfaceDescription) =>
  (await measureAndLearn(baseUrl, { ...haste, interface: description, options: { only: [...only] } })).model;

it.each([true, false])(
  'a mock server renews sessions, and refuses to, as its original does (rotation: %s)',
  async (rotates) => {
    const description = described({
      calls: {
        register: { path: '/users', body: { email: '{{email}}', password: '{{password}}' } },
        login: { path: '/token', body: { email: '{{email}}', password: '{{password}}' } },
        refresh: { path: '/token/refresh', body: { refresh: '{{refreshToken}}' } },
        profile: { path: '/me' },
      },
      outputs: { token: '$response.body#/access', refreshToken: '$response.body#/refresh' },
    });
    async function way(baseUrl: string): Promise<unknown[]> {
      const ask = clientAt(baseUrl);
      await ask('POST', '/users', ana);
      const { access = '', refresh = '' } = (await ask('POST', '/token', ana)).json;
      const renewed = await ask('POST', '/token/refresh', { refresh });
      const bearer = (token = '') => ({ authorization: `Bearer ${token}` });
      return [
        gist(renewed),
        gist(await ask('GET', '/me', undefined, bearer(renewed.json['access']))),
        gist(await ask('POST', '/token/refresh', { refresh })),
        gist(await ask('POST', '/token/refresh', { refresh: 'nonsense' })),
        gist(await ask('POST', '/token/refresh', { refresh: access })),
        gist(await ask('POST', '/token/refresh', {})),
        gist(await ask('POST', '/token', { ...ana, password: 'another' })),
      ];
    }
    const baseUrl = await startWithRenewals(rotates);
    const model = await learn(baseUrl, description);
    const mockServer = await startMock(model);
    expect(await way(mockServer.baseUrl)).toEqual(await way(baseUrl));
    expect(model.notMeasured.map(({ kind }) => kind)).not.toContain('renewals');
  },
);

it.each([true, false])(
  'a mock server gives the cookie against forged requests as its original does (minded: %s)',
  async (isMinded) => {
    const description = described({
      calls: {
        register: { path: '/users', body: { email: '{{email}}', password: '{{password}}' } },
        login: { path: '/session', body: { email: '{{email}}', password: '{{password}}' } },
        profile: { path: '/me' },
      },
      security: { type: 'apiKey', in: 'cookie', name: 'sid' },
      csrf: { cookie: 'csrftoken', header: 'X-CSRFToken', from: '/csrf' },
    });
    async function way(baseUrl: string): Promise<unknown[]> {
      const ask = clientAt(baseUrl);
      const given = await ask('GET', '/csrf');
      const right = { 'x-csrftoken': given.jar.get('csrftoken') ?? '' };
      return [
        gist(given),
        given.json['csrfToken'] === given.jar.get('csrftoken'),
        gist(await ask('POST', '/users', ana, right)),
        gist(await ask('POST', '/session', ana)),
        gist(await ask('POST', '/session', ana, { 'x-csrftoken': 'wrong' })),
        (await ask('POST', '/session', ana, right)).status,
        gist(await ask('GET', '/me')),
      ];
    }
    const baseUrl = await startWithCsrf(isMinded);
    const model = await learn(baseUrl, description);
    const mockServer = await startMock(model);
    expect(await way(mockServer.baseUrl)).toEqual(await way(baseUrl));
    expect(model.notMeasured.map(({ kind }) => kind)).not.toContain('forged-requests');
  },
);

it('what was not asked of renewals and forged requests is named', async () => {
  const { model } = await measureAndLearn(await startWithRenewals(true), {
    ...haste,
    interface: described({
      calls: {
        register: { path: '/users', body: { email: '{{email}}', password: '{{password}}' } },
        login: { path: '/token', body: { email: '{{email}}', password: '{{password}}' } },
        refresh: { path: '/token/refresh', body: { refresh: '{{refreshToken}}' } },
        profile: { path: '/me' },
      },
      outputs: { token: '$response.body#/access', refreshToken: '$response.body#/refresh' },
    }),
    options: { only: ['login.right-credentials'] },
  });
  expect(model.notMeasured.map(({ kind }) => kind)).toContain('renewals');
});
