import type { ValidationRule } from '../../messages.ts';
import { brief, createDialectRows, type DialectDefinition } from './dialect.ts';

const problem = { 'content-type': 'application/problem+json' };

/** Java writes a LocalDateTime without an offset. */
const localDateTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/** Bean Validation's names of our rules. */
const constraints: Record<ValidationRule, string> = {
  required: 'NotNull',
  string: 'TypeMismatch',
  unstorable: 'Pattern',
  'name-too-long': 'Size',
  'email-malformed': 'Email',
  'email-too-long': 'Size',
  'email-taken': 'Unique',
  'password-too-short': 'Size',
  'password-too-long': 'Size',
  'password-common': 'Password',
  'not-repeated': 'FieldMatch',
  incorrect: 'FieldMatch',
};

export const spring: DialectDefinition = {
  help: 'Spring Boot: an envelope with data, problem+json, an empty 403 without a token',
  language: 'en',
  issuesTokenOnRegistration: false,
  rows: createDialectRows({
    registered: {
      from: 'spring-envelope-register',
      status: 201,
      body: ({ user, nowMs }) => ({
        statusCode: 201,
        success: true,
        message: 'User registered successfully',
        data: { ...brief(user), provider: 'LOCAL', createdAt: user.created_at.slice(0, 19) },
        timestamp: localDateTime(nowMs),
      }),
    },
    loggedIn: {
      from: 'spring-errors-null',
      status: 200,
      body: ({ token, user: { id, name, email }, expiresAt, nowMs }) => ({
        success: true,
        message: 'ok',
        data: {
          user: { userId: id, username: name, email },
          token,
          tokenType: 'Bearer',
          expiresAt,
          expiresInMinutes: Math.floor((Date.parse(expiresAt) - nowMs) / 60_000),
        },
        errors: null,
      }),
    },
    profile: {
      status: 200,
      body: ({ user, nowMs }) => ({
        statusCode: 200,
        success: true,
        message: 'User found',
        data: { ...brief(user), provider: 'LOCAL', createdAt: user.created_at.slice(0, 19) },
        timestamp: localDateTime(nowMs),
      }),
    },
    loggedOut: {
      status: 200,
      body: ({ nowMs }) => ({
        statusCode: 200,
        success: true,
        message: 'Logged out successfully',
        data: null,
        timestamp: localDateTime(nowMs),
      }),
    },
    wrongCredentials: {
      from: 'spring-problem-401',
      status: 401,
      body: ({ isUnknownEmail }) => ({
        type: 'about:blank',
        title: 'Unauthorized',
        status: 401,
        detail: isUnknownEmail ? 'User not found' : 'Bad credentials',
        description: isUnknownEmail ? 'No user has this email' : 'The username or password is incorrect',
      }),
      headers: () => problem,
    },
    unauthenticated: { from: 'spring-security-403-empty', status: 403 },
    invalid: {
      from: 'spring-field-array',
      status: 400,
      body: ({ problems, nowMs, path }) => ({
        status: 400,
        error: 'Bad Request',
        message: 'Request body contains invalid attributes',
        timestamp: new Date(nowMs).toISOString(),
        path,
        errors: problems.map(({ field, rule, text: message }) => ({ field, code: constraints[rule], message })),
      }),
    },
    throttled: {
      status: 429,
      body: () => ({ type: 'about:blank', title: 'Too Many Requests', status: 429, detail: 'Too many attempts' }),
      headers: ({ seconds: wait }) => ({ ...problem, 'retry-after': String(wait) }),
    },
    refused: {
      status: ({ status }) => status,
      body: ({ status, message }) => ({ type: 'about:blank', title: 'Bad Request', status, detail: message }),
      headers: () => problem,
    },
    failed: {
      status: 500,
      body: ({ nowMs, path }) => ({
        timestamp: new Date(nowMs).toISOString(),
        status: 500,
        error: 'Internal Server Error',
        path,
      }),
    },
  }),
};
