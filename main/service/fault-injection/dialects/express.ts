import { html, createDialectRows, splitName, type DialectDefinition } from './dialect.ts';

export const express: DialectDefinition = {
  help: 'Express: Spanish fields, a token behind "Bearer ", express-validator',
  language: 'en',
  issuesTokenOnRegistration: true,
  rows: createDialectRows({
    registered: {
      from: 'hng-register-201',
      status: 201,
      body: ({ token, user: { id, name, email } }) => {
        const [firstName, lastName] = splitName(name);
        const user = { userId: `u-${id}`, firstName, lastName, email };
        return { status: 'success', message: 'Registration successful', data: { accessToken: token, user } };
      },
    },
    loggedIn: {
      from: 'bearer-prefixed-token',
      status: 200,
      body: ({ token, user }) => ({ success: true, message: null, username: user.name, token: `Bearer ${token}` }),
    },
    profile: {
      from: 'perfil-user-es-fields',
      status: 200,
      body: ({ user: { id, name, email } }) => {
        const [nombre, apellido] = splitName(name);
        return { user: { idUsuario: id, nombre, apellido, correoElectronico: email, idUsuarioTipo: 3 } };
      },
    },
    loggedOut: { from: 'salir-ok-true', status: 200, body: () => ({ ok: true }) },
    wrongCredentials: {
      from: 'success-false-200-null-token',
      status: 200,
      body: ({ isUnknownEmail }) => ({
        success: false,
        message: isUnknownEmail ? 'El usuario no existe' : 'Usuario o clave incorrectos',
        token: null,
      }),
    },
    unauthenticated: {
      from: 'estado-datos-perfil-401',
      status: 401,
      body: () => ({ datos: { mensaje_error: 'No autorizado' }, codigoEstado: 401, estado: false }),
    },
    invalid: {
      from: 'express-validator-v7',
      status: 400,
      // The library also adds a `value`, omitted since it would echo a password.
      body: ({ problems }) => ({
        errors: problems.map(({ field, text: msg }) => ({ type: 'field', msg, path: field, location: 'body' })),
      }),
    },
    throttled: {
      from: 'express-rate-limit-text',
      status: 429,
      body: () => 'Too many requests, please try again later.',
      headers: ({ seconds: wait }) => ({
        ...html,
        'ratelimit-limit': '5',
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(wait),
        'retry-after': String(wait),
      }),
    },
    refused: { status: ({ status }) => status, body: ({ message }) => ({ success: false, message }) },
    failed: { status: 500, body: () => ({ success: false, message: 'Internal Server Error' }) },
  }),
};
