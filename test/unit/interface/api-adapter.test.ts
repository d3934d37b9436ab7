import { operationPaths } from '../../../preload/contract/names.ts';
import { describe, expect, it } from 'vitest';
import { defaultInterface, shippedInterface } from '../../../main/interface/shipped.ts';
import { readDescription } from '../../../main/interface/read-description.ts';
import { credentialSecrets } from '../../../main/interface/credential.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';

/** A wire to a server by a description that is written here. */
function wireOf(description: object, variables: Record<string, string> = {}): ApiAdapter {
  const read = readDescription(JSON.stringify(description));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return new ApiAdapter(read.description, 'https://api.example.test/app', variables);
}

const people = { name: 'Ana', email: 'ana@example.test', password: 'p|ñ 漢', cpassword: 'p|ñ 漢' };
const { name, email, password } = people;
const login = { path: '/login', body: { email: '{{email}}', password: '{{password}}' } };
const profile = { path: '/me' };

describe("the interface's own five requests", () => {
  const adapter = new ApiAdapter(defaultInterface, 'https://api.example.test/app');
  const credential = { token: '12|opaque' };
  const json = [
    ['Accept', 'application/json'],
    ['Content-Type', 'application/json'],
  ];
  const bearer = [
    ['Accept', 'application/json'],
    ['Authorization', 'Bearer 12|opaque'],
  ];
  const at = 'https://api.example.test/app/api/v1/auth';

  it.each([
    [
      'registro',
      { fields: { name, email, password } },
      'POST',
      json,
      `{"name":"Ana","email":"ana@example.test","password":"p|ñ 漢"}`,
    ],
    [
      'register',
      { fields: people },
      'POST',
      json,
      `{"name":"Ana","email":"ana@example.test","password":"p|ñ 漢","cpassword":"p|ñ 漢"}`,
    ],
    ['login', { fields: { email, password } }, 'POST', json, `{"email":"ana@example.test","password":"p|ñ 漢"}`],
    ['profile', { credential }, 'GET', bearer, undefined],
    ['logout', { credential }, 'POST', bearer, undefined],
  ] as const)('%s', (operation, said, method, headers, body) => {
    expect(adapter.request(operation, said)).toEqual({
      method,
      url: `${at}/${operationPaths[operation]}`,
      headers,
      body,
    });
    expect(adapter.callOf(method, `${at}/${operationPaths[operation]}`)).toBe(operation);
  });

  it('go out as they are given, so that the check can send what no form would', () => {
    const fields = { password, email: 7, extra: [null] };
    expect(adapter.request('registro', { fields }).body).toBe(`{"password":"p|ñ 漢","email":7,"extra":[null]}`);
    expect(adapter.request('login', { fields: '{"email":' }).body).toBe('{"email":');
    const head = adapter.request('profile', {
      credential,
      scheme: 'bearer',
      withoutAccept: true,
      path: adapter.unknownPath('x'),
    });
    expect(head).toMatchObject({ url: `${at}/x`, headers: [['Authorization', 'bearer 12|opaque']] });
  });
});

describe('a log-in by GET', () => {
  const body = { who: '{{email}}', geheim: '{{password}}', kind: 'app' };
  const byGet = { method: 'GET', path: '/login', encoding: 'query', body };
  const odd = `a+b &=?#/%20 'ñ' 漢 (!*) "`;
  const written = 'a%2Bb%20%26%3D%3F%23%2F%2520%20%27%C3%B1%27%20%E6%BC%A2%20%28%21%2A%29%20%22';
  const at = 'https://api.example.test/app';
  const wireBy = (call: object) => wireOf({ name: 'x', calls: { login: { ...byGet, ...call }, profile } });

  it.each([
    ['/login', '/login?'],
    ['/login?locale=en', '/login?locale=en&'],
    ['?do=login', '?do=login&'],
  ])('at %s has its members in the query, percent-encoded, and they are read back', (path, start) => {
    const adapter = wireBy({ path });
    const request = adapter.request('login', { fields: { email, password: odd } });
    expect(request).toEqual({
      method: 'GET',
      url: `${at}${start}who=ana%40example.test&geheim=${written}&kind=app`,
      headers: [['Accept', 'application/json']],
      body: undefined,
      secretsInUrl: [odd],
    });
    // A URL of WHATWG's leaves it as it is.
    expect(new URL(request.url).href).toBe(request.url);
    expect(adapter.callOf('GET', request.url)).toBe('login');
    expect(adapter.fieldsInQuery('login', request.url)).toEqual({ email, password: odd });
    expect(adapter.fieldsInQuery('profile', request.url)).toBeUndefined();
  });

  it('says nothing of a password where it shows its path', () => {
    expect(wireBy({}).formatCall('login')).toBe('GET /login');
  });

  it('without a body has the fields under their own names, and sends a text as it is in a body', () => {
    const adapter = wireBy({ body: undefined });
    expect(adapter.request('login', { fields: { email, password: 'x' } }).url).toBe(
      `${at}/login?email=ana%40example.test&password=x`,
    );
    expect(adapter.request('login', { fields: '[' })).toMatchObject({ url: `${at}/login`, body: '[' });
  });
});

describe('a template', () => {
  const adapter = wireOf({
    name: 'x',
    calls: {
      register: {
        path: '/users',
        body: {
          username: '{{email}}',
          email: '{{email}}',
          data: { name: '{{name}}' },
          kind: 'app',
          said: 'for {{name}}',
        },
      },
      login: { ...login, path: '/token?grant_type=password', encoding: 'form' },
      profile,
    },
  });

  it('gives a value its own type, and a member goes where there is no value', () => {
    expect(
      JSON.parse(adapter.request('registro', { fields: { email: 7, name, cpassword: password, role: 'admin' } }).body!),
    ).toEqual({
      username: 7,
      email: 7,
      data: { name },
      kind: 'app',
      said: 'for Ana',
      role: 'admin',
    });
    expect(JSON.parse(adapter.request('registro', { fields: { email } }).body!)).toEqual({
      username: email,
      email,
      kind: 'app',
    });
  });

  it('of plain names takes no field of the forms that it does not have', () => {
    const body = { username: '{{username}}', password: '{{password}}' };
    const plain = wireOf({
      name: 'x',
      calls: { register: { path: '/users', body }, login: { ...login, body }, profile },
    });
    const fields = { name, email, password, cpassword: password, role: 'admin' };
    expect(JSON.parse(plain.request('registro', { fields }).body!)).toEqual({
      username: 'ana',
      password,
      role: 'admin',
    });
    expect(JSON.parse(plain.request('login', { fields: { email, password } }).body!)).toEqual({
      username: 'ana',
      password,
    });
  });

  it('is read backwards for what stands in for a server', () => {
    const { body = '' } = adapter.request('registro', { fields: { email, name } });
    expect(adapter.fieldsOf('registro', 'application/json', body)).toEqual({ email, name, username: email });
    const form = adapter.request('login', { fields: { email, password } });
    expect(form.headers).toContainEqual(['Content-Type', 'application/x-www-form-urlencoded']);
    expect(adapter.fieldsOf('login', 'application/x-www-form-urlencoded', form.body!)).toEqual({ email, password });
    expect(adapter.fieldsOf('login', 'application/json', '[]')).toBeUndefined();
  });

  it('tells a call by the query that its path names', () => {
    expect(adapter.callOf('POST', '/token?x=1&grant_type=password')).toBe('login');
    expect(adapter.callOf('POST', '/token?grant_type=refresh_token')).toBeUndefined();
    expect(adapter.callOf('GET', '/users')).toBeUndefined();
  });
});

describe('what a session is kept by', () => {
  it('is what the answers of registering and logging in hold, and what the head of any answer turns', () => {
    const adapter = wireOf({
      name: 'x',
      calls: { login, profile, logout: { path: '/out', body: { refresh_token: '{{refreshToken}}' } } },
      headers: { uid: '{{uid}}' },
      outputs: {
        token: '$response.body#/data/0/access~1token',
        refreshToken: '$response.body#/refresh',
        uid: '$response.header.Uid',
      },
    });
    expect(adapter.outputPaths('login')).toEqual({ token: 'data[0].access/token' });
    const body = JSON.stringify({ data: [{ 'access/token': 'one' }], refresh: 'two' });
    const held = adapter.credentialAfter('login', { status: 200, rawHeaders: [['uid', 'u1']], body }, {});
    expect(held).toEqual({ token: 'one', outputs: { refreshToken: 'two', uid: 'u1' } });
    expect(adapter.request('logout', { credential: held })).toMatchObject({
      headers: [
        ['Accept', 'application/json'],
        ['Content-Type', 'application/json'],
        ['Authorization', 'Bearer one'],
        ['uid', 'u1'],
      ],
      body: '{"refresh_token":"two"}',
    });
    const turned = adapter.credentialAfter(
      'profile',
      {
        status: 200,
        rawHeaders: [
          ['Uid', ' '],
          ['UID', 'u2'],
        ],
        body,
      },
      held,
    );
    expect(turned).toEqual({ token: 'one', outputs: { refreshToken: 'two', uid: 'u2' } });
    expect(adapter.credentialAfter('profile', { status: 200, rawHeaders: [['uid', ' ']], body: '{}' }, held)).toEqual(
      held,
    );
    expect(adapter.credentialAfter('login', { status: 401, rawHeaders: [], body }, {})).toEqual({});
  });

  it('is secret but for what the person typed, as long as the server says the same', () => {
    const adapter = wireOf({
      name: 'x',
      calls: { login, profile },
      headers: { uid: '{{uid}}', client: '{{client}}' },
      outputs: { uid: '$response.header.uid', client: '$response.header.client', refreshToken: '$response.body#/r' },
    });
    const answer = (uid: string, body = '') => ({
      status: 200,
      rawHeaders: [['uid', uid] as const, ['client', 'c1'] as const],
      body,
    });
    const fields = { email: 'Ana@Example.test ', password: 'p1' };
    const held = adapter.credentialAfter(
      'login',
      answer('ana@example.test', '{"r":"p1"}'),
      { token: 't1' },
      { fields },
    );
    expect(held.typed).toEqual(['uid']);
    expect(credentialSecrets(held)).toEqual(['t1', 'c1', 'p1']);
    const again = adapter.credentialAfter('profile', answer('ana@example.test'), held);
    expect(again).toEqual(held);
    expect(credentialSecrets(adapter.credentialAfter('profile', answer('u-4711'), held))).toEqual([
      't1',
      'u-4711',
      'c1',
      'p1',
    ]);
    expect(
      adapter.credentialAfter('login', answer('ana@example.test'), {}, { fields: '{"email":"ana@example.test"}' })
        .typed,
    ).toBe(undefined);
  });

  it('is the whole answer where the description says so', () => {
    const adapter = wireOf({ name: 'x', calls: { login, profile }, outputs: { token: '$response.body' } });
    expect(adapter.credentialAfter('login', { status: 200, rawHeaders: [], body: '3|abc' }, {})).toEqual({
      token: '3|abc',
    });
    expect(adapter.credentialAfter('login', { status: 200, rawHeaders: [], body: '"3|abc"' }, {})).toEqual({
      token: '3|abc',
    });
  });

  it('is the cookies that the description names, with the header against forged requests', () => {
    const adapter = wireOf({
      name: 'x',
      calls: { login, profile },
      security: { type: 'apiKey', in: 'cookie', name: '*_session' },
      csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN', from: '/csrf' },
    });
    expect(adapter.csrfRequestIfNeeded('login', {})).toMatchObject({
      method: 'GET',
      url: 'https://api.example.test/app/csrf',
    });
    const rawHeaders = [
      ['Set-Cookie', 'XSRF-TOKEN=a%3D%3D; Path=/'],
      ['set-cookie', '__Secure-app_session=s=1; Secure; HttpOnly'],
      ['Set-Cookie', 'tracker=1'],
    ] as const;
    const held = adapter.credentialAfter('login', { status: 204, rawHeaders, body: '' }, {});
    expect(held).toEqual({ token: 's=1', cookies: { 'XSRF-TOKEN': 'a%3D%3D', '__Secure-app_session': 's=1' } });
    expect(adapter.csrfRequestIfNeeded('login', held)).toBeUndefined();
    expect(adapter.request('login', { credential: held, fields: { email } }).headers).toEqual([
      ['Accept', 'application/json'],
      ['Content-Type', 'application/json'],
      ['Cookie', 'XSRF-TOKEN=a%3D%3D; __Secure-app_session=s=1'],
      ['X-XSRF-TOKEN', 'a=='],
    ]);
    expect(adapter.request('profile', { credential: held }).headers).not.toContainEqual(['X-XSRF-TOKEN', 'a==']);
    const gone = adapter.credentialAfter(
      'profile',
      { status: 200, rawHeaders: [['Set-Cookie', '__Secure-app_session=x; Max-Age=0']], body: '' },
      held,
    );
    expect(gone).toEqual({ cookies: { 'XSRF-TOKEN': 'a%3D%3D' } });
  });
});

it.each([
  ['XSRF-TOKEN', '__Host-XSRF-TOKEN'],
  ['my-*', 'my-tok'],
])('finds the cookie against forged requests that %s names as it was set, %s', (cookie, set) => {
  const security = { type: 'apiKey', in: 'cookie', name: 'session' };
  const csrf = { cookie, header: 'X-XSRF-TOKEN', from: '/csrf' };
  const adapter = wireOf({ name: 'x', calls: { login, profile }, security, csrf });
  const rawHeaders = [['Set-Cookie', `${set}=abc; Secure; Path=/`]] as const;
  const held = adapter.credentialAfter('csrf', { status: 204, rawHeaders, body: '' }, {});
  expect(adapter.csrfRequestIfNeeded('login', held)).toBeUndefined();
  expect(adapter.request('login', { credential: held }).headers).toContainEqual(['X-XSRF-TOKEN', 'abc']);
});

it('tells an answer without a session by its status, and by its body where the description names one', () => {
  const adapter = wireOf({
    name: 'x',
    calls: { login, profile },
    unauthenticated: [{ status: 401 }, { status: 200, body: null }, { status: 403, body: { code: 'gone' } }],
  });
  expect(adapter.isUnauthenticated(401, '<html>')).toBe(true);
  expect(adapter.isUnauthenticated(200, 'null')).toBe(true);
  expect(adapter.isUnauthenticated(200, '{}')).toBe(false);
  expect(adapter.isUnauthenticated(403, '{"code":"gone","msg":"x"}')).toBe(true);
  expect(adapter.isUnauthenticated(403, '{"code":"other"}')).toBe(false);
});

describe('the refresh token of an answer', () => {
  const renewing = (more: object = {}) =>
    wireOf({
      name: 'x',
      calls: { login, profile, refresh: { path: '/renew', body: { refresh: '{{refreshToken}}' } } },
      outputs: { refreshToken: '$response.body#/refresh_token' },
      ...more,
    });
  const after = (body: unknown, rawHeaders: [string, string][] = [], adapter = renewing()) =>
    adapter.credentialAfter('login', { status: 200, rawHeaders, body: JSON.stringify(body) }, {}).outputs?.[
      'refreshToken'
    ];

  it.each<[string, unknown, [string, string][]?]>([
    ['simplejwt', { access: 'a-1', refresh: 'r-1' }],
    ['at its place', { refresh_token: 'r-1', other: { refreshToken: 'r-2' } }],
    ['a session', { session: { accessToken: 'a-1', refreshToken: 'r-1' } }],
    ['Directus', { data: { access_token: 'a-1', expires: 9, refresh_token: 'r-1' } }],
    ['node-express-boilerplate', { tokens: { access: { token: 'a-1' }, refresh: { token: 'r-1', expires: '2026' } } }],
    ['AT Protocol', { result: { accessJwt: 'a-1', refreshJwt: 'r-1' } }],
    ['Cognito', { AuthenticationResult: { AccessToken: 'a-1', RefreshToken: 'r-1', ExpiresIn: 3600 } }],
    ['ABP', { refreshTokenExpiresAt: '2026-12-01T00:00:00Z', refreshTokenId: 'r-9', refreshTokenValue: 'r-1' }],
    ['JSON:API', { data: [{ attributes: { 'refresh-token': 'r-1' } }] }],
    ['Spanish', { datos: { token: 'a-1', tokenDeRenovacion: 'r-1' } }],
    ['a short name', { at: 'a-1', rt: 'r-1-with-a-long-value-of-its-own' }],
    ['a head', { ok: true }, [['X-Refresh-Token', 'Bearer r-1']]],
  ])('is found wherever it is: %s', (_name, body, rawHeaders) => {
    expect(after(body, rawHeaders)).toMatch(/^r-1/);
  });

  it.each<[string, unknown, [string, string][]?]>([
    ['when it ends', { refresh_expires_in: '1800', refreshTokenExpiration: 'never' }],
    ['a link', { refresh: '/token/refresh', refreshUrl: 'https://example.test/x' }],
    ['a flag or nothing', { refresh: true, refreshToken: null, refresh_token: '' }],
    ['how something is renewed', { subscription: { renewal: 'automatic', renewsOn: 'monday' } }],
    ['a short text under a short name', { rt: '12ms' }],
    ['what an error says', { error: { refreshToken: 'invalid' } }],
    ["HTTP's own head", {}, [['Refresh', '5']]],
  ])('is not %s', (_name, body, rawHeaders) => {
    expect(after(body, rawHeaders)).toBeUndefined();
  });

  it('stays where a renewal gives none, and is another where it gives one elsewhere', () => {
    const adapter = renewing();
    const held = { token: 'a-1', outputs: { refreshToken: 'r-1' } };
    const renewed = (body: object) =>
      adapter.credentialAfter('refresh', { status: 200, rawHeaders: [], body: JSON.stringify(body) }, held).outputs;
    expect(renewed({ access: 'a-2' })).toEqual({ refreshToken: 'r-1' });
    expect(renewed({ data: { access: 'a-2', refresh: 'r-2' } })).toEqual({ refreshToken: 'r-2' });
  });

  it.each<[string, object, boolean]>([
    [
      'a place for it in the body',
      { calls: { login, profile, refresh: { path: '/r', body: { t: '{{refreshToken}}' } } } },
      true,
    ],
    ['a header for it', { headers: { 'X-Refresh': '{{refreshToken}}' } }, true],
    [
      'its own token in the body',
      { calls: { login, profile, refresh: { path: '/r', body: { t: '{{token}}' } } } },
      true,
    ],
    ['no body', {}, false],
    ['an empty body', { calls: { login, profile, refresh: { path: '/r', body: {} } } }, false],
    [
      'a grant type alone',
      { calls: { login, profile, refresh: { path: '/r', body: { grant_type: 'refresh_token' } } } },
      false,
    ],
    ['no call', { calls: { login, profile } }, false],
  ])('renews where the call has %s', (_name, more, can) => {
    const adapter = renewing({ calls: { login, profile, refresh: { path: '/r' } }, ...more });
    const held = adapter.credentialAfter(
      'login',
      { status: 200, rawHeaders: [], body: '{"access":"a-1","data":{"refresh":"r-1"}}' },
      { token: 'a-1' },
    );
    expect(adapter.canRefresh(held)).toBe(can);
    expect(renewing().canRefresh({ token: 'a-1' })).toBe(false);
  });

  it('is not needed where the token itself renews', () => {
    const adapter = wireOf({ name: 'x', calls: { login, profile, refresh: { path: '/r' } } });
    expect(adapter.canRefresh({ token: 'a-1' })).toBe(true);
    expect(wireOf({ ...adapter.description, security: { type: 'none' } }).canRefresh({ token: 'a-1' })).toBe(false);
  });
});

describe('a cookie that is not kept', () => {
  const security = { type: 'apiKey', in: 'cookie', name: 'sid' };
  const at = (address: string) => {
    const read = readDescription(JSON.stringify({ name: 'x', prefix: '/api', calls: { login, profile }, security }));
    if (!read.ok) throw new Error('not read');
    return new ApiAdapter(read.description, address);
  };
  const nowMs = Date.parse('2026-11-28T12:00:00Z');

  it.each<[string, string, string | undefined]>([
    ['http://192.0.2.2', 'sid=1; Secure', 'not-secure'],
    ['http://192.0.2.2', '__Host-sid=1; Path=/; Secure', 'not-secure'],
    ['http://192.0.2.2', '__Host-sid=1; Path=/', 'prefix'],
    ['http://192.0.2.2', '__Secure-sid=1', 'prefix'],
    ['https://example.test', '__Host-sid=1; Path=/api; Secure', 'prefix'],
    ['https://example.test', '__Host-sid=1; Path=/; Secure; Domain=example.test', 'prefix'],
    ['https://example.test', '__Host-sid=1; Path=/; Secure', undefined],
    ['http://127.0.0.1:8000', 'sid=1; Secure', undefined],
    ['https://api.example.test', 'sid=1; Domain=other.test', 'domain'],
    ['https://api.example.test', 'sid=1; Domain=b.api.example.test', 'domain'],
    ['https://badexample.test', 'sid=1; Domain=example.test', 'domain'],
    ['http://127.0.0.1', 'sid=1; Domain=localhost', 'domain'],
    ['https://api.example.test', 'sid=1; Domain=.Example.test', undefined],
    ['https://api.example.test', 'sid=1; Domain=', undefined],
    ['https://example.test', 'sid=1; Path=/auth', 'path'],
    ['https://example.test', 'sid=1; Path=/ap', 'path'],
    ['https://example.test', 'sid=1; Path=/api', undefined],
    ['https://example.test/sub', 'sid=1; Path=/sub/', undefined],
    ['https://example.test', 'sid=1; Path=relative', undefined],
    ['https://example.test', 'sid=1; Max-Age=0', 'expired'],
    ['https://example.test', 'sid=1; Expires=Wed, 25 Nov 2026 00:00:00 GMT', 'expired'],
    ['https://example.test', 'sid=1; Expires=Wed, 25 Nov 2026 00:00:00 GMT; Max-Age=60', undefined],
    ['https://example.test', `sid=${'x'.repeat(4094)}`, 'too-large'],
    ['https://example.test', 'sid=; Max-Age=0', undefined],
    ['https://example.test', 'other=1; Domain=other.test', undefined],
  ])('is named with its reason, at %s: %s', (address, text, why) => {
    const dropped = at(address).droppedCookies([['Set-Cookie', text]], nowMs);
    expect(dropped.map((each) => each.why)).toEqual(why === undefined ? [] : [why]);
    const held = at(address).credentialAfter(
      'login',
      { status: 204, rawHeaders: [['Set-Cookie', text]], body: '' },
      {},
      { nowMs },
    );
    expect(held.token !== undefined).toBe(why === undefined && /^(?:__\w+-)?sid=\w/.test(text));
  });
});

it('says which field of a form each member of a call is filled from', async () => {
  const djoser = new ApiAdapter((await shippedInterface('djoser'))!, 'https://shop.example.test');
  expect(djoser.fieldsByMember('registro')).toEqual({ username: 'email', email: 'email', password: 'password' });
  expect(djoser.fieldsByMember('profile')).toEqual({});
});
