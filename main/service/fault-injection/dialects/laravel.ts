import type { OutcomeDetails } from '../outcomes.ts';
import { brief, byField, createDialectRows, type DialectDefinition, type DialectRow } from './dialect.ts';

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/** Laravel writes instants with microseconds. */
const laravelInstant = (iso: string): string => iso.replace('Z', '000Z');

const laravelUser = (user: OutcomeDetails['profile']['user']) => ({
  ...brief(user),
  email_verified_at: null,
  created_at: laravelInstant(user.created_at),
  updated_at: laravelInstant(user.updated_at),
});

/** A page, with the limit and the time in headers. */
const throttled: DialectRow<OutcomeDetails['throttled'] & { nowMs: number }> = {
  from: 'laravel-login-429-plain-old',
  status: 429,
  body: () => 'Too Many Attempts.',
  headers: ({ seconds: wait, nowMs }) => ({
    'content-type': 'text/html; charset=UTF-8',
    'retry-after': String(wait),
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(nowMs / 1000) + wait),
  }),
};

/** Laravel with Sanctum: plain tokens `id|opaque`, field errors as maps, wrong credentials as a field error. */
export const sanctum: DialectDefinition = {
  help: 'Laravel with Sanctum: access_token, 422 for wrong credentials',
  language: 'en',
  issuesTokenOnRegistration: true,
  rows: createDialectRows({
    registered: {
      from: 'sanctum-register-201-access_token',
      status: 201,
      body: ({ token, user }) => ({ access_token: token, token_type: 'Bearer', user: brief(user) }),
    },
    loggedIn: {
      from: 'jwt-expires_in',
      status: 200,
      body: ({ token, expiresAt, nowMs }) => ({
        access_token: token,
        token_type: 'bearer',
        expires_in: seconds(expiresAt) - Math.floor(nowMs / 1000),
      }),
    },
    profile: { from: 'sanctum-perfil-200-bare-user', status: 200, body: ({ user }) => laravelUser(user) },
    loggedOut: {
      from: 'cpw-salir-200',
      status: 200,
      body: () => ({ success: true, message: 'User has been logged out' }),
    },
    wrongCredentials: {
      from: 'sanctum-login-422-credentials',
      status: 422,
      body: ({ isUnknownEmail }) => {
        const message = isUnknownEmail ? 'The selected email is invalid.' : 'The provided credentials are incorrect.';
        return { message, errors: { email: [message] } };
      },
    },
    unauthenticated: {
      from: 'laravel-salir-401-unauthenticated',
      status: 401,
      body: () => ({ message: 'Unauthenticated.' }),
    },
    invalid: {
      from: 'laravel-registro-422-many-new',
      status: 422,
      body: ({ message, problems }) => ({ message, errors: byField(problems) }),
    },
    throttled,
    refused: { status: ({ status }) => status, body: ({ message }) => ({ message }) },
    failed: { status: 500, body: () => ({ message: 'Server Error' }) },
  }),
};

/** The Laravel tutorials in Spanish: `status` 0 or 1 and `msg`, HTTP 200 also for a failure, 0 also for a success. */
export const tutorial: DialectDefinition = {
  help: 'Spanish Laravel tutorials: status 0 or 1 and msg, HTTP 200 on failure too',
  language: 'es',
  issuesTokenOnRegistration: false,
  rows: createDialectRows({
    registered: {
      from: 'es-tutorial-registro-200-status1',
      status: 200,
      body: () => ({ status: 1, msg: '¡Registro de usuario exitoso!' }),
    },
    loggedIn: {
      from: 'es-tutorial-login-200',
      status: 200,
      body: ({ token }) => ({ status: 1, msg: '¡Usuario logueado exitosamente!', access_token: token }),
    },
    profile: {
      from: 'es-tutorial-perfil-200-status0',
      status: 200,
      body: ({ user }) => ({ status: 0, msg: 'Acerca del perfil de usuario', data: laravelUser(user) }),
    },
    loggedOut: {
      from: 'es-tutorial-salir-200-status0',
      status: 200,
      body: () => ({ status: 0, message: 'Logout exitoso' }),
    },
    wrongCredentials: {
      from: 'es-tutorial-login-200-fail',
      status: 200,
      body: ({ isUnknownEmail }) => ({
        status: 0,
        // The tutorials distinguish an unknown email; here only the defect of that name does.
        msg: isUnknownEmail ? 'Usuario no registrado' : 'La contraseña es incorrecta',
      }),
    },
    unauthenticated: {
      from: 'perfil-200-no-token',
      status: 200,
      body: () => ({ status: 0, code: 403, msg: 'No token found' }),
    },
    invalid: { from: 'laravel-raw-validator-422', status: 422, body: ({ problems }) => byField(problems) },
    throttled,
    refused: { status: ({ status }) => status, body: ({ message }) => ({ status: 0, msg: message }) },
    failed: { status: 500, body: () => ({ status: 0, error: 'Error interno del servidor' }) },
  }),
};
