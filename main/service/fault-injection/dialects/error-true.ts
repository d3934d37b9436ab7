import { brief, retryAfter, createDialectRows, type DialectDefinition } from './dialect.ts';

/** Servers with a flag `error` and HTTP 200 for errors. */
export const errorTrue: DialectDefinition = {
  help: 'Spanish tutorials with one flag: HTTP 200 and error: true or false',
  language: 'es',
  issuesTokenOnRegistration: false,
  rows: createDialectRows({
    registered: {
      status: 200,
      body: ({ user }) => ({ error: false, message: 'Usuario registrado', data: { user: brief(user) } }),
    },
    loggedIn: {
      from: 'error-false-success',
      status: 200,
      body: ({ token, user }) => ({ error: false, message: 'OK', data: { token, user: brief(user) } }),
    },
    profile: { status: 200, body: ({ user }) => ({ error: false, message: 'OK', data: { user: brief(user) } }) },
    loggedOut: { status: 200, body: () => ({ error: false, message: 'Sesión cerrada' }) },
    wrongCredentials: {
      from: 'error-true-200-login',
      status: 200,
      body: ({ isUnknownEmail }) => ({
        error: true,
        message: isUnknownEmail ? 'El correo no está registrado' : 'Correo o contraseña incorrectos',
      }),
    },
    unauthenticated: {
      from: 'error-true-401-fiber',
      status: 401,
      body: () => ({ error: true, message: 'Invalid access token' }),
    },
    invalid: { from: 'error-true-400-flask', status: 400, body: ({ message }) => ({ error: true, message }) },
    throttled: {
      status: 429,
      body: ({ seconds: wait }) => ({ error: true, message: `Demasiados intentos, espere ${wait} segundos` }),
      headers: retryAfter,
    },
    refused: { status: ({ status }) => status, body: ({ message }) => ({ error: true, message }) },
    failed: { status: 500, body: () => ({ error: true, message: 'Error interno' }) },
  }),
};
