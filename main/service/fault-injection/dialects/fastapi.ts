import type { ValidationRule } from '../../messages.ts';
import { brief, createDialectRows, type DialectDefinition } from './dialect.ts';

/** Pydantic's names of our rules. */
const types: Record<ValidationRule, string> = {
  required: 'value_error.missing',
  string: 'type_error.str',
  unstorable: 'value_error.str.regex',
  'name-too-long': 'value_error.any_str.max_length',
  'email-malformed': 'value_error.email',
  'email-too-long': 'value_error.any_str.max_length',
  'email-taken': 'value_error',
  'password-too-short': 'value_error.any_str.min_length',
  'password-too-long': 'value_error.any_str.max_length',
  'password-common': 'value_error',
  'not-repeated': 'value_error',
  incorrect: 'value_error',
};

/** Rows without an entry in the file are those of the security chapter of FastAPI's own tutorial. */
export const fastapi: DialectDefinition = {
  help: 'FastAPI: access_token, detail as a text or a list with loc',
  language: 'en',
  issuesTokenOnRegistration: false,
  rows: createDialectRows({
    registered: { status: 201, body: ({ user }) => ({ ...brief(user), is_active: true }) },
    loggedIn: { status: 200, body: ({ token }) => ({ access_token: token, token_type: 'bearer' }) },
    profile: { status: 200, body: ({ user }) => ({ ...brief(user), is_active: true }) },
    loggedOut: { status: 200, body: () => ({ message: 'Successfully logged out' }) },
    wrongCredentials: {
      from: 'status-failed-200',
      status: 200,
      body: ({ isUnknownEmail }) => ({
        status: 'failed',
        id: 'None',
        message: isUnknownEmail ? 'User not found.' : 'Failed to authenticate.',
      }),
    },
    unauthenticated: {
      from: 'fastapi-token-401',
      status: 401,
      body: () => ({ detail: 'Could not validate credentials', status_code: 401 }),
    },
    invalid: {
      from: 'fastapi-register-422',
      status: 422,
      body: ({ problems }) => ({
        detail: problems.map(({ field, rule, text: message }) => ({
          loc: ['body', field],
          msg: rule === 'required' ? 'field required' : message,
          type: types[rule],
        })),
      }),
    },
    emailTaken: { from: 'fastapi-register-400', status: 400, body: () => ({ detail: 'Email already registered' }) },
    throttled: { from: 'slowapi-429', status: 429, body: () => ({ error: 'Rate limit exceeded: 5 per 1 minute' }) },
    refused: { status: ({ status }) => status, body: ({ message }) => ({ detail: message }) },
    // Starlette's text.
    failed: {
      status: 500,
      body: () => 'Internal Server Error',
      headers: () => ({ 'content-type': 'text/plain; charset=utf-8' }),
    },
  }),
};
