import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations, type Operation } from '../../../main/client/base-url.ts';
import { readAnswer, type Meaning } from '../../../main/client/read-answer.ts';

type Shape = {
  id: string;
  operation: Operation;
  status: number;
  headers: Record<string, string>;
  body: unknown;
  meaning: Meaning;
  source?: string;
};

const shapesOf = (name: string): Shape[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8'));
const dialects = shapesOf('dialects.json');
const moreShapes = shapesOf('more-shapes.json');
const allShapes = [...dialects, ...moreShapes];

const read = (operation: Operation, status: number, body: unknown, headers: Record<string, string> = {}) =>
  readAnswer(operation, { status, headers, body });

const pipe = '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnLWZha2U';

describe('shapes of real servers', () => {
  it.each(dialects.map((shape) => [shape.id, shape] as const))('reads %s', (_id, shape) => {
    expect(readAnswer(shape.operation, shape).meaning).toStrictEqual(shape.meaning);
  });

  it.each(moreShapes.map((shape) => [shape.id, shape] as const))('reads %s', (_id, shape) => {
    expect(readAnswer(shape.operation, shape).meaning).toStrictEqual(shape.meaning);
    expect(shape.source).toMatch(/^https:\/\//);
  });

  it('reads raw text as it reads the parsed body', () => {
    for (const shape of allShapes.filter(({ body }) => typeof body !== 'string')) {
      const text = `\uFEFF \n${JSON.stringify(shape.body)}\n`;
      const fromText = readAnswer(shape.operation, { ...shape, body: text, headers: { ...shape.headers } });
      expect(fromText).toStrictEqual(readAnswer(shape.operation, shape));
    }
  });

  it('reads header names in any case and values as lists', () => {
    for (const shape of allShapes) {
      const headers = Object.fromEntries(
        Object.entries(shape.headers).map(([name, value]) => [name.toUpperCase(), [value]]),
      );
      expect(readAnswer(shape.operation, { ...shape, headers }).meaning).toStrictEqual(shape.meaning);
    }
  });
});

describe('a login', () => {
  it.each([
    ['a message alone', { message: 'Welcome' }],
    ['an empty token', { success: true, token: '' }],
    ['only a refresh token', { refresh_token: pipe, data: { refreshToken: jwt } }],
    [
      'tokens of a second step and of a device',
      { mfa_token: jwt, logoutToken: jwt, deviceToken: jwt, tempToken: pipe },
    ],
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

  it('needs a further step at 206, whatever the body holds', () => {
    expect(read('login', 206, { token: pipe })).toMatchObject({ verdict: 'further-step', meaning: { ok: false } });
  });

  it.each([
    ['requires_2fa', { requires_2fa: true, token: 'temporary-token' }],
    ['twoFactorRequired', { data: { twoFactorRequired: true } }],
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

  it('lists the other fields, and never the value of a secret', () => {
    const hash = '$2b$09$aaaaaaaaaaaaaaaaaaaaaa';
    const { rest } = read('perfil', 200, {
      id: 7,
      name: 'Ana',
      email: 'a@b.test',
      roles: ['admin'],
      active: true,
      nothing: null,
      password: 'typed in clear',
      remember_token: 'abc',
      api_key: 'k',
      legacy: hash,
      last: pipe,
      nested: { salt: 'pepper', note: 'kept', list: [hash] },
    });
    expect(rest).toEqual([
      { masked: false, path: 'roles', value: '["admin"]' },
      { masked: false, path: 'active', value: 'true' },
      { masked: false, path: 'nothing', value: 'null' },
      { masked: true, path: 'password' },
      { masked: true, path: 'remember_token' },
      { masked: true, path: 'api_key' },
      { masked: true, path: 'legacy' },
      { masked: true, path: 'last' },
      { masked: false, path: 'nested', value: '{"salt":"•••","note":"kept","list":["•••"]}' },
    ]);
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

describe('errors of fields', () => {
  it.each([
    ['a rule under the field', { errors: { email: { unique: 'Taken.' } } }],
    ['a name before the text', { errors: ['user.email: Taken.'] }, 'user.email'],
    ['a pointer as path', { error: { details: [{ path: '/email', message: 'Taken.' }] } }],
    ['several names of one error', { error: { validationErrors: [{ message: 'Taken.', members: ['email'] }] } }],
    ['the name of an input as name', { data: { errors: [{ name: 'email', message: 'Taken.' }] } }],
    ['the extensions of GraphQL', { errors: [{ message: 'Taken.', path: ['x'], extensions: { field: 'email' } }] }],
    ['objects of a list', { email: [{ message: 'Taken.', code: 'unique' }] }],
    ['JSON in the message', { error: { message: '[{"path":["email"],"message":"Taken."}]' } }],
    ['JSON in a JSON text', '"{\\"email\\":[\\"Taken.\\"]}"'],
    ['a layer nobody knows', { fault: { more: { fieldErrors: { email: ['Taken.'] } } } }],
    ['a code for want of a text', { errors: [{ field: 'email', code: 'Taken.' }] }],
  ])('are found: %s', (_case, body, field = 'email') => {
    expect(read('register', 400, body).meaning.fieldErrors).toEqual({ [field]: ['Taken.'] });
  });

  it.each([
    ['what was sent, sent back', { message: 'Taken', data: { name: 'Ana Prueba', email: 'a@b.test' } }],
    ['the path of GraphQL', { errors: [{ message: 'No', locations: [{ line: 1 }], path: ['login'] }] }],
    ['the details of an error of no field', { errors: [{ id: '3243:7975', status: 403, code: 'USER_LOCKED' }] }],
    ['a list of texts', { errores: ['El correo ya existe', 'La clave es muy corta'] }],
    ['a message in two languages', { message: { es: 'Ya existe', en: 'Taken' } }],
  ])('are not invented from %s', (_case, body) => {
    expect(read('register', 400, body).meaning).not.toHaveProperty('fieldErrors');
  });
});

describe('a message', () => {
  it.each([
    [
      'a sentence beside a key',
      { message: 'error.emailexists', title: 'Email is already in use!' },
      'Email is already in use!',
    ],
    ['a key beside the name of the status', { message: 'auth.taken', error: 'Bad Request' }, 'auth.taken'],
    [
      'a sentence beside the name of a status',
      { error: { reason: 'Not Found', description: 'No such door.' } },
      'No such door.',
    ],
    ['an unknown wrapper', { apierror: { status: 'BAD_REQUEST', message: 'Taken' } }, 'Taken'],
    ['a fault', { fault: { faultstring: 'Invalid access token' } }, 'Invalid access token'],
    ['an inner list', { ui: { messages: [{ id: 4, text: 'No such account' }] } }, 'No such account'],
  ])('is read from %s', (_case, body, message) => {
    expect(read('register', 400, body).meaning.message).toBe(message);
  });
});

describe('flags', () => {
  it.each([
    [{ success: 'false' }],
    [{ ok: false }],
    [{ status: 'error' }],
    [{ status: 0 }],
    [{ code: '422' }],
    [{ res: false }],
    [{ estado: 'error' }],
    [{ statusCode: 500 }],
    [{ error: 'something' }],
    [{ error: true }],
    [{ errors: { email: ['taken'] } }],
    [{ err: { code: 11000 } }],
    [{ meta: { code: 400 } }],
    [{ sucesso: false }],
    [{ erro: true }],
    [{ resultado: 'error' }],
    [{ errcode: 40001 }],
    [{ result: -1 }],
    [{ icon: 'error', title: 'Error' }],
    [{ status: 'FIELD_ERROR' }],
    [[{ success: 0 }]],
    [{ status: { code: 401, message: 'no' } }],
  ])('%o is a failure at 2xx', (body) => {
    expect(read('registro', 200, body)).toMatchObject({ verdict: 'failed', meaning: { ok: false } });
  });

  it.each([
    [{ success: 'true' }],
    [{ status: 1 }],
    [{ status: 'ok' }],
    [{ code: 201 }],
    [{ error: false }],
    [{ error: null, errors: [], err: {} }],
    [{ estado: 'éxito' }],
    [{ status: 'active' }],
    [{ code: 0, success: true }],
    [{ code: 0, msg: 'success' }],
    [{ errcode: 0, errmsg: 'ok' }],
    [{ status: 'no_error' }],
    [{ result: 'created' }],
    [{ id: 7, type: 0 }],
    [{ error_code: '0000' }],
    [{}],
  ])('%o is a success at 2xx', (body) => {
    expect(read('registro', 200, body)).toMatchObject({ verdict: 'ok', meaning: { ok: true } });
  });

  it('never makes a success of another status', () => {
    expect(read('registro', 400, { success: true }).meaning.ok).toBe(false);
  });
});

describe('waiting times', () => {
  const date = 'Mon, 05 Jan 2026 10:00:00 GMT';
  it.each([
    ['Retry-After in seconds', 429, { 'Retry-After': '5' }, {}, 5],
    ['Retry-After as a date', 429, { Date: date, 'Retry-After': 'Mon, 05 Jan 2026 10:00:30 GMT' }, {}, 30],
    ['a date that is over', 429, { Date: date, 'Retry-After': 'Mon, 05 Jan 2026 09:00:00 GMT' }, {}, 0],
    ['RateLimit-Reset', 429, { 'RateLimit-Reset': '42' }, {}, 42],
    ['X-RateLimit-Reset in seconds', 429, { 'X-RateLimit-Reset': '31' }, {}, 31],
    ['X-RateLimit-Reset since 1970', 429, { Date: date, 'X-RateLimit-Reset': '1767607220' }, {}, 20],
    ['X-RateLimit-Reset in milliseconds', 429, { Date: date, 'X-RateLimit-Reset': '1767607220000' }, {}, 20],
    ['a body field', 429, {}, { error: { retry_after: '9' } }, 9],
    ['words on 422', 422, {}, { message: 'Demasiados intentos. Inténtelo en 57 segundos.' }, 57],
    ['minutes and seconds', 429, {}, { message: 'Please try again in 1 minute and 30 seconds.' }, 90],
    ['hours', 429, {}, { mensaje: 'Demasiados intentos, vuelve en 2 horas' }, 7200],
    ['milliseconds', 429, {}, { retry_after_ms: 1500 }, 2],
    ['a duration among details', 429, {}, { error: { details: [{ retryDelay: '30s' }] } }, 30],
    ['minutes', 403, {}, { message: 'Cuenta bloqueada. Intenta en 12 minuto(s).' }, 720],
    ['the header before the words', 429, { 'Retry-After': '3' }, { message: 'Try again in 60 seconds' }, 3],
    ['a header on 503', 503, { 'Retry-After': '60' }, {}, 60],
  ])('are read from %s', (_case, status, headers, body, seconds) => {
    expect(read('login', status, body, headers).meaning.retryAfterSeconds).toBe(seconds);
  });

  it.each([
    ['no number', 429, {}, { message: 'Too many attempts' }],
    ['a limit', 429, {}, { error: 'Rate limit exceeded: 5 per 1 minute' }],
    ['a counter on an ordinary failure', 401, { 'X-RateLimit-Reset': '31' }, { message: 'Bad credentials' }],
    ['an unrelated number', 422, {}, { message: 'Codes live for 30 seconds' }],
    ['a success', 200, { 'Retry-After': '5' }, { token: pipe }],
    ['nonsense', 429, { 'Retry-After': 'soon', 'X-RateLimit-Reset': '-1' }, {}],
  ])('are not invented from %s', (_case, status, headers, body) => {
    expect(read('login', status, body, headers).meaning).not.toHaveProperty('retryAfterSeconds');
  });
});

describe('any body at all', () => {
  const key = fc.oneof(
    fc.constantFrom(
      'token',
      'access_token',
      'data',
      'user',
      'errors',
      'error',
      'message',
      'status',
      'refresh_token',
      'refreshToken',
      'csrf_token',
      '_token',
      'xsrf',
      'authenticity_token',
      'tokens',
      'refresh',
      'session',
      'detail',
      'loc',
      '__proto__',
      'constructor',
      'toString',
      'id',
      'name',
      'email',
      'path',
      'constraints',
      'children',
      'meta',
      'code',
      'attributes',
    ),
    fc.string({ maxLength: 8 }),
  );
  const leaf = fc.oneof(
    fc.string(),
    fc.constantFrom(pipe, jwt, 'false', '0', ''),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { body: anyBody } = fc.letrec((tie) => ({
    body: fc.oneof(
      { depthSize: 'medium', maxDepth: 6 },
      leaf,
      fc.array(tie('body'), { maxLength: 5 }),
      fc.array(fc.tuple(key, tie('body')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  const operation = fc.constantFrom(...operations);
  const status = fc.oneof(
    fc.constantFrom(200, 201, 204, 206, 302, 401, 403, 422, 429, 500),
    fc.integer({ min: 0, max: 999 }),
  );
  const headers = fc.dictionary(
    fc.constantFrom('Retry-After', 'Date', 'Location', 'authorization', 'X-RateLimit-Reset', 'WWW-Authenticate'),
    fc.oneof(fc.string(), fc.constantFrom('5', 'Basic x', '/login', `Bearer ${pipe}`)),
  );

  it('never throws and answers with the keys it promises', () => {
    const keys = new Set(['ok', 'message', 'user', 'token', 'fieldErrors', 'retryAfterSeconds']);
    fc.assert(
      fc.property(operation, status, headers, fc.oneof(anyBody, fc.anything(), fc.string()), (...sent) => {
        const [op, code, head, body] = sent;
        const { meaning } = readAnswer(op, { status: code, headers: head, body });
        expect(Object.keys(meaning).filter((each) => !keys.has(each))).toEqual([]);
        expect(Object.values(meaning)).not.toContain(undefined);
        expect(op !== 'login' || !meaning.ok || meaning.token).toBeTruthy();
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws on a known shape with a part cut out or replaced', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allShapes), fc.nat(), fc.nat(400), leaf, (shape, position, length, value) => {
        const text = JSON.stringify(shape.body);
        const start = position % text.length;
        const cut = text.slice(0, start) + JSON.stringify(value) + text.slice(start + length);
        expect(typeof readAnswer(shape.operation, { ...shape, body: cut }).meaning.ok).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });

  it('never takes a token from a field that refreshes or protects', () => {
    const forbidden = fc.constantFrom(
      'refresh',
      'refresh_token',
      'refreshToken',
      'RefreshToken',
      'csrf',
      'csrf_token',
      'csrfToken',
      '_token',
      'authenticity_token',
      'authenticityToken',
      'xsrf_token',
      'token_csrf',
      'tokenRefresh',
      'mfa_token',
      'logoutToken',
    );
    const planted = fc.oneof(fc.constant(`9|${'planted'.repeat(4)}`), fc.constant(`Bearer ${jwt}`));
    const wrap = fc.array(fc.constantFrom('data', 'tokens', 'user', 'session', 'token', 'x'), { maxLength: 4 });
    fc.assert(
      fc.property(forbidden, planted, wrap, fc.boolean(), (name, secret, path, nested) => {
        const value: unknown = nested ? { token: secret, access_token: [secret] } : secret;
        const body = path.reduceRight<unknown>((inner, each) => ({ [each]: inner }), { [name]: value });
        expect(read('login', 200, body).meaning).not.toHaveProperty('token');
      }),
    );
  });

  it('visits at most 20 000 values and 64 levels', () => {
    const wide = { errors: Array.from({ length: 100_000 }, (_each, index) => ({ field: `f${index}`, message: 'm' })) };
    const deep = `${'{"data":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const lists = '['.repeat(50_000) + ']'.repeat(50_000);
    for (const body of [wide, deep, lists, Array.from({ length: 50_000 }, () => 0)]) {
      for (const op of operations) {
        const { nodes, levels } = read(op, 422, body).why.visited;
        expect(nodes).toBeLessThanOrEqual(20_000);
        expect(levels).toBeLessThanOrEqual(64);
      }
    }
  });

  it('goes exactly as far as those limits', () => {
    const deep = `${'{"data":'.repeat(1_000)}1${'}'.repeat(1_000)}`;
    expect(read('login', 200, deep).why.visited).toEqual({ nodes: 64, levels: 64 });
    const wide = Array.from({ length: 50_000 }, () => 0);
    expect(read('login', 200, wide).why.visited).toEqual({ nodes: 20_000, levels: 2 });
  });

  it('looks at no value of the body beyond those limits', () => {
    let reads = 0;
    const counted = (depth: number): unknown =>
      new Proxy<Record<string, unknown>>(depth > 70 ? {} : { a: null, b: null, c: null }, {
        get: () => {
          reads += 1;
          return counted(depth + 1);
        },
      });
    read('login', 200, counted(0));
    expect(reads).toBeLessThanOrEqual(20_000);
  });

  it('is not confused by a server that sends names of object internals', () => {
    const body = JSON.parse('{"errors":{"__proto__":["polluted"],"constructor":["x"],"email":["taken"]}}');
    const { fieldErrors } = read('register', 422, body).meaning;
    expect(Object.entries(fieldErrors ?? {})).toEqual([
      ['__proto__', ['polluted']],
      ['constructor', ['x']],
      ['email', ['taken']],
    ]);
    expect({}).not.toHaveProperty('polluted');
  });
});
