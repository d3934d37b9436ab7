import { describe, expect, it } from 'vitest';
import { readDescription } from '../../../main/interface/read-description.ts';
import { certainty, documentOf, found, login, look, me, curlPost } from './look.ts';

describe('a call is not what one word of its path says', () => {
  it.for([
    ['register', 'post /registries name,url,username,password'],
    ['register', 'post /users username,password,role'],
    ['register', 'post /users/{id}/passwords email,password'],
    ['register', 'post /registered-devices name,password'],
    ['profile', 'get /operations/current'],
    ['profile', 'get /plugins/{name}/profile'],
    ['profile', 'get /admin/users/me'],
    ['profile', 'get /theme/session'],
    ['profile', 'get /me?token={token}'],
    ['logout', 'delete /admin/users/{id}/sessions'],
    ['logout', 'post /session/token/revoke'],
    ['logout', 'post /users/{id}/logout'],
    ['logout', 'delete /users/{id}/sessions'],
    ['logout', 'post /api-keys/revoke'],
    ['logout', 'get /products/logos'],
    ['refresh', 'post /users/refresh_gravatar'],
    ['refresh', 'post /libraries/refresh-metadata'],
    ['refresh', 'post /libraries/{id}/refresh'],
    ['refresh', 'post /admin/cache/refresh'],
    ['refresh', 'post /catalog/items/refresh'],
  ] as const)('no %s: %s', async ([role, operation]) => {
    const finding = await found(documentOf([operation]));
    const call = finding.draft.calls[role];
    // Any call with a token may be offered for a profile, as a guess.
    const isOffered = role === 'profile' && certainty(finding, 'calls.profile') !== 'sure';
    expect(call === undefined || isOffered).toBe(true);
  });

  it.for([
    ['register', 'post /auth/register email,password open', '/auth/register'],
    ['register', 'post /signUp name,email,password open', '/signUp'],
    ['register', 'post /users name,email,password open', '/users'],
    ['register', 'post /account/create-account email,password open', '/account/create-account'],
    ['profile', 'get /users/me', '/users/me'],
    ['profile', 'get /api/currentUser', '/api/currentUser'],
    ['profile', 'get /users/current', '/users/current'],
    ['profile', 'get /auth/who-am-i', '/auth/who-am-i'],
    ['profile', 'get /userinfo', '/userinfo'],
    ['profile', 'get /account/getProfile', '/account/getProfile'],
    ['logout', 'post /auth/logout', '/auth/logout'],
    ['logout', 'delete /auth/session', '/auth/session'],
    ['logout', 'post /user/signOut', '/user/signOut'],
    ['refresh', 'post /auth/refresh refreshToken', '/auth/refresh'],
    ['refresh', 'post /auth/refreshToken refreshToken', '/auth/refreshToken'],
    ['refresh', 'post /token/renew refresh_token', '/token/renew'],
  ] as const)('but %s: %s', async ([role, operation, path]) => {
    const finding = await found(documentOf([operation]));
    const call = finding.draft.calls[role] as { path: string } | undefined;
    expect(finding.draft.prefix + call?.path).toBe(path);
  });

  it('one path has a log-in, its profile and its end', async () => {
    const finding = await found(
      documentOf(['get /session', 'delete /session', 'post /session/token/revoke token'], 'post /session'),
    );
    expect(finding.draft.calls).toMatchObject({
      login: { method: 'POST' },
      profile: { method: 'GET' },
      logout: { method: 'DELETE' },
    });
    expect(['login', 'profile'].map((role) => certainty(finding, `calls.${role}`))).toEqual(['sure', 'sure']);
  });

  it('one of another log-in of the text is a guess', async () => {
    const other = curlPost('/vendor/login', { email: 'a@b.test', password: 'x' });
    const finding = await found(`${login}\n${me}\n${other}\n${curlPost('/vendor/logout')}`);
    expect(finding.draft.calls.login?.path).toBe('/api/auth/login');
    expect(certainty(finding, 'calls.login')).toBe('several');
    expect(certainty(finding, 'calls.logout')).toBe('by-name');
  });

  it('a log-in of administrators is offered, and leaves that of people sure', async () => {
    const finding = await found(`${curlPost('/admin/login', { email: 'a@b.test', password: 'x' })}\n${login}\n${me}`);
    expect(finding.draft.calls.login).toMatchObject({ path: '/api/auth/login' });
    expect(certainty(finding, 'calls.login')).toBe('sure');
    expect(finding.others.login).toHaveLength(1);
  });
});

describe('a call is known by its name, also without a body', () => {
  it.for([
    'curl -X POST https://x.test/api/auth/login',
    'curl -X POST https://x.test/sign-in',
    'curl -X POST https://x.test/users/authenticate',
  ])('%s', async (text) => {
    const finding = await found(text);
    expect(finding.draft.calls.login?.body).toEqual({ email: '{{email}}', password: '{{password}}' });
    expect([certainty(finding, 'calls.login'), certainty(finding, 'calls.login.body')]).toEqual(['by-name', 'usual']);
  });

  it.for(['Login', 'Sign in', 'user login'])('that a collection gives it: %s', async (name) => {
    const request = { method: 'POST', url: 'https://x.test/api/v1/enter' };
    const finding = await found(JSON.stringify({ info: {}, item: [{ name: 'Auth', item: [{ name, request }] }] }));
    expect(finding.draft.calls.login?.path).toBe('/enter');
    expect(certainty(finding, 'calls.login')).toBe('by-name');
  });

  it.for(['/orders', '/forgot-password', '/logout'])('but none that has no such name: %s', async (target) => {
    const finding = await look(`curl -X POST https://x.test${target}`);
    expect(finding.kind === 'found' && finding.draft.calls.login).toBeFalsy();
  });

  it('and what goes in and comes out is one, whatever its path', async () => {
    const raw = '{"email":"ana@b.test","password":"x"}';
    const response = [{ code: 200, body: '{"data":{"accessToken":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"}}' }];
    const request = { method: 'POST', url: 'https://x.test/v2/enter', body: { mode: 'raw', raw } };
    const finding = await found(JSON.stringify({ info: {}, item: [{ name: 'x', request, response }] }));
    expect(finding.draft).toMatchObject({
      calls: { login: {} },
      outputs: { token: '$response.body#/data/accessToken' },
    });
  });
});

describe('who logs in', () => {
  it.for([
    ['email', { email: 'ana@b.test' }, '{{email}}', undefined],
    ['name', { name: 'anna' }, '{{username}}', 'by-name'],
    ['username', { username: 'ana' }, '{{username}}', undefined],
    ['username', { username: 'ana@b.test' }, '{{email}}', undefined],
    ['username', { username: '' }, '{{username}}', 'by-name'],
    ['user', { user: 'ana' }, '{{username}}', undefined],
    ['login', { login: 'ana' }, '{{username}}', undefined],
    ['loginId', { loginId: 'ana' }, '{{username}}', undefined],
    ['identifier', { identifier: 'ana' }, '{{email}}', 'by-name'],
    ['usernameOrEmail', { usernameOrEmail: 'ana' }, '{{email}}', 'by-name'],
    ['handy', { handy: '' }, '{{username}}', 'by-name'],
    ['correo', { correo: 'ana' }, '{{email}}', undefined],
  ] as const)('%s', async ([name, who, field, why]) => {
    const finding = await found(`${curlPost('/login', { ...who, password: 'x' })}\n${me}`);
    expect(finding.draft.calls.login?.body).toEqual({ [name]: field, password: '{{password}}' });
    expect(certainty(finding, `calls.login.body.${name}`)).toBe(why);
  });

  it('is an email where registering takes no user name', async () => {
    const finding = await found(
      `${curlPost('/register', { email: 'a@b.test', password: 'x' })}\n${curlPost('/login', { username: 'ana', password: 'x' })}`,
    );
    expect(finding.draft.calls.login?.body).toMatchObject({ username: '{{email}}' });
    expect(certainty(finding, 'calls.login.body.username')).toBe('usual');
  });

  it.for([
    'passwordChangeReason',
    'sendSetPasswordEmail',
    'breachedPasswordStatus',
    'password_hint',
    'oneTimePassword',
    'passwordExpiresAt',
    'has_password',
    'password_reset_token',
    'temporaryPassword',
    'passwordPolicy',
  ])('with a password, which %s is not', async (name) => {
    const finding = await found(`${curlPost('/login', { email: 'a@b.test', password: 'x', [name]: 'no' })}\n${me}`);
    expect(finding.draft.calls.login?.body).toMatchObject({ email: '{{email}}', password: '{{password}}' });
    expect(JSON.stringify(finding.draft.calls.login?.body).match(/\{\{password\}\}/g)).toHaveLength(1);
  });

  it.for([
    'pwd',
    'user_password',
    'j_password',
    'Passwort',
    'contraseña',
    'mot_de_passe',
    'log[pwd]',
    'userPass',
    'passwd',
    'senha',
  ])('with a password that is called %s', async (name) => {
    const finding = await found(`${curlPost('/login', { email: 'a@b.test', [name]: 'x' })}\n${me}`);
    expect(finding.draft.calls.login?.body).toEqual({ email: '{{email}}', [name]: '{{password}}' });
    expect(certainty(finding, 'calls.login')).toBe('sure');
  });

  it.for([
    'cpassword',
    'password_confirmation',
    're_password',
    'password2',
    'confirmPassword',
    'repeatPassword',
    'passwordAgain',
    'repeat_pwd',
    'retypePassword',
    'verify-password',
    'user[password_confirmation]',
  ])('and registers with it twice: %s', async (name) => {
    const finding = await found(curlPost('/register', { email: 'a@b.test', password: 'x', [name]: 'x' }));
    expect(finding.draft.calls.register).toMatchObject({ body: { [name]: '{{cpassword}}' } });
  });
});

describe('a renewal', () => {
  const refreshed = (body: object, target = '/api/auth/refresh') => found(`${login}\n${me}\n${curlPost(target, body)}`);
  it.for([
    [{ refresh: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln' }, { refresh: '{{refreshToken}}' }, '/refresh'],
    [{ token: 'aaa', refreshToken: 'bbb' }, { token: '{{token}}', refreshToken: '{{refreshToken}}' }, '/refreshToken'],
    [
      { accessToken: 'aaa', refreshToken: 'bbb' },
      { accessToken: '{{token}}', refreshToken: '{{refreshToken}}' },
      '/refreshToken',
    ],
    [
      { grant_type: 'refresh_token', refresh_token: 'bbb' },
      { grant_type: 'refresh_token', refresh_token: '{{refreshToken}}' },
      '/refresh_token',
    ],
    [{ tokenDeRenovacion: 'bbb' }, { tokenDeRenovacion: '{{refreshToken}}' }, '/tokenDeRenovacion'],
    [{ data: { refreshToken: 'bbb' } }, { data: { refreshToken: '{{refreshToken}}' } }, '/refreshToken'],
    [{ rt: 'bbb' }, { rt: '{{refreshToken}}' }, '/rt'],
    [{ token: 'bbb' }, { token: '{{refreshToken}}' }, '/refresh_token'],
  ] as const)('takes %j', async ([sent, body, place]) => {
    const finding = await refreshed(sent);
    expect(finding.draft.calls.refresh).toMatchObject({ body });
    expect(finding.draft.outputs).toEqual({ refreshToken: `$response.body#${place}` });
    expect(certainty(finding, 'outputs.refreshToken')).toBe('usual');
    expect(finding.draft.variables).toEqual({});
    expect(readDescription(JSON.stringify(finding.draft))).toMatchObject({ ok: true });
  });

  it('takes what the answer to the log-in has, whatever its name and place', async () => {
    const raw = (json: object) => ({ mode: 'raw', raw: JSON.stringify(json) });
    const url = (path: string) => `https://x.test${path}`;
    const answer = { result: { access: 'opaque-access-1', refresh: { value: 'opaque-renewal-1' } } };
    const item = [
      {
        name: 'login',
        request: { method: 'POST', url: url('/login'), body: raw({ email: 'a@b.test', password: 'x' }) },
        response: [{ code: 200, body: JSON.stringify(answer) }],
      },
      {
        name: 'renew',
        request: { method: 'POST', url: url('/token/renew'), body: raw({ key: 'opaque-renewal-1', kind: 'web' }) },
      },
    ];
    const finding = await found(JSON.stringify({ info: {}, item }));
    expect(finding.draft.calls.refresh?.body).toEqual({ key: '{{refreshToken}}', kind: 'web' });
    expect(finding.draft.outputs).toEqual({
      token: '$response.body#/result/access',
      refreshToken: '$response.body#/result/refresh/value',
    });
    expect(JSON.stringify(finding)).not.toContain('opaque-');
  });

  const cookieOf = (name: string) => ({ type: 'apiKey', in: 'cookie', name });
  const value = '{{refreshToken}}';
  it.for([
    ['Authorization', '-H "Authorization: Bearer $REFRESH_TOKEN"', { type: 'http', scheme: 'Bearer', value }],
    [
      'Authorization of a collection',
      '-H "Authorization: JWT {{refreshToken}}"',
      { type: 'http', scheme: 'JWT', value },
    ],
    [
      'a header of its own',
      '-H "X-Refresh-Token: $R"',
      { type: 'apiKey', in: 'header', name: 'X-Refresh-Token', value },
    ],
    ['a cookie', '-b "theme=dark; refreshToken=abc"', cookieOf('refreshToken')],
    ['a cookie of another name', '-H "Cookie: jwt_refresh=abc"', cookieOf('jwt_refresh')],
    ['no more than the session', '-H "Authorization: Bearer $TOKEN"', undefined],
  ] as const)('takes the refresh token in %s', async ([, more, security]) => {
    const finding = await found(`${login}\n${me}\ncurl -X POST https://x.test/api/auth/refresh ${more}`);
    expect((finding.draft.calls.refresh as { security?: object }).security).toEqual(security);
    expect(certainty(finding, 'calls.refresh.security')).toBe(security && 'by-name');
    expect(finding.draft.security).toEqual({ type: 'http', scheme: 'Bearer' });
    expect(readDescription(JSON.stringify(finding.draft))).toMatchObject({ ok: true });
  });

  it.each([
    ['sends no other credential where its body has the refresh token', '', { type: 'none' }],
    ['keeps that of the session where the text shows it', '-H "Authorization: Bearer $TOKEN"', undefined],
  ] as const)('%s', async (_, more, security) => {
    const body = `-H 'Content-Type: application/json' -d '{"refresh":"aaa"}'`;
    const { draft } = await found(`${login}\n${me}\ncurl -X POST https://x.test/api/auth/refresh ${more} ${body}`);
    expect((draft.calls.refresh as { security?: object }).security).toEqual(security);
    expect(readDescription(JSON.stringify(draft))).toMatchObject({ ok: true });
  });

  it.each([
    ['/api/auth/refreshtoken', { refreshToken: 'aaa' }],
    ['/api/auth/renewtoken', { refresh_token: 'aaa' }],
    ['/api/auth/refreshsession', { refreshToken: 'aaa' }],
  ])('is found at %s, whose words are written as one', async (target, body) => {
    const finding = await refreshed(body, target);
    expect(finding.draft.calls.refresh?.path).toContain(target.split('/').at(-1));
    expect(certainty(finding, 'calls.refresh')).toBe('sure');
  });

  it('is a GET with the cookie that no other call but the log-out has', async () => {
    const cookie = `-b 'theme=dark; jwt=abc'`;
    const finding = await found(
      `${login}\n${me}\ncurl https://x.test/api/auth/refresh ${cookie}\ncurl https://x.test/api/auth/logout ${cookie}`,
    );
    expect(finding.draft.calls).toMatchObject({
      refresh: { method: 'GET', security: cookieOf('jwt') },
      logout: { method: 'GET', security: cookieOf('jwt') },
    });
    expect(certainty(finding, 'calls.logout.security')).toBe('by-name');
    expect(finding.draft.security).toEqual({ type: 'http', scheme: 'Bearer' });
    expect(readDescription(JSON.stringify(finding.draft))).toMatchObject({ ok: true });
  });

  it('is no log-in of another grant', async () => {
    const finding = await refreshed({ grant_type: 'refresh_token', username: 'ana', password: 'x' });
    expect(finding.draft.calls.refresh).toBeUndefined();
  });

  it('belongs to the log-in whose answer gives what it takes', async () => {
    const answer = (members: readonly string[]) => ({
      200: {
        content: {
          'application/json': {
            schema: { properties: Object.fromEntries(members.map((name) => [name, { type: 'string' }])) },
          },
        },
      },
    });
    const document = JSON.parse(
      documentOf(
        ['post /users/refresh-login email,password open', 'post /refresh refreshToken', 'get /me'],
        'post /users/login',
      ),
    ) as { paths: Record<string, Record<string, object>> };
    Object.assign(document.paths['/users/login']!['post']!, { responses: answer(['token']) });
    Object.assign(document.paths['/users/refresh-login']!['post']!, {
      responses: answer(['accessToken', 'refreshToken']),
    });
    const { draft } = await found(JSON.stringify(document));
    expect(draft.calls.login?.path).toBe('/users/refresh-login');
    expect(draft.outputs).toEqual({
      token: '$response.body#/accessToken',
      refreshToken: '$response.body#/refreshToken',
    });
  });

  it('has no token in its address', async () => {
    const { draft } = await found(`${login}\n${me}\ncurl -X POST 'https://x.test/api/auth/refresh?refresh_token=bbb'`);
    expect(draft.calls.refresh).toBeUndefined();
  });
});

describe('what nobody wrote as data', () => {
  it('is left out of a log-in, and told', async () => {
    const form =
      'grant_type=password&username=johndoe&password=********&scope=&client_id=string&client_secret=********';
    const finding = await found(`curl -X POST http://127.0.0.1:8000/token -d '${form}'`);
    expect(finding.draft.calls.login?.body).toEqual({
      grant_type: 'password',
      username: '{{username}}',
      password: '{{password}}',
    });
    expect(finding.draft.variables).toEqual({});
    expect(certainty(finding, 'calls.login.body.client_secret')).toBe('placeholder');
  });

  it('is a guess where another request has another value of it', async () => {
    const as = (role: string) => curlPost('/api/auth/login', { email: 'a@b.test', password: 'x', role });
    const finding = await found(`${as('client')}\n${as('seller')}\n${me}`);
    expect(finding.draft.calls.login?.body).toMatchObject({ role: 'client' });
    expect(certainty(finding, 'calls.login.body.role')).toBe('several');
  });

  it('and a body with comments is read all the same', async () => {
    const raw = '{\n  // who\n  "email": "a@b.test",\n  "password": "x", /* as typed */\n}';
    const request = { method: 'POST', url: '{{base}}auth/login', body: { mode: 'raw', raw } };
    const { draft } = await found(JSON.stringify({ info: {}, item: [{ name: 'in', request }] }));
    expect(draft.calls.login).toMatchObject({ path: '/login', body: { email: '{{email}}', password: '{{password}}' } });
  });
});
