import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../preload/contract/result.ts';
import type { Operation } from '../../../preload/contract/names.ts';
import { appErrorOfAnswer, appErrorOfFailure } from '../../../main/client/map-error.ts';
import { readAnswer } from '../../../main/client/read-answer.ts';
import { failureOf, hasOutsideAddress } from '../../../main/client/transport-failure.ts';

function errorOf(operation: Operation, status: number, body: unknown, headers: Record<string, string> = {}): AppError {
  const answer = { status, headers, body };
  return appErrorOfAnswer(operation, answer, readAnswer(operation, answer));
}

describe('an answer', () => {
  it.each([
    ['401', 401, { message: 'These credentials do not match our records.' }],
    ['404 of a tutorial server', 404, { status: 0, msg: 'La password es incorrecta' }],
    ['404 for an unknown user', 404, { message: 'El usuario no existe' }],
    ['500 of a tutorial server', 500, { status: 0, error: 'credenciales incorrectas' }],
    ['400', 400, { message: 'Failed to authenticate.' }],
    [
      "Laravel's 422",
      422,
      { message: 'The given data was invalid.', errors: { email: ['These credentials do not match our records.'] } },
    ],
    ['200 with a flag', 200, { status: false, message: 'Email or Password is wrong!' }],
    ['403 without words', 403, {}],
    ['a plain 401', 401, 'Unauthorized'],
  ])('to a login is unauthenticated: %s', (_case, status, body) => {
    expect(errorOf('login', status, body).kind).toBe('unauthenticated');
  });

  // What they answer to the right password of an account with a second factor, by their documentation and source.
  it.each([
    ['ASP.NET Core Identity', 401, { title: 'Unauthorized', status: 401, detail: 'RequiresTwoFactor' }],
    ['Auth0', 403, { error: 'mfa_required', error_description: 'Multifactor authentication required', mfa_token: 'x' }],
    ['Appwrite', 401, { message: 'More factors are required to complete the sign in process.', code: 401 }],
    ['Directus', 401, { errors: [{ message: 'Invalid user OTP.', extensions: { code: 'INVALID_OTP' } }] }],
    ['better-auth', 200, { twoFactorRedirect: true }],
    ['Laravel Fortify', 200, { two_factor: true }],
    ['Okta', 200, { stateToken: '007ucIX7PATyn94hsHfOLVaXAmOBkKHWnOOLG43bsb', status: 'MFA_REQUIRED' }],
    ['Cognito', 200, { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 'AYABeC1-y8qooiuysv0uM4wAqQAdAA' }],
    ['words alone', 200, { success: true, message: 'OTP sent to your email' }],
    ['a number', 200, { otp_required: 1, token: 'AYABeC1-y8qooiuysv0uM4wAqQAdAA' }],
  ])('to a login asks for a second factor: %s', (_case, status, body) => {
    expect(errorOf('login', status, body)).toMatchObject({ kind: 'unexpected', reason: 'further-step' });
  });

  it.each([
    ['Too many attempts. Try again in 30 seconds.', { kind: 'throttled', retryAfterSeconds: 30 }],
    ['Your account is locked.', { kind: 'account-held', state: 'locked' }],
    ['Please verify your email first.', { kind: 'account-held', state: 'unconfirmed' }],
    ['Tu cuenta ha sido desactivada.', { kind: 'account-held', state: 'disabled' }],
  ])('to a login is told by its words at 200: %s', (message, error) => {
    expect(errorOf('login', 200, { message })).toMatchObject(error);
  });

  it.each([
    ['Wrong password or 2FA code.', 401],
    ['Invalid credentials or OTP.', 400],
  ])('to a login is unauthenticated where it may be the password: %s', (message, status) => {
    expect(errorOf('login', status, { message }).kind).toBe('unauthenticated');
  });

  it.each([
    ['XML', '<?xml version="1.0"?><answer><token>x</token></answer>', 'not-json'],
    ['a page in XML', '<?xml version="1.0"?><!DOCTYPE html><html><head></head></html>', 'html'],
  ] as const)('to a login in %s is told as that', (_case, body, reason) => {
    expect(errorOf('login', 200, body)).toMatchObject({ kind: 'not-an-api-answer', reason });
  });

  it.each([
    ['no token', 'login', 200, { message: 'ok' }, { kind: 'unexpected', reason: 'no-token' }],
    ['nothing for a token', 'login', 200, '', { kind: 'unexpected', reason: 'empty', status: 200 }],
    ['nothing for a profile', 'perfil', 204, '', { kind: 'unexpected', reason: 'empty', status: 204 }],
    ['a second factor', 'login', 206, { digits: 6 }, { kind: 'unexpected', reason: 'further-step' }],
    [
      'a missing route',
      'registro',
      404,
      { message: 'The route api/v1/auth/registro could not be found.' },
      { kind: 'unexpected', reason: 'operation-missing' },
    ],
    [
      'a missing route in Spanish',
      'salir',
      404,
      { message: 'La ruta POST /api/v1/auth/salir no existe' },
      { kind: 'unexpected', reason: 'operation-missing' },
    ],
    [
      "a missing route's page",
      'salir',
      404,
      '<html><pre>Cannot POST /api/v1/auth/salir</pre></html>',
      { kind: 'unexpected', reason: 'operation-missing' },
    ],
    [
      "a missing logout's page of any server",
      'salir',
      405,
      '<html><h1>405 Not Allowed</h1><hr>nginx</html>',
      { kind: 'unexpected', reason: 'operation-missing', status: 405 },
    ],
    ['a wrong address', 'login', 404, '<html><h1>404 Not Found</h1></html>', { reason: 'html' }],
    [
      'a wrong method',
      'register',
      405,
      { message: 'Method Not Allowed' },
      { kind: 'unexpected', reason: 'operation-missing' },
    ],
    ['an empty 404', 'login', 404, '', { kind: 'unexpected', reason: 'operation-missing' }],
    [
      'a page',
      'login',
      200,
      '<html><title>Hi &</title>',
      { kind: 'not-an-api-answer', reason: 'html', detail: 'Hi &', status: 200 },
    ],
    ['broken JSON', 'login', 200, '{"token": ', { kind: 'not-an-api-answer', reason: 'broken-json' }],
    ['JSON in lines', 'login', 200, '{"token":"a"}\n{"token":"b"}\n', { reason: 'broken-json' }],
    ['a zero byte behind JSON', 'login', 200, '{"token":"a"}\u0000', { reason: 'broken-json' }],
    ['a profile with a comma too many', 'perfil', 200, '{"id":7,}', { reason: 'broken-json' }],
    ['what is no text', 'login', 200, '\u0000\u0001PNG{"', { reason: 'not-json' }],
    [
      'a page that says conflict',
      'registro',
      409,
      '<html><head><title>409 Conflict</title></head></html>',
      { kind: 'unexpected', reason: 'already-there', status: 409 },
    ],
    ['an empty conflict', 'register', 409, '', { kind: 'unexpected', reason: 'already-there' }],
    ['a page that says conflict to a login', 'login', 409, '<html></html>', { reason: 'html' }],
    [
      'a registration that is closed',
      'registro',
      403,
      { message: 'Registrations are closed' },
      { kind: 'unexpected', reason: 'registration-closed', message: 'Registrations are closed' },
    ],
    [
      "GoTrue's sign-ups that are off",
      'registro',
      422,
      { code: 422, error_code: 'signup_disabled', msg: 'Signups not allowed for this instance' },
      { kind: 'unexpected', reason: 'registration-closed' },
    ],
    ['text for a profile', 'perfil', 200, 'It works!', { kind: 'not-an-api-answer', reason: 'not-json' }],
    ['a page of a failing proxy', 'perfil', 502, '<html></html>', { kind: 'server-fault', status: 502 }],
    [
      'a fault',
      'register',
      500,
      { message: 'Server Error' },
      { kind: 'server-fault', status: 500, message: 'Server Error' },
    ],
    [
      'an ended session',
      'perfil',
      401,
      { message: 'Unauthenticated.' },
      { kind: 'unauthenticated', message: 'Unauthenticated.' },
    ],
    [
      'a forbidden profile',
      'perfil',
      403,
      { message: 'Forbidden' },
      { kind: 'unexpected', reason: 'other', status: 403 },
    ],
    [
      'throttling as 422',
      'login',
      422,
      { message: 'Too many login attempts. Please try again in 57 seconds.' },
      { kind: 'throttled', retryAfterSeconds: 57 },
    ],
    [
      'a taken email without a field',
      'registro',
      409,
      { message: 'Taken' },
      { kind: 'validation', message: 'Taken', fields: {}, form: [] },
    ],
    ['a refusal at 200', 'registro', 200, { status: 0, msg: 'No' }, { kind: 'validation', message: 'No' }],
    [
      'a page token',
      'login',
      419,
      { message: 'CSRF token mismatch.' },
      { kind: 'unexpected', reason: 'other', status: 419 },
    ],
    ['a dead token at logout', 'salir', 401, {}, { kind: 'unauthenticated' }],
    [
      'a deleted account',
      'perfil',
      404,
      { message: 'Usuario no encontrado' },
      { kind: 'unexpected', reason: 'account-gone' },
    ],
    ['a path that is gone', 'registro', 410, { message: 'Gone' }, { kind: 'unexpected', reason: 'operation-missing' }],
    ['another path', 'perfil', 404, { message: 'Not Found' }, { kind: 'unexpected', reason: 'operation-missing' }],
    [
      'a logout that wants a refresh token',
      'salir',
      401,
      { message: 'Refresh token is required' },
      { kind: 'unexpected', reason: 'refresh-token-wanted' },
    ],
    [
      'a logout that wants a field with a refresh token',
      'salir',
      400,
      { refresh: ['This field is required.'] },
      { kind: 'unexpected', reason: 'refresh-token-wanted' },
    ],
  ] as const)('becomes what a person can act on: %s', (_case, operation, status, body, expected) => {
    expect(errorOf(operation, status, body)).toMatchObject(expected);
  });

  it('has no invented waiting time', () => {
    expect(errorOf('login', 429, 'Too Many Attempts.')).toEqual({ kind: 'throttled', message: 'Too Many Attempts.' });
  });

  it('has its texts under the inputs of the form, whatever the server calls them', () => {
    const errors = {
      Nombre: ['a'],
      correo: ['b'],
      'user.email': ['c'],
      contraseña: ['d'],
      password_confirmation: ['e'],
      telefono: ['Es obligatorio.', 'El telefono no vale.'],
      non_field_errors: ['f'],
    };
    expect(errorOf('register', 422, { message: 'No', errors })).toEqual({
      kind: 'validation',
      message: 'No',
      fields: { name: ['a'], email: ['b', 'c'], password: ['d'], cpassword: ['e'] },
      form: ['f', 'telefono: Es obligatorio.', 'El telefono no vale.'],
    });
  });

  it('keeps texts about cpassword in the form where the form has no such input', () => {
    const body = { errors: { cpassword: ['The passwords differ.'] } };
    expect(errorOf('registro', 422, body)).toMatchObject({ fields: {}, form: ['cpassword: The passwords differ.'] });
    expect(errorOf('register', 422, body)).toMatchObject({
      fields: { cpassword: ['The passwords differ.'] },
      form: [],
    });
  });

  it('limits server texts and takes control and direction characters out', () => {
    const error = errorOf('registro', 409, { message: `a\u0000\u001b[31m\u202eb${'x'.repeat(2_000)}` });
    const message = error.kind === 'validation' ? (error.message ?? '') : '';
    expect(message).toHaveLength(500);
    expect(message).toMatch(/^a \[31m bx+…$/);
  });
});

const coded = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });

describe('a request without an answer', () => {
  const url = 'https://host.test:8443/x';
  const host = 'host.test:8443';

  it.each([
    [coded('ENOTFOUND'), true, { kind: 'dns', host }],
    [coded('EAI_AGAIN'), true, { kind: 'name-server', host }],
    [coded('EAI_AGAIN'), false, { kind: 'offline' }],
    [coded('ENETUNREACH'), false, { kind: 'offline' }],
    [
      coded('ENETUNREACH', { address: '10.0.0.1', port: 1 }),
      true,
      { kind: 'no-route', host, addresses: ['10.0.0.1:1'] },
    ],
    [coded('ETIMEDOUT', { address: '10.0.0.1', port: 1 }), true, { kind: 'refused', host, addresses: ['10.0.0.1:1'] }],
    [
      coded('EPERM', { address: '10.0.0.1', port: 1 }),
      true,
      { kind: 'blocked-here', host, addresses: ['10.0.0.1:1'], code: 'EPERM' },
    ],
    [coded('ECONNREFUSED', { address: '::1', port: 1 }), false, { kind: 'refused', host, addresses: ['[::1]:1'] }],
    [coded('CERT_HAS_EXPIRED'), true, { kind: 'tls', host, code: 'CERT_HAS_EXPIRED', problem: 'expired' }],
    [
      coded('ERR_TLS_CERT_ALTNAME_INVALID'),
      true,
      { kind: 'tls', host, code: 'ERR_TLS_CERT_ALTNAME_INVALID', problem: 'wrong-host' },
    ],
    [
      coded('ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED'),
      true,
      { kind: 'tls', host, code: 'ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED', problem: 'client-certificate' },
    ],
    [coded('ECONNRESET'), true, { kind: 'unexpected', reason: 'connection-lost', code: 'ECONNRESET' }],
    [new Error('no code'), true, { kind: 'unexpected', reason: 'connection-lost', code: 'UNKNOWN' }],
  ])('is sorted by its code: %s', (error, network, expected) => {
    expect(appErrorOfFailure(failureOf(error, url, undefined, () => network))).toEqual(expected);
  });

  it('is said of the address where something answered', () => {
    const error = new AggregateError([
      coded('ENETUNREACH', { address: '2001:db8::1', port: 80 }),
      coded('ECONNREFUSED', { address: '192.0.2.1', port: 80 }),
    ]);
    expect(appErrorOfFailure(failureOf(error, url, undefined, () => false))).toMatchObject({ kind: 'refused' });
    expect(failureOf(error, url, undefined, () => true)).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['nothing', {}, false],
    ['itself alone', { lo: [{ address: '127.0.0.1', internal: true }] }, false],
    [
      'addresses it gave itself',
      {
        eth0: [
          { address: '169.254.7.1', internal: false },
          { address: 'fe80::1', internal: false },
        ],
      },
      false,
    ],
    ['a network', { eth0: [{ address: '192.168.1.2', internal: false }] }, true],
    ['a network of IPv6', { eth0: [{ address: 'fd00::2', internal: false }] }, true],
  ])('knows whether there is a network, from %s', (_what, interfaces, expected) => {
    expect(hasOutsideAddress(interfaces)).toBe(expected);
  });

  it('names both addresses of a name when both refuse', () => {
    const error = new AggregateError([
      coded('ECONNREFUSED', { address: '::1', port: 80 }),
      coded('ECONNREFUSED', { address: '127.0.0.1', port: 80 }),
    ]);
    expect(appErrorOfFailure(failureOf(error, 'http://localhost/x'))).toEqual({
      kind: 'refused',
      host: 'localhost',
      addresses: ['[::1]:80', '127.0.0.1:80'],
    });
  });

  it.each([
    [
      { kind: 'too-large', status: 200, limitBytes: 1 },
      { kind: 'not-an-api-answer', status: 200, reason: 'too-large' },
    ],
    [
      { kind: 'truncated', status: 200, code: 'x' },
      { kind: 'not-an-api-answer', status: 200, reason: 'truncated' },
    ],
    [
      { kind: 'timeout', phase: 'total', seconds: 30 },
      { kind: 'timeout', phase: 'total', seconds: 30 },
    ],
    [
      { kind: 'broken-http', problem: 'other', code: 'HPE_INVALID' },
      { kind: 'broken-http', problem: 'other', code: 'HPE_INVALID' },
    ],
    [
      { kind: 'undecodable', status: 200, code: 'Z_DATA_ERROR' },
      { kind: 'not-an-api-answer', status: 200, reason: 'undecodable', detail: 'Z_DATA_ERROR' },
    ],
    [
      { kind: 'unsendable', code: 'ERR_INVALID_CHAR' },
      { kind: 'unexpected', reason: 'unsendable', code: 'ERR_INVALID_CHAR' },
    ],
    [{ kind: 'cancelled' }, { kind: 'cancelled' }],
  ] as const)('%o becomes %o', (failure, expected) => {
    expect(appErrorOfFailure(failure)).toEqual(expected);
  });
});

it.each([
  ['of the email', { username: 'email' }, { email: ['Username is taken.'] }],
  ['of a field of its own', { username: 'username', name: 'name' }, { username: ['Username is taken.'] }],
  ['of the name', { username: 'name' }, { name: ['Username is taken.'] }],
  ['unknown', {}, { name: ['Username is taken.'] }],
])('what a server says of a user name that was made %s stands at that field', (_what, fieldsByMember, fields) => {
  const answer = { status: 400, headers: {}, body: { username: ['Username is taken.'] }, fieldsByMember };
  const error = appErrorOfAnswer('registro', answer, readAnswer('registro', answer));
  expect(error).toMatchObject({ kind: 'validation', fields });
});
