import type { ValidationRule } from '../../messages.ts';
import { createDialectRows, type DialectDefinition } from './dialect.ts';

/** The codes of our rules in its list of properties. */
const codes: Record<ValidationRule, string> = {
  required: 'VALIDATION_REQUIRED',
  string: 'VALIDATION_STRING',
  unstorable: 'VALIDATION_TEXT',
  'name-too-long': 'VALIDATION_LENGTH',
  'email-malformed': 'VALIDATION_EMAIL_FORMAT',
  'email-too-long': 'VALIDATION_LENGTH',
  'email-taken': 'VALIDATION_UNIQUE',
  'password-too-short': 'VALIDATION_LENGTH',
  'password-too-long': 'VALIDATION_LENGTH',
  'password-common': 'VALIDATION_PASSWORD',
  'not-repeated': 'VALIDATION_MATCH',
  incorrect: 'VALIDATION_MATCH',
};

export const nestjs: DialectDefinition = {
  help: 'NestJS: statusCode in the body, a bare user, validation as a list of properties',
  language: 'en',
  issuesTokenOnRegistration: false,
  rows: createDialectRows({
    registered: {
      from: 'nest-register-201-bare',
      status: 201,
      body: ({ user: { id, email } }) => ({ id, email, role: 'user' }),
    },
    loggedIn: {
      from: 'henry-login-200',
      status: 200,
      body: ({ token, user: { id, email } }) => ({
        message: '✅Login exitoso! Bienvenido',
        token,
        user: { id: String(id), email, role: 'user' },
      }),
    },
    profile: {
      from: 'nest-perfil-message-user',
      status: 200,
      body: ({ user: { id, email } }) => ({ message: 'Authenticated User', user: { id, email, role: 'user' } }),
    },
    // The file names no framework for it; a Nest handler that returns a text with a JSON type sends this.
    loggedOut: {
      from: 'json-string-salir',
      status: 200,
      body: () => '"Logged out"',
      headers: () => ({ 'content-type': 'application/json' }),
    },
    wrongCredentials: {
      from: 'henry-login-400-body401',
      status: 400,
      body: ({ isUnknownEmail }) => ({
        message: isUnknownEmail ? '❌Usuario no encontrado' : '❌Credenciales inválidas',
        error: 'Unauthorized',
        statusCode: 401,
      }),
    },
    unauthenticated: {
      from: 'nest-perfil-401',
      status: 401,
      body: () => ({ statusCode: 401, message: 'Access Denied! Invalid Token', error: 'Unauthorized' }),
    },
    invalid: {
      from: 'nest-property-array',
      status: 400,
      body: ({ problems, nowMs, path }) => ({
        success: false,
        statusCode: 400,
        message: 'Validation failed',
        errors: problems.map(({ field, rule, text: message }) => ({
          property: field,
          // Empty, since it would echo a password.
          value: '',
          code: codes[rule],
          message,
          context_message: message,
        })),
        timestamp: new Date(nowMs).toISOString(),
        path,
      }),
    },
    throttled: {
      from: 'nest-throttler-429',
      status: 429,
      body: () => ({ statusCode: 429, message: 'ThrottlerException: Too Many Requests' }),
      headers: ({ seconds: wait }) => ({
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(wait),
      }),
    },
    refused: {
      status: ({ status }) => status,
      body: ({ status, message }) => ({ statusCode: status, message }),
    },
    failed: { status: 500, body: () => ({ statusCode: 500, message: 'Internal server error' }) },
  }),
};
