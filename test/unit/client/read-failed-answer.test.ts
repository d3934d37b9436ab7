import { describe, expect, it } from 'vitest';
import { pipe, read } from '../../support/answer-lines.ts';

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
    ['a list of texts about two fields each', { errores: ['El nombre o el correo ya existe', 'Revisa los datos'] }],
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
    // https://github.com/budwk/budwk, wk-nb-web-admin/src/main/resources/error.md
    [{ code: 500205, msg: '用户名或密码错误' }],
    [{ code: 40902, message: '邮箱已被注册', data: null }],
    [{ status_code: '4001', status_msg: 'no' }],
    [{ code: 40001, msg: '参数错误', data: { Name: ['The Name field is required.'] } }],
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
    [{ code: 20000, message: '成功' }],
    [{ code: 482913, message: 'Code sent' }],
    [{ code: 45001, message: 'success' }],
    [{ code: 45001, user: { id: 7, email: 'ana@example.test' } }],
    [{ errcode: 0, errmsg: 'ok' }],
    [{ status: 'no_error' }],
    [{ result: 'created' }],
    [{ id: 7, type: 0 }],
    [{ error_code: '0000' }],
    [{}],
  ])('%o is a success at 2xx', (body) => {
    expect(read('registro', 200, body)).toMatchObject({ verdict: 'ok', meaning: { ok: true } });
  });

  it('that are a long code fail a logout, too, which a bare zero does not', () => {
    expect(read('salir', 200, { code: 40100, msg: '请先登录', data: null }).meaning.ok).toBe(false);
    expect(read('salir', 200, { status: 0 }).meaning.ok).toBe(true);
  });

  it('never make a success of another status', () => {
    expect(read('registro', 400, { success: true }).meaning.ok).toBe(false);
  });
});

describe('waiting times', () => {
  const date = 'Mon, 05 Jan 2026 10:00:00 GMT';
  it.each([
    ['Retry-After in seconds', 429, { 'Retry-After': '5' }, {}, 5],
    ['several values of Retry-After', 429, { 'Retry-After': '30, 60' }, {}, 60],
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
