import { byField, html, retryAfter, createDialectRows, splitName, type DialectDefinition } from './dialect.ts';

export const django: DialectDefinition = {
  help: 'Django REST framework: key, detail, non_field_errors',
  language: 'en',
  issuesTokenOnRegistration: true,
  rows: createDialectRows({
    registered: {
      from: 'drf-register-response',
      status: 200,
      body: ({ token, user: { name, email } }) => ({
        response: 'Registration Successful!',
        username: name,
        email,
        token,
      }),
    },
    loggedIn: { from: 'drf-login-200-key', status: 200, body: ({ token }) => ({ key: token }) },
    // The user serializer of dj-rest-auth, whose login returns `key` too.
    profile: {
      status: 200,
      body: ({ user: { id, name, email } }) => {
        const [first, last] = splitName(name);
        return { pk: id, username: name, email, first_name: first, last_name: last };
      },
    },
    loggedOut: { status: 200, body: () => ({ detail: 'Successfully logged out.' }) },
    wrongCredentials: {
      from: 'drf-login-400-non_field',
      status: 400,
      body: ({ isUnknownEmail }) => ({
        non_field_errors: [isUnknownEmail ? 'No user has this email.' : 'Unable to log in with provided credentials.'],
      }),
    },
    unauthenticated: {
      from: 'drf-perfil-401-detail',
      status: 401,
      body: () => ({ detail: 'Authentication credentials were not provided.' }),
      headers: () => ({ 'www-authenticate': 'Bearer realm="api"' }),
    },
    invalid: {
      from: 'drf-error-object',
      status: 400,
      body: ({ problems }) => ({
        error: {
          code: 'validation_error',
          message: 'Invalid input data',
          details: byField(problems, ({ rule, text: message }) =>
            rule === 'required' ? 'This field is required.' : message,
          ),
        },
      }),
    },
    // The `Throttled` exception of Django REST framework.
    throttled: {
      status: 429,
      body: ({ seconds: wait }) => ({
        detail: `Request was throttled. Expected available in ${wait} ${wait === 1 ? 'second' : 'seconds'}.`,
      }),
      headers: retryAfter,
    },
    refused: { status: ({ status }) => status, body: ({ message }) => ({ detail: message }) },
    // Django's own view of an error, when DEBUG is off.
    failed: {
      status: 500,
      body: () =>
        '<!doctype html>\n<html lang="en">\n<head>\n  <title>Server Error (500)</title>\n</head>\n<body>\n  <h1>Server Error (500)</h1><p></p>\n</body>\n</html>\n',
      headers: () => html,
    },
  }),
};
