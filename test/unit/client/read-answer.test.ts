import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../main/client/read-answer.ts';
import { jwt, pipe, read } from '../../support/answer-lines.ts';

describe('a login', () => {
  it.each([
    ['a message alone', { message: 'Welcome' }],
    ['an empty token', { success: true, token: '' }],
    ['only a refresh token', { refresh_token: pipe, data: { refreshToken: jwt } }],
    ['tokens of a logout and of a device', { logoutToken: jwt, deviceToken: jwt }],
    ['a token among errors', { faults: { token: null }, debug: { error: { token: jwt } } }],
    ["a page's token inside", { csrf: { token: 'abcdefghijkl' } }],
    ['two JSON Web Tokens of unknown names', { uno: jwt, dos: `${jwt}x` }],
    ['a key of a setting', { ok: true, settings: { key: 'abcdef', access: 'full' } }],
    ["a page's token", { _token: 'abcdefghij', csrf_token: pipe, xsrfToken: pipe, authenticity_token: pipe }],
    ['nothing', ''],
  ])('is accepted without a token with %s', (_case, body) => {
    const { verdict, meaning } = read('login', 200, body);
    expect(verdict).toBe('accepted-without-token');
    expect(meaning.ok).toBe(false);
    expect(meaning).not.toHaveProperty('token');
  });

  it.each([
    'Unauthorized',
    'Unauthenticated.',
    'No token provided',
    'Token is missing',
    'No autorizado',
    'Invalid token',
  ])('did not log out where words alone ask for a token at 200: %s', (message) =>
    expect(read('salir', 200, { message }).verdict).toBe('ended'),
  );

  it.each([
    'Token revoked',
    'Your token has been invalidated.',
    'Session expired successfully',
    'You are no longer logged in.',
    'Logged out. Please sign in again.',
    'Sesión cerrada, el token ya no es válido',
    'Tokens deleted',
  ])('logged out at 200: %s', (message) => expect(read('salir', 200, { message }).verdict).toBe('ok'));

  it.each([
    ['Invalid credentials', { message: 'Invalid credentials' }],
    ['Spanish words', { msg: 'Usuario o contraseña incorrectos' }],
    ['a text alone', 'Invalid email or password'],
    ['no JSON', { message: 'Invalid JSON' }],
    ['an error', { code: 10003, msg: 'password error', data: null }],
    ['a field', { message: 'Email is required' }],
    ['a code of its own', { code: 10003, msg: 'Wrong password', data: null }],
  ])('is refused by words alone at 200: %s', (_case, body) => {
    expect(read('login', 200, body).verdict).toBe('failed');
  });

  it.each([
    ['User already exists', { message: 'User already exists' }],
    ['The email has already been taken', { code: 7, msg: 'The email has already been taken', data: {} }],
    ['Email is already in use', 'Email is already in use'],
    ['User exists', { code: 'USER_EXISTS', message: 'User exists' }],
    ['Spanish', { mensaje: 'El correo ya está registrado' }],
    ['Spanish, the other way', { message: 'Ya existe un usuario con ese correo' }],
    ['Portuguese', { message: 'Este e-mail já está em uso' }],
    ['German', { message: 'Diese E-Mail ist bereits registriert' }],
    ['a short password', { message: 'Password must be at least 8 characters' }],
    ['fields', 'Please fill in all the fields'],
    ['passwords', { msg: "Passwords don't match" }],
    ['an email', { message: 'Invalid email' }],
    ['a long name', { message: 'The name must not be longer than 100 characters.' }],
    ['Spanish fields', { message: 'Todos los campos son obligatorios' }],
    ['Spanish passwords', { message: 'Las contraseñas no coinciden' }],
  ])('is no account where words alone refuse it at 200: %s', (_case, body) => {
    expect(read('registro', 200, body).verdict).toBe('failed');
  });

  it.each([
    'User registered successfully',
    'User has been registered.',
    'The account was created. You can already log in.',
    'Usuario registrado correctamente',
    '¡Ya estás registrado! Ya puedes iniciar sesión.',
    'Tu cuenta ya está lista',
    'Account created. The user does not exist in the old system.',
    'Usuário cadastrado com sucesso',
    'Benutzer erfolgreich registriert',
    'Welcome! A mail was sent to your address.',
    'Your email must be verified before you log in.',
    'Please check your email, and enter the code we sent.',
    'Your account was created, but your email is not confirmed yet.',
    'Revisa tu correo: debes confirmar tu cuenta.',
    'Tu correo debe ser confirmado.',
    'Revisa tu correo: puede estar en spam.',
    'Check your email. It may be in spam.',
    'Your password was saved. The name is public.',
  ])('is an account at 200: %s', (message) => {
    expect(read('registro', 201, { message }).verdict).toBe('ok');
  });

  it('is an account where the user is beside the words', () => {
    expect(read('registro', 200, { message: 'Email already exists', user: { id: 7, email: 'a@b.test' } }).verdict).toBe(
      'ok',
    );
  });

  it('needs a further step at 206, whatever the body holds', () => {
    expect(read('login', 206, { token: pipe })).toMatchObject({ verdict: 'further-step', meaning: { ok: false } });
  });

  it.each([
    ['requires_2fa', { requires_2fa: true, token: 'temporary-token' }],
    ['twoFactorRequired', { data: { twoFactorRequired: true } }],
    ['mfa_token', { mfa_token: jwt, logoutToken: jwt, deviceToken: jwt }],
    ['tempToken', { tempToken: pipe }],
  ])('needs a further step when the body says %s', (_name, body) => {
    const { verdict, meaning } = read('login', 200, body);
    expect(verdict).toBe('further-step');
    expect(meaning).not.toHaveProperty('token');
  });

  it('is no further step when the second factor is off', () => {
    expect(read('login', 200, { two_factor: false, token: pipe }).verdict).toBe('ok');
  });

  it.each([
    ['top before below', { data: { token: 'inner-token' }, token: 'outer-token' }, 'outer-token'],
    ['access_token before token', { token: 'second', access_token: 'first' }, 'first'],
    ['a token object inside the user', { user: { id: 7, token: { plainTextToken: pipe } } }, pipe],
    ['a misspelt name', { acces_toekn: pipe }, pipe],
    ['quotes and a scheme', { token: `"Bearer ${pipe}"` }, pipe],
    ['a scheme and quotes', { token: `bearer "${pipe}"` }, pipe],
    [
      'an id that is an ObjectId',
      { deep: [{ er: '6650a1b2c3d4e5f60718293b|vK2mQ8sXc5Tz1Wn7' }] },
      '6650a1b2c3d4e5f60718293b|vK2mQ8sXc5Tz1Wn7',
    ],
    ['a name under an unknown one', { AuthenticationResult: { AccessToken: 'a.b', IdToken: jwt } }, 'a.b'],
    ['the only JSON Web Token', { llave: jwt, refresco: { refreshToken: pipe } }, jwt],
    ['a value of type bearer', { token: { type: 'bearer', value: 'oat_MTA.x' } }, 'oat_MTA.x'],
    ['JSON in a text', { statusCode: 200, body: `{"token":"${pipe}"}` }, pipe],
    ['one long word', '"k9qv3nq0rbpxpc3t7ztdz5o3q5b1tkbu"', 'k9qv3nq0rbpxpc3t7ztdz5o3q5b1tkbu'],
    ['a line against scripts', `)]}',\n{"token":"${pipe}"}`, pipe],
    ['odd bytes kept', { token: '7|a+/=%|\u00e9 z' }, '7|a+/=%|\u00e9 z'],
  ])('finds the token: %s', (_case, body, token) => {
    expect(read('login', 200, body).meaning).toMatchObject({ ok: true, token });
  });

  it.each([
    ['access-token', 'abc', 'abc'],
    ['Set-Auth-Token', 'abc', 'abc'],
    ['AUTHORIZATION', `Bearer ${pipe}`, pipe],
  ])('finds the token in the header %s', (name, value, token) => {
    expect(read('login', 200, { message: 'ok' }, { [name]: value }).meaning.token).toBe(token);
  });

  it.each([
    ['Authorization', 'Basic YTpi'],
    ['refresh-token', pipe],
    ['x-csrf-token', pipe],
  ])('takes no token from the header %s: %s', (name, value) => {
    expect(read('login', 200, {}, { [name]: value }).meaning).not.toHaveProperty('token');
  });

  it('says where the token was and by which rule', () => {
    expect(read('login', 200, { data: { access_token: pipe } }).why.token).toEqual({
      path: 'data.access_token',
      rule: 'a field named access_token',
    });
  });

  it('takes no cookie for a token, nor the UUID of a new account', () => {
    const cookies = { 'Set-Cookie': `token=${jwt}; HttpOnly` };
    expect(read('login', 200, { ok: true }, cookies).verdict).toBe('accepted-without-token');
    const { meaning } = read('register', 201, '"5b1e9f2c-1a2b-4c3d-8e9f-0123456789ab"');
    expect(meaning).not.toHaveProperty('token');
  });

  it('takes no token out of a failure, a page or PHP noise', () => {
    expect(read('login', 422, { token: pipe }).meaning).not.toHaveProperty('token');
    expect(read('login', 200, `<p>${pipe}</p>{"token":"${pipe}"}`).meaning).toEqual({ ok: false });
  });
});

describe('a profile', () => {
  it.each([
    ['401', 401, { message: 'Unauthenticated.' }, {}],
    ['401 with a page', 401, '<html></html>', {}],
    ['401 without a body', 401, '', {}],
    ['419', 419, { message: 'CSRF token mismatch.' }, {}],
    ['a redirect to a login page', 302, '', { Location: '/auth/login?next=%2F' }],
    ['a redirect to a Spanish login page', 302, '', { location: 'https://x.test/iniciar-sesion' }],
    ['Laravel without a login route', 500, { message: 'Route [login] not defined.' }, {}],
    ['200 "no token"', 200, { status: 0, msg: 'No token found' }, {}],
    ['200 "token inválido"', 200, { success: false, mensaje: 'Token inválido' }, {}],
    ['403 without a body', 403, '', {}],
    ['403 about the token', 403, { detail: 'Authentication credentials were not provided.' }, {}],
    ['400 about the token', 400, { error: 'token_not_provided' }, {}],
    ['200 with the state of the token', 200, { status: 'Token is Expired' }, {}],
    ['200 with errors about the token', 200, { errors: [{ message: 'Could not verify JWT: JWTExpired' }] }, {}],
    ['422 about the signature', 422, { msg: 'Signature verification failed' }, {}],
    ['403 "token não fornecido"', 403, { erro: 'Token não fornecido' }, {}],
  ])('ends the session: %s', (_case, status, body, headers) => {
    expect(read('perfil', status, body, headers)).toMatchObject({ verdict: 'ended', meaning: { ok: false } });
  });

  it.each([
    ['a 403 page', 403, '<html><title>Blocked</title></html>', {}],
    ['a 403 about a permission', 403, { message: 'This action is unauthorized.' }, {}],
    ['a 403 about a page token', 403, { detail: 'CSRF Failed: CSRF token missing.' }, {}],
    ['a gateway without the route', 404, { message: 'no route and no API found with those values' }, {}],
    ['a 403 of a gateway', 403, 'RBAC: access denied', {}],
    ['a 500', 500, { message: 'Server Error' }, {}],
    ['a 500 about a signature', 500, { message: 'invalid signature' }, {}],
    ['a 502 page', 502, '<html></html>', {}],
    ['a 503', 503, '', { 'Retry-After': '60' }],
    ['a captive portal', 200, '<html>Accept</html>', {}],
    ['a redirect elsewhere', 302, '', { Location: 'https://x.test/home' }],
    ['throttling', 429, { message: 'Too Many Attempts.' }, {}],
    ['a missing route', 404, { message: 'Not Found' }, {}],
    ['no user', 200, {}, {}],
    ['a text', 200, 'User Content.', {}],
    ['a text that denies', 200, 'Acceso denegado', {}],
    ['true', 200, 'true', {}],
    ['false', 200, 'false', {}],
    ['a number', 200, '7', {}],
    ['an empty string', 200, '""', {}],
    ['null', 200, 'null', {}],
    ['an empty body', 200, '', {}],
    ['broken JSON', 200, '{"id": 7', {}],
    ['a proxy that asks for a password', 401, '<html></html>', { 'WWW-Authenticate': 'Basic realm="proxy"' }],
    ['a failure flag beside a user', 200, { success: false, user: { id: 7, email: 'a@b.test' } }, {}],
  ])('says nothing about the session: %s', (_case, status, body, headers) => {
    expect(read('perfil', status, body, headers)).toMatchObject({ verdict: 'unknown', meaning: { ok: false } });
  });

  it('says nothing about the session when another host asks for a login', () => {
    const answer = { status: 302, headers: { Location: 'http://portal.test/login' }, body: '' };
    expect(readAnswer('perfil', { ...answer, url: 'https://x.test/api/v1/auth/perfil' }).verdict).toBe('unknown');
    expect(readAnswer('perfil', { ...answer, url: 'https://portal.test/api/v1/auth/perfil' }).verdict).toBe('ended');
  });

  it.each([
    ['JSON:API', { data: { id: '7', type: 'users', attributes: { name: 'Ana', email: 'a@b.test' } } }],
    ['a list', [{ id: '7', name: 'Ana', email: 'a@b.test' }]],
    ['a small profile inside', { id: '7', name: 'Ana', email: 'a@b.test', profile: { id: 3, bio: 'x' } }],
    ['names in the profile', { id: '7', email: 'a@b.test', profile: { firstName: 'Ana' } }],
    ['a name nobody knows', { ok: true, alumno: { id: '7', nombre: 'Ana', correo: 'a@b.test' } }],
    ['an unknown wrapper', { data: { login: { token: 'x', user: { id: '7', name: 'Ana', email: 'a@b.test' } } } }],
    ['lists of values', { uid: [{ value: '7' }], name: [{ value: 'Ana' }], mail: [{ value: 'a@b.test' }] }],
    ['two wrappers', { result: { data: { usuario: { Id: '7', Nombre: 'Ana', Email: 'a@b.test' } } } }],
  ])('finds the user: %s', (_case, body) => {
    expect(read('perfil', 200, body).meaning).toMatchObject({
      ok: true,
      user: { id: '7', name: 'Ana', email: 'a@b.test' },
    });
  });

  it.each([
    [{ nombre: 'Ana', apellido: 'Prueba' }],
    [{ nombres: 'Ana', primer_apellido: 'Prueba', segundo_apellido: 'Dos' }, 'Ana Prueba Dos'],
    [{ firstName: 'Ana', lastName: 'Prueba' }],
    [{ Nombre_Completo: 'Ana Prueba', username: 'anap' }],
    [{ name: 'Ana', apellidos: 'Prueba' }],
    [{ name: { givenName: 'Ana', familyName: 'Prueba' }, username: 'anap' }],
    [{ name: { first: 'Ana', last: 'Prueba' } }],
    [{ name: 'Ana Prueba', apellidos: 'Prueba' }],
  ])('builds the name from %o', (fields, name = 'Ana Prueba') => {
    expect(read('perfil', 200, { user: { email: 'a@b.test', ...fields } }).meaning.user?.name).toBe(name);
  });
});

describe('a logout', () => {
  it.each([
    ['204', 204, ''],
    ['205', 205, ''],
    ['an empty 200', 200, ''],
    ['plain text', 200, 'Logged out'],
    ['a zero flag', 200, { status: 0, message: 'Logout exitoso' }],
    ['the user', 200, { id: 7, email: 'a@b.test' }],
    ['words about an expired session', 200, { message: 'Session expired' }],
  ])('is done with %s', (_case, status, body) => {
    expect(read('salir', status, body)).toMatchObject({ verdict: 'ok', meaning: { ok: true } });
  });

  it('failed when a flag says so', () => {
    expect(read('salir', 200, { success: false, message: 'Something broke' }).verdict).toBe('failed');
  });

  it('of a dead token finds the session ended', () => {
    expect(read('salir', 401, { message: 'Unauthenticated.' }).verdict).toBe('ended');
  });
});

describe('the profile of somebody who is known', () => {
  const who = ['ana@example.test', 'ana', '7', 'c0ffee'];
  const readAs = (body: unknown) => readAnswer('perfil', { status: 200, headers: {}, body, who });

  it.each([
    [{ logged_in_as: 'ana@example.test' }, { email: 'ana@example.test' }],
    [{ identity: 'Ana@Example.test' }, { email: 'Ana@Example.test' }],
    [{ msg: 'ok', current: { handle: 'ana' } }, { name: 'ana' }],
    [{ message: 'ana@example.test' }, { email: 'ana@example.test' }],
    [{ result: { account: 7 } }, { id: '7' }],
    [[{ owner: 'c0ffee' }], { name: 'c0ffee' }],
    ['"ana@example.test"', { email: 'ana@example.test' }],
  ])('is a value that equals who logged in: %j', (body, user) => {
    expect(readAs(body)).toMatchObject({ verdict: 'ok', meaning: { user } });
    expect(readAnswer('perfil', { status: 200, headers: {}, body }).verdict).toBe('unknown');
  });

  it.each([
    [
      [
        { id: 3, firstname: 'Bea' },
        { id: 4, email: 'Ana@example.test' },
      ],
      { id: 4, email: 'Ana@example.test' },
    ],
    [{ data: [{ id: 3, name: 'Bea' }, { username: 'ana' }] }, { name: 'ana' }],
    [
      { count: 2, results: [{ email: 'bea@example.test' }, { email: 'ana@example.test', name: 'Ana' }] },
      { name: 'Ana' },
    ],
    [
      {
        user: [
          { _id: 'c0ffee', name: 'Ana' },
          { _id: 'decaf', name: 'Bea' },
        ],
      },
      { id: 'c0ffee' },
    ],
    [[{ id: 3, name: 'Bea' }], { name: 'Bea' }],
    [{ count: 1, results: [{ id: 3, email: 'bea@example.test' }] }, { email: 'bea@example.test' }],
    [
      {
        id: 3,
        name: 'Bea',
        roles: [
          { id: 1, name: 'ana' },
          { id: 2, name: 'b' },
        ],
      },
      { name: 'Bea' },
    ],
    [{ user: { id: 3, name: 'Bea' }, sessions: [{ id: 1 }, { id: 2 }] }, { name: 'Bea' }],
  ])('is the one of a list that is known, or its only one: %j', (body, user) => {
    expect(readAs(body)).toMatchObject({ verdict: 'ok', meaning: { user } });
  });

  it.each([
    [
      [
        { firstname: 'Dave', lastname: 'Gray' },
        { firstname: 'John', lastname: 'Smith' },
      ],
    ],
    [
      {
        data: [
          { id: 3, email: 'bea@example.test' },
          { id: 4, email: 'cleo@example.test' },
        ],
      },
    ],
    [{ count: 2, results: [{ email: 'bea@example.test' }, { email: 'cleo@example.test' }] }],
    [
      {
        user: [
          { id: 3, name: 'Bea' },
          { id: 4, name: 'Cleo' },
        ],
      },
    ],
    [
      {
        data: {
          users: [
            { id: 3, email: 'bea@example.test' },
            { id: 4, email: 'cleo@example.test' },
          ],
        },
      },
    ],
    [
      [
        { id: 7, name: 'A lamp' },
        { id: 8, name: 'A chair' },
      ],
    ],
    [
      [
        { email: 'ana@example.test', name: 'Ana' },
        { email: 'ana@example.test', name: 'Bea' },
      ],
    ],
    [['bea', 'cleo']],
  ])('is no list of several: %j', (body) => {
    const { verdict, meaning } = readAs(body);
    expect(verdict).toBe('unknown');
    expect(meaning).not.toHaveProperty('user');
  });

  it.each([
    { message: 'Hello ana@example.test' },
    { message: 'ana is not known' },
    { logged_in_as: null },
    { logged_in_as: 'bea@example.test' },
    { status: 7, message: 'Welcome' },
    { error: 'ana@example.test' },
    { errors: { about: 'ana' } },
    { success: false, about: 'ana' },
    { people: [{ login_name: 'bea' }, { login_name: 'ana' }] },
  ])('is no part of a sentence, no code and no failure: %j', (body) => {
    expect(readAs(body).verdict).not.toBe('ok');
  });
});
