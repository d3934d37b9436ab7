import { describe, expect, it } from 'vitest';
import type { InterfaceGuess } from '../../../preload/contract/connection.ts';
import { account, description, startKind, trying, type Kind } from '../../support/trial-servers.ts';

const body = { email: '{{email}}', password: '{{password}}' };

type Row = {
  kind: Kind;
  wrong: object;
  /** Each proposal that is taken, until it works. */
  taken: readonly { at: string; value: string; evidence?: RegExp }[];
  variables?: Record<string, string>;
  guesses?: readonly InterfaceGuess[];
};

const rows: Record<string, Row> = {
  'a scheme that WWW-Authenticate names': {
    kind: {
      carries: (headers, token) => headers.authorization === `JWT ${token}`,
      refuses: () => ({ headers: { 'WWW-Authenticate': 'JWT realm="api"' } }),
    },
    wrong: description(),
    taken: [{ at: 'security', value: 'JWT', evidence: /^WWW-Authenticate: JWT realm="api"$/ }],
  },
  'one of two schemes, without Basic': {
    kind: {
      carries: (headers, token) => headers.authorization === `Token ${token}`,
      refuses: () => ({ headers: { 'WWW-Authenticate': 'Basic realm="a, b", Token' } }),
    },
    wrong: description(),
    taken: [{ at: 'security', value: 'Token' }],
  },
  'a bearer token where the description has a header': {
    kind: { refuses: () => ({ headers: { 'WWW-Authenticate': 'Bearer' } }) },
    wrong: description({ security: { type: 'apiKey', in: 'header', name: 'X-Auth' } }),
    taken: [{ at: 'security', value: 'Bearer' }],
  },
  'a header that the refusal names': {
    kind: {
      carries: (headers, token) => headers['x-access-token'] === token,
      refuses: () => ({ body: { message: 'x-access-token header is missing' } }),
    },
    wrong: description(),
    taken: [{ at: 'security', value: 'x-access-token', evidence: /x-access-token header is missing/ }],
  },
  'a header of a name of its own': {
    kind: {
      carries: (headers, token) => headers['acme-session-key'] === token,
      refuses: () => ({ status: 403, body: { error: { reason: 'The "Acme-Session-Key" header is required' } } }),
    },
    wrong: description(),
    taken: [{ at: 'security', value: 'Acme-Session-Key' }],
  },
  'a scheme in a sentence': {
    kind: {
      carries: (headers, token) => headers.authorization === `Token ${token}`,
      refuses: () => ({ body: { detail: 'Use Authorization: Token <key>' } }),
    },
    wrong: description(),
    taken: [{ at: 'security', value: 'Token' }],
  },
  'Authorization without a scheme': {
    kind: {
      carries: (headers, token) => headers.authorization === token,
      refuses: () => ({ status: 403, body: { error: 'jwt malformed' } }),
    },
    wrong: description(),
    taken: [{ at: 'security', value: 'Authorization', evidence: /jwt malformed/ }],
  },
  'a cookie that the log-in set beside a token': {
    kind: {
      gives: (token) => ({
        body: { token: 'of-something-else' },
        headers: { 'Set-Cookie': `sid=${token}; HttpOnly; Path=/` },
      }),
      carries: (headers, token) => headers.cookie === `sid=${token}`,
    },
    wrong: description(),
    taken: [{ at: 'security', value: 'sid', evidence: /^Set-Cookie: sid=…$/ }],
  },
  'a cookie in the place of any token': {
    kind: {
      gives: (token) => ({
        body: { ok: true },
        headers: { 'Set-Cookie': ['lang=en', `connect.sid=${token}; HttpOnly`, 'XSRF-TOKEN=abc-def-ghi'] },
      }),
      carries: (headers, token) => headers.cookie?.includes(`connect.sid=${token}`) === true,
    },
    wrong: description(),
    taken: [{ at: 'security', value: 'connect.sid' }],
  },
  'a redirect with a cookie, as servers of pages say yes': {
    kind: {
      gives: (token) => ({
        status: 302,
        headers: { Location: '/', 'Set-Cookie': `connect.sid=${token}; HttpOnly; Path=/` },
      }),
      carries: (headers, token) => headers.cookie === `connect.sid=${token}`,
    },
    wrong: description(),
    taken: [
      {
        at: 'calls.login.success',
        value: '302 /, connect.sid',
        evidence: /^302 Location: \/, Set-Cookie: connect\.sid=…$/,
      },
    ],
  },
  'a cookie of another name': {
    kind: {
      gives: (token) => ({ status: 204, headers: { 'Set-Cookie': `acme_session=${token}; HttpOnly` } }),
      carries: (headers, token) => headers.cookie === `acme_session=${token}`,
    },
    wrong: description({ security: { type: 'apiKey', in: 'cookie', name: 'sessionid' } }),
    taken: [{ at: 'security', value: 'acme_session' }],
  },
  'a cookie that holds the token of the body with its signature': {
    kind: {
      gives: (token) => ({
        body: { redirect: false, token },
        headers: { 'Set-Cookie': `better-auth.session_token=${token}.c2lnbmF0dXJl; HttpOnly; Path=/` },
      }),
      carries: (headers, token) => headers.cookie?.startsWith(`better-auth.session_token=${token}.`) === true,
    },
    wrong: description({ outputs: { token: '$response.header.set-auth-token' } }),
    taken: [{ at: 'security', value: 'better-auth.session_token' }],
  },
  'a token of the body beside the session that everybody has': {
    kind: {
      gives: (token) => ({
        body: { access: token },
        headers: { 'Set-Cookie': 'laravel_session=of-everybody-who-comes; HttpOnly' },
      }),
    },
    wrong: description({ outputs: { token: '$response.body#/token' } }),
    taken: [{ at: 'outputs.token', value: '$response.body#/access' }],
  },
  'a token of the body beside the cookie that renews it': {
    kind: {
      gives: (token) => ({
        body: { accessToken: `eyJhbGciOiJIUzI1NiJ9.${token}.x` },
        headers: { 'Set-Cookie': 'jwt=eyJhbGciOiJIUzI1NiJ9.of-the-renewal.y; HttpOnly' },
      }),
      carries: (headers, token) => headers.authorization === `Bearer eyJhbGciOiJIUzI1NiJ9.${token}.x`,
    },
    wrong: description({ outputs: { token: '$response.body#/token' } }),
    taken: [{ at: 'outputs.token', value: '$response.body#/accessToken' }],
  },
  'a cookie, where the profile is of nobody for the token of the body': {
    kind: {
      gives: (token) => ({
        body: { token: 'of-something-else-that-is-long' },
        headers: { 'Set-Cookie': `acme_session=${token}; HttpOnly` },
      }),
      carries: (headers, token) => headers.cookie === `acme_session=${token}`,
      refuses: () => ({ status: 200, body: null }),
    },
    wrong: description(),
    taken: [{ at: 'security', value: 'acme_session', evidence: /^Set-Cookie: acme_session=…$/ }],
  },
  'a token where a cookie was described': {
    kind: { gives: (token) => ({ body: { auth: { key: 1, access_token: token } } }) },
    wrong: description({ security: { type: 'apiKey', in: 'cookie', name: 'sessionid' } }),
    taken: [{ at: 'security', value: 'Bearer', evidence: /auth\.access_token/ }],
  },
  'a token at another place': {
    kind: { gives: (token) => ({ body: { data: [{ jwt: token }] } }) },
    wrong: description({ outputs: { token: '$response.body#/token' } }),
    taken: [{ at: 'outputs.token', value: '$response.body#/data/0/jwt', evidence: /^200 data\[0\]\.jwt: …$/ }],
  },
  'a token in a header': {
    kind: { gives: (token) => ({ body: {}, headers: { 'X-Auth-Token': token } }) },
    wrong: description({ outputs: { token: '$response.body#/token' } }),
    taken: [{ at: 'outputs.token', value: '$response.header.X-Auth-Token' }],
  },
  'a slash at the end, by a redirect': {
    kind: {
      login: '/login/',
      elsewhere: (target) => (target === '/login' ? { status: 301, headers: { Location: '/login/' } } : undefined),
    },
    wrong: description(),
    taken: [{ at: 'calls.login.path', value: 'POST /login/', evidence: /^301 Location: \/login\/$/ }],
  },
  'a slash at the end, by a fault of Django': {
    kind: {
      login: '/login/',
      elsewhere: (target) =>
        target === '/login'
          ? { status: 500, body: "RuntimeError: You called this URL via POST, but the URL doesn't end in a slash" }
          : undefined,
    },
    wrong: description(),
    taken: [{ at: 'calls.login.path', value: 'POST /login/' }],
  },
  'a path that moved for good': {
    kind: {
      profile: '/v2/users/me',
      elsewhere: (target) => (target === '/me' ? { status: 308, headers: { Location: '/v2/users/me' } } : undefined),
    },
    wrong: description(),
    taken: [{ at: 'calls.profile.path', value: 'GET /v2/users/me' }],
  },
  'a path that a 404 names': {
    kind: {
      profile: '/users/me',
      elsewhere: (target) =>
        target === '/me' ? { body: { error: 'No route GET /me. Did you mean /users/me?' } } : undefined,
    },
    wrong: description(),
    taken: [{ at: 'calls.profile.path', value: 'GET /users/me' }],
  },
  'a path in the list of Django': {
    kind: {
      login: '/api/auth/login/',
      elsewhere: (target) =>
        target === '/login'
          ? {
              body: "<p>Using the URLconf defined in <code>shop.urls</code></p><ol><li>admin/</li><li><code>api/auth/</code> <code>login/ [name='login']</code></li><li>^static/(?P&lt;path&gt;.*)$</li></ol>",
              headers: { 'Content-Type': 'text/html' },
            }
          : undefined,
    },
    wrong: description(),
    taken: [{ at: 'calls.login.path', value: 'POST /api/auth/login/' }],
  },
  'the beginning that the log-in has': {
    kind: { login: '/api/v1/login', profile: '/api/v1/me' },
    wrong: description({}, { login: { path: '/api/v1/login', body } }),
    taken: [{ at: 'calls.profile.path', value: 'GET /api/v1/me', evidence: /^200 POST \/api\/v1\/login$/ }],
  },
  'a method that Allow names': {
    kind: {
      method: 'PUT',
      elsewhere: (target, method) =>
        target === '/login' && method === 'POST'
          ? { status: 405, headers: { Allow: 'PUT, DELETE, OPTIONS' } }
          : undefined,
    },
    wrong: description(),
    taken: [{ at: 'calls.login.method', value: 'PUT', evidence: /^405 Allow: PUT/ }],
  },
  'a form, by 415': {
    kind: { reads: 'form', fields: ['email', 'password'] },
    wrong: description(),
    taken: [{ at: 'calls.login.encoding', value: 'form', evidence: /^415 Unsupported Media Type$/ }],
  },
  'JSON, by what the server would have': {
    kind: {
      elsewhere: () => undefined,
    },
    wrong: description({ encoding: 'form' }),
    taken: [{ at: 'calls.login.encoding', value: 'json' }],
  },
  'a user name, by the name of Django': {
    kind: {
      fields: ['username', 'password'],
      lacks: () => ({ status: 400, body: { username: ['This field is required.'] } }),
    },
    wrong: description(),
    taken: [{ at: 'calls.login.body', value: 'email → username', evidence: /username: This field is required\./ }],
  },
  'names of pydantic': {
    kind: {
      reads: 'form',
      fields: ['username', 'password'],
      lacks: (lacking) => ({
        status: 422,
        body: { detail: lacking.map((each) => ({ loc: ['body', each], msg: 'Field required', type: 'missing' })) },
      }),
    },
    wrong: description(),
    taken: [
      { at: 'calls.login.encoding', value: 'form' },
      { at: 'calls.login.body', value: 'email → username' },
    ],
  },
  'names in a sentence of Joi': {
    kind: {
      fields: ['identifier', 'password'],
      lacks: () => ({ status: 400, body: { message: '"identifier" is required' } }),
    },
    wrong: description(),
    taken: [{ at: 'calls.login.body', value: 'email → identifier' }],
  },
  'names of Nest, of both members': {
    kind: {
      fields: ['login', 'pwd'],
      lacks: () => ({
        status: 400,
        body: {
          statusCode: 400,
          error: 'Bad Request',
          message: ['property email should not exist', 'login should not be empty', 'pwd must be a string'],
        },
      }),
    },
    wrong: description(),
    taken: [{ at: 'calls.login.body', value: 'email → login, password → pwd' }],
  },
  'a user name, where the text shows neither name of the field': {
    kind: {
      fields: ['username', 'password'],
      lacks: () => ({ status: 401, body: { message: 'Unauthorized', statusCode: 401 } }),
    },
    wrong: description(),
    guesses: [{ at: 'calls.login.body', why: 'usual' }],
    taken: [{ at: 'calls.login.body', value: 'email → username: {{username}}', evidence: /^401 Unauthorized$/ }],
  },
  'an email within another member, where a schema lets both be missing': {
    kind: {
      within: 'user',
      lacks: () => ({ status: 422, body: { error: 'Wrong user or password' } }),
    },
    wrong: description(
      {},
      { login: { path: '/login', body: { user: { username: '{{username}}', password: '{{password}}' } } } },
    ),
    guesses: [{ at: 'calls.login.body.user.username', why: 'schema-silent' }],
    taken: [{ at: 'calls.login.body.user', value: 'username → email: {{email}}' }],
  },
  'a member around the others, of Rails': {
    kind: { within: 'user' },
    wrong: description(),
    taken: [{ at: 'calls.login.body', value: 'user: {…}' }],
  },
  'a required member that a person is asked for': {
    kind: { fields: ['email', 'password', 'tenant'] },
    wrong: description(),
    taken: [{ at: 'calls.login.body', value: 'tenant: {{tenant}}' }],
    variables: { tenant: 'acme' },
  },
  'the grant of OAuth': {
    kind: {
      fields: ['email', 'password', 'grant_type'],
      lacks: () => ({
        status: 400,
        body: { error: 'invalid_request', error_description: 'Missing form parameter: grant_type' },
      }),
    },
    wrong: description(),
    taken: [{ at: 'calls.login.body', value: 'grant_type: password' }],
  },
};

describe('a wrong description', () => {
  it.each(Object.entries(rows))(
    'is mended by a proposal: %s',
    async (_name, { kind, wrong, taken, variables, guesses }) => {
      const { baseUrl, issued } = await startKind(kind);
      let text = JSON.stringify(wrong);
      for (const expected of taken) {
        const { works, proposals } = await trying(baseUrl, text, { guesses });
        expect(works).toBe(false);
        const [first] = proposals;
        expect(first).toMatchObject({ at: expected.at, value: expected.value });
        expect(first!.evidence).toMatch(expected.evidence ?? /\S/);
        expect(JSON.stringify(proposals)).not.toContain(issued);
        text = first!.text;
      }
      expect(await trying(baseUrl, text, { variables })).toMatchObject({ works: true, whose: account.email });
    },
  );
});

describe('a log-in whose answer has a refresh token, without a renewal in its description', () => {
  it.each([
    ['/api/token/', { access: '', refresh: 'r3fresh-1' }, '/api/token/refresh/', 'refresh', '/refresh'],
    ['/auth/login', { token: '', refresh_token: 'r3fresh-1' }, '/auth/refresh', 'refresh_token', '/refresh_token'],
    ['/login', { token: '', data: { refreshToken: 'r3fresh-1' } }, '/refresh', 'refreshToken', '/data/refreshToken'],
  ])('at %s is proposed one beside it, which works then', async (path, answer, target, member, place) => {
    const renewed: string[] = [];
    let token = '';
    const { baseUrl } = await startKind({
      login: path,
      gives: (issued) => {
        token = issued;
        return { body: JSON.parse(JSON.stringify(answer).replace('""', JSON.stringify(issued))) };
      },
      elsewhere: (asked, method) => {
        if (asked !== target) return undefined;
        renewed.push(`${method} ${asked}`);
        return { status: 200, body: JSON.parse(JSON.stringify(answer).replace('""', JSON.stringify(token))) };
      },
    });
    const text = JSON.stringify(description({}, { login: { path, body } }));
    const first = await trying(baseUrl, text);
    expect(first).toMatchObject({ works: true, proposals: [{ at: 'calls.refresh', value: `POST ${target}` }] });
    expect(renewed).toEqual([]);
    const [proposal] = first.proposals;
    expect(JSON.parse(proposal!.text)).toMatchObject({
      calls: { refresh: { path: target, body: { [member]: '{{refreshToken}}' } } },
      outputs: { refreshToken: `$response.body#${place}` },
    });
    expect(JSON.stringify(first)).not.toContain('r3fresh');
    const second = await trying(baseUrl, proposal!.text);
    expect(second).toMatchObject({ works: true, proposals: [] });
    expect(renewed).toEqual([`POST ${target}`]);
  });

  it('is proposed none where the description has one', async () => {
    const { baseUrl } = await startKind({ gives: (token) => ({ body: { token, refresh_token: 'r3fresh-1' } }) });
    const renewal = { refresh: { path: '/renew', body: { refresh_token: '{{refreshToken}}' } } };
    const outputs = { refreshToken: '$response.body#/refresh_token' };
    const { proposals } = await trying(baseUrl, JSON.stringify(description({ outputs }, renewal)));
    expect(proposals.map(({ at }) => at)).not.toContain('calls.refresh');
  });
});
