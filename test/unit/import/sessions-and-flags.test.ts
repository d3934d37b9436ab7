import { describe, expect, it } from 'vitest';
import { readDescription } from '../../../main/interface/read-description.ts';
import { certainty, documentOf, found, login, me, curlPost } from './look.ts';

describe('a session', () => {
  const cookieNamed = (name: string) => ({ type: 'apiKey', in: 'cookie', name });
  it.for([
    [
      'of two headers',
      `-H "X-Auth-Token: $TOKEN" -H "X-User-Id: $USER"`,
      {
        security: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
        headers: { 'X-User-Id': '{{userId}}' },
        outputs: { userId: '$response.body#/userId' },
      },
    ],
    [
      'of a token and an email',
      `-H "X-User-Token: $TOKEN" -H "X-User-Email: $EMAIL"`,
      {
        security: { type: 'apiKey', in: 'header', name: 'X-User-Token' },
        headers: { 'X-User-Email': '{{userEmail}}' },
      },
    ],
    [
      'of one header',
      `-H "x-access-token: $TOKEN"`,
      { security: { type: 'apiKey', in: 'header', name: 'x-access-token' }, headers: {} },
    ],
    [
      'of a scheme of its own',
      `-H "Authorization: JWT $TOKEN"`,
      { security: { type: 'http', scheme: 'JWT' }, headers: {} },
    ],
    [
      'of a cookie',
      `-H "Cookie: theme=dark; connect.sid=abc"`,
      { security: { type: 'apiKey', in: 'cookie', name: 'connect.sid' } },
    ],
  ] as const)('%s', async ([, headers, expected]) => {
    const { draft } = await found(`${login}\ncurl https://x.test/api/me ${headers}`);
    expect(draft).toMatchObject(expected);
    expect(readDescription(JSON.stringify(draft))).toMatchObject({ ok: true });
  });

  it('has the place of its second header where an answer shows it', async () => {
    const body = '{"data":{"authToken":"Zx81opaqueValue99Zx81opaqueValue99","userId":"ab12"}}';
    const header = [
      { key: 'X-Auth-Token', value: '{{t}}' },
      { key: 'X-User-Id', value: '{{u}}' },
    ];
    const raw = '{"user":"ana","password":"x"}';
    const item = [
      {
        name: 'login',
        request: { method: 'POST', url: 'https://x.test/login', body: { mode: 'raw', raw } },
        response: [{ code: 200, body }],
      },
      { name: 'me', request: { method: 'GET', url: 'https://x.test/me', header } },
    ];
    const { draft } = await found(JSON.stringify({ info: {}, item }));
    expect(draft.outputs).toEqual({ token: '$response.body#/data/authToken', userId: '$response.body#/data/userId' });
  });

  it.for([
    ['connect.sid', '_ga=GA1.1.1; connect.sid=s%3Aabc.def'],
    ['PHPSESSID', 'PHPSESSID=abc; _gid=x'],
    ['laravel_session', 'XSRF-TOKEN=x; laravel_session=y'],
    ['next-auth.session-token', '__Secure-next-auth.session-token=abc'],
    ['.AspNetCore.Identity.Application', '.AspNetCore.Identity.Application=abc'],
  ])('of the cookie that the log-in itself was sent with: %s', async ([name, cookies]) => {
    const text = `curl https://x.test/login -H 'Cookie: ${cookies}' --data-raw 'username=ana&password=x'`;
    const finding = await found(text);
    expect(finding.draft.security).toEqual({ type: 'apiKey', in: 'cookie', name });
    expect(certainty(finding, 'security')).toBe('by-name');
  });

  it.for(['_ga=GA1.1.1; _gid=x', '__stripe_sid=abc', 'intercom-session-x=abc', '_hjSession_1=x', 'csrftoken=abc'])(
    'of no cookie that counts visitors or guards forms: %s',
    async (cookies) => {
      const text = `curl https://x.test/login -H 'Cookie: ${cookies}' --data-raw 'username=ana&password=x'`;
      expect((await found(text)).draft.security).toEqual({ type: 'http', scheme: 'Bearer' });
    },
  );

  it('of a token in the body, which the profile takes by POST', async () => {
    const key = '?key=AIzaSyD4k3b8N2mQ7rT9hWc1Zx3b';
    const who = { email: 'a@b.test', password: 'x', returnSecureToken: true };
    const finding = await found(
      `${curlPost(`/v1/accounts:signInWithPassword${key}`, who)}\n${curlPost(`/v1/accounts:lookup${key}`, { idToken: '[ID_TOKEN]' })}`,
    );
    expect(finding.draft).toMatchObject({
      calls: {
        login: { path: '/accounts:signInWithPassword?key={{key}}', body: { returnSecureToken: true } },
        profile: { method: 'POST', path: '/accounts:lookup?key={{key}}', body: { idToken: '{{token}}' } },
      },
      security: { type: 'none' },
      variables: { key: {} },
    });
    expect(readDescription(JSON.stringify(finding.draft))).toMatchObject({ ok: true });
    expect(JSON.stringify(finding)).not.toContain('AIza');
  });

  it.for([
    ['/dashboard', 302, [{ status: 302, location: '/dashboard' }]],
    ['https://x.test/home?tab=1', 303, [{ status: 303, location: 'https://x.test/home?tab=1' }]],
    ['/login?error=1', 302, undefined],
    ['/auth/signin', 302, undefined],
    ['/done?token=Zx81opaqueValue99Zx81opaqueValue99', 302, undefined],
    ['//elsewhere.test/', 302, undefined],
  ] as const)('begins with a redirect to %s', async ([location, status, success]) => {
    const headers = [
      { name: 'Location', value: location },
      { name: 'Set-Cookie', value: 'sid=abcdef; Path=/; HttpOnly' },
    ];
    const postData = { mimeType: 'application/x-www-form-urlencoded', text: 'email=a%40b.test&password=x' };
    const entries = [
      {
        request: { method: 'POST', url: 'https://x.test/login', headers: [], postData },
        response: { status, headers },
      },
      { request: { method: 'GET', url: 'https://x.test/me', headers: [] }, response: { status: 200, headers: [] } },
    ];
    const finding = await found(JSON.stringify({ log: { entries } }));
    expect(finding.draft.calls.login).toMatchObject({ path: '/login' });
    expect((finding.draft.calls.login as { success?: object }).success).toEqual(success);
    expect(finding.draft.security).toEqual(cookieNamed('sid'));
    expect(certainty(finding, 'calls.login.success')).toBe(success && 'usual');
    expect(readDescription(JSON.stringify(finding.draft))).toMatchObject({ ok: true });
  });

  it('is shown by any other call where none of the five shows it', async () => {
    const finding = await found(
      `${login}\n${curlPost('/api/orders', { item: 1 }, '-H "Authorization: Token $TOKEN"')}`,
    );
    expect(finding.draft.security).toEqual({ type: 'http', scheme: 'Token' });
    expect(finding.missing).toEqual(['profile']);
  });
});

describe('what the log-in has besides', () => {
  it.each(['?include_auth_token', '?verbose&plain', '?with_token=true', '?returnSecureToken=1'])(
    'keeps the flags %s of its address',
    async (query) => {
      const finding = await found(`${login.replace(/https\S+/, `'$&${query}'`)}\n${me}`);
      expect(finding.draft.calls.login?.path).toBe(`/auth/login${query}`);
      expect(finding.dropped).toEqual([]);
    },
  );

  it('has no value of its query that looks secret', async () => {
    const finding = await found(`${login.replace('/login', '/login?k3y9f8e7d6c5b4a3f2e1d0c9b8a7f6e5')}\n${me}`);
    expect(finding.draft.calls.login?.path).toBe('/auth/login');
    expect(JSON.stringify(finding)).not.toContain('k3y9f8');
  });

  const basic = 'Basic YXBwOnNlY3JldC1vZi10aGUtYXBw';
  it.each([
    ['in curl -u', `-u 'app:secret-of-the-app'`],
    ['in a header', `-H 'Authorization: ${basic}'`],
  ])('says that a Basic credential of its own is missing: %s', async (_, more) => {
    const finding = await found(`${login} ${more}\n${me}`);
    expect(finding.parts).toContainEqual({ at: 'calls.login.headers.Authorization', is: 'missing', why: 'no-value' });
    expect(JSON.stringify(finding)).not.toMatch(/YXBw|secret-of-the-app/);
  });

  it('says so of a collection', async () => {
    const auth = { type: 'basic', basic: [{ key: 'password', value: 'secret-of-the-app' }] };
    const body = { mode: 'raw', raw: '{"email":"a@b.test","password":"x"}' };
    const item = [
      { name: 'login', request: { method: 'POST', url: 'https://x.test/login', auth, body } },
      { name: 'me', request: { method: 'GET', url: 'https://x.test/me' } },
    ];
    const finding = await found(JSON.stringify({ info: {}, item }));
    expect(certainty(finding, 'calls.login.headers.Authorization')).toBe('no-value');
  });

  const list = `curl https://x.test/api/users -H "Authorization: Bearer $TOKEN"`;
  const adding = { name: 'Ana', email: 'a@b.test', password: 'x' };
  it.each([
    ['that also lists them', list, 'by-name'],
    ['that also deletes them', `curl -X DELETE https://x.test/api/users`, 'by-name'],
    ['alone', '', 'sure'],
  ])('is a registration at a collection of people %s', async (_, beside, expected) => {
    const finding = await found(`${login}\n${curlPost('/api/users', adding)}\n${beside}\n${me}`);
    expect(finding.draft.calls.register).toMatchObject({ path: '/users' });
    expect(certainty(finding, 'calls.register')).toBe(expected);
  });

  it('is a registration at a collection of people that is said to be open', async () => {
    const finding = await found(documentOf(['post /users email,name,password open', 'get /users', 'get /me']));
    expect(certainty(finding, 'calls.register')).toBe('sure');
  });

  it('is a guess where its address has no host and that of the log-in has one', async () => {
    const text = `fetch('https://x.test/api/login', { method: 'POST', body: JSON.stringify({ email, password }) })
      axios.get('/auth/me')`;
    const finding = await found(text);
    expect(finding.draft.calls.profile?.path).toBe('/auth/me');
    expect(certainty(finding, 'calls.profile')).toBe('by-name');
  });

  it('is no profile at the page of the log-in', async () => {
    const finding = await found(
      `curl https://x.test/login\n${curlPost('/login', { email: 'a@b.test', password: 'x' })}`,
    );
    expect(finding.missing).toEqual(['profile']);
  });
});
