import type { Field, Language, Rule } from '../messages.ts';
import type { OutcomeKind, Outcomes, Problem, ShownUser } from './outcomes.ts';

/** How one outcome is said. */
export type Row<Said> = {
  /**
   * The entry of `dialects.json` (answers of real servers) whose shape this is. Absent where the file has none of the
   * framework: then the shape is the framework's documented default, or follows from the dialect's other rows.
   */
  from?: string;
  status: number | ((said: Said) => number);
  /** A text is sent as it is, all else as JSON; nothing for an empty body. */
  body?: (said: Said) => unknown;
  /** `content-type` is JSON unless given. */
  headers?: (said: Said) => Record<string, string>;
};

/** What every row may use beside its outcome. */
type Moment = { nowMs: number; path: string };

type Rows = { [Kind in OutcomeKind]: Row<Outcomes[Kind] & Moment> };

/** A taken email is said as any other problem of a field, unless a server says it otherwise. */
const rowsOf = (rows: Omit<Rows, 'emailTaken'> & Partial<Pick<Rows, 'emailTaken'>>): Rows => ({
  emailTaken: rows.invalid,
  ...rows,
});

export type Dialect = {
  /** One line for people. */
  help: string;
  /** What it speaks, whatever it is asked for. */
  language: Language;
  /** It logs in whoever registers. */
  issuesTokenOnRegistration: boolean;
  rows: Rows;
};

const text = { 'content-type': 'text/html; charset=utf-8' };
const problem = { 'content-type': 'application/problem+json' };

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/** As Laravel writes instants: with microseconds. */
const laravelInstant = (iso: string): string => iso.replace('Z', '000Z');
/** As Java writes a LocalDateTime: without an offset. */
const localDateTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

const brief = ({ id, name, email }: ShownUser) => ({ id, name, email });

const laravelUser = (user: Outcomes['profile']['user']) => ({
  ...brief(user),
  email_verified_at: null,
  created_at: laravelInstant(user.created_at),
  updated_at: laravelInstant(user.updated_at),
});

/** The first word, and all after it. */
function split(name: string): [first: string, rest: string] {
  const at = name.indexOf(' ');
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)];
}

/** Fields in the order of the form, with all that is wrong with each. */
const byField = (problems: readonly Problem[], words = (each: Problem): string => each.text) => {
  const found: Partial<Record<Field, string[]>> = {};
  for (const each of problems) (found[each.field] ??= []).push(words(each));
  return found;
};

/** What class-validator, Bean Validation and pydantic call our rules, where the name is part of their shape. */
const ruleNames: Record<Rule, { nest: string; spring: string; pydantic: string }> = {
  required: { nest: 'VALIDATION_REQUIRED', spring: 'NotNull', pydantic: 'value_error.missing' },
  string: { nest: 'VALIDATION_STRING', spring: 'TypeMismatch', pydantic: 'type_error.str' },
  unstorable: { nest: 'VALIDATION_TEXT', spring: 'Pattern', pydantic: 'value_error.str.regex' },
  'name-too-long': { nest: 'VALIDATION_LENGTH', spring: 'Size', pydantic: 'value_error.any_str.max_length' },
  'email-malformed': { nest: 'VALIDATION_EMAIL_FORMAT', spring: 'Email', pydantic: 'value_error.email' },
  'email-too-long': { nest: 'VALIDATION_LENGTH', spring: 'Size', pydantic: 'value_error.any_str.max_length' },
  'email-taken': { nest: 'VALIDATION_UNIQUE', spring: 'Unique', pydantic: 'value_error' },
  'password-too-short': { nest: 'VALIDATION_LENGTH', spring: 'Size', pydantic: 'value_error.any_str.min_length' },
  'password-too-long': { nest: 'VALIDATION_LENGTH', spring: 'Size', pydantic: 'value_error.any_str.max_length' },
  'password-common': { nest: 'VALIDATION_PASSWORD', spring: 'Password', pydantic: 'value_error' },
  'not-repeated': { nest: 'VALIDATION_MATCH', spring: 'FieldMatch', pydantic: 'value_error' },
};

/** Laravel with Sanctum: plain tokens `id|opaque`, field errors as maps, wrong credentials as a field error. */
const sanctum: Dialect = {
  help: 'Laravel with Sanctum: access_token, 422 for wrong credentials',
  language: 'en',
  issuesTokenOnRegistration: true,
  rows: rowsOf({
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
        const said = isUnknownEmail ? 'The selected email is invalid.' : 'The provided credentials are incorrect.';
        return { message: said, errors: { email: [said] } };
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
    throttled: {
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
    },
    refused: { status: ({ status }) => status, body: ({ message }) => ({ message }) },
    failed: { status: 500, body: () => ({ message: 'Server Error' }) },
  }),
};

/** The Laravel tutorials in Spanish: `status` 0 or 1 and `msg`, HTTP 200 also for a failure, 0 also for a success. */
const tutorial: Dialect = {
  help: 'Spanish Laravel tutorials: status 0 or 1 and msg, HTTP 200 on failure too',
  language: 'es',
  issuesTokenOnRegistration: false,
  rows: rowsOf({
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
        // The tutorials do tell the two apart; here only the fault of that name does.
        msg: isUnknownEmail ? 'Usuario no registrado' : 'La contraseña es incorrecta',
      }),
    },
    unauthenticated: {
      from: 'perfil-200-no-token',
      status: 200,
      body: () => ({ status: 0, code: 403, msg: 'No token found' }),
    },
    invalid: { from: 'laravel-raw-validator-422', status: 422, body: ({ problems }) => byField(problems) },
    throttled: {
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
    },
    refused: { status: ({ status }) => status, body: ({ message }) => ({ status: 0, msg: message }) },
    failed: { status: 500, body: () => ({ status: 0, error: 'Error interno del servidor' }) },
  }),
};

/** Servers whose one flag is `error`, with HTTP 200 for what went wrong. */
const errorTrue: Dialect = {
  help: 'Spanish tutorials with one flag: HTTP 200 and error: true or false',
  language: 'es',
  issuesTokenOnRegistration: false,
  rows: rowsOf({
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
      headers: ({ seconds: wait }) => ({ 'retry-after': String(wait) }),
    },
    refused: { status: ({ status }) => status, body: ({ message }) => ({ error: true, message }) },
    failed: { status: 500, body: () => ({ error: true, message: 'Error interno' }) },
  }),
};

const express: Dialect = {
  help: 'Express: names in Spanish fields, a token that begins with "Bearer ", express-validator',
  language: 'en',
  issuesTokenOnRegistration: true,
  rows: rowsOf({
    registered: {
      from: 'hng-register-201',
      status: 201,
      body: ({ token, user: { id, name, email } }) => {
        const [firstName, lastName] = split(name);
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
        const [nombre, apellido] = split(name);
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
      // Without the `value` that the library adds: it would echo a password.
      body: ({ problems }) => ({
        errors: problems.map(({ field, text: msg }) => ({ type: 'field', msg, path: field, location: 'body' })),
      }),
    },
    throttled: {
      from: 'express-rate-limit-text',
      status: 429,
      body: () => 'Too many requests, please try again later.',
      headers: ({ seconds: wait }) => ({
        ...text,
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

const nestjs: Dialect = {
  help: 'NestJS: statusCode in the body, a bare user, validation as a list of properties',
  language: 'en',
  issuesTokenOnRegistration: false,
  rows: rowsOf({
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
    // Of no framework in the file, and what a Nest handler that returns a text with a JSON type sends.
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
          // Empty: it would echo a password.
          value: '',
          code: ruleNames[rule].nest,
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

const spring: Dialect = {
  help: 'Spring Boot: an envelope with data, problem+json, an empty 403 without a token',
  language: 'en',
  issuesTokenOnRegistration: false,
  rows: rowsOf({
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
        errors: problems.map(({ field, rule, text: message }) => ({ field, code: ruleNames[rule].spring, message })),
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

const django: Dialect = {
  help: 'Django REST framework: key, detail, non_field_errors',
  language: 'en',
  issuesTokenOnRegistration: true,
  rows: rowsOf({
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
    // The user serializer of dj-rest-auth, whose login answers `key` too.
    profile: {
      status: 200,
      body: ({ user: { id, name, email } }) => {
        const [first, last] = split(name);
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
          details: byField(problems, ({ rule, text: said }) =>
            rule === 'required' ? 'This field is required.' : said,
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
      headers: ({ seconds: wait }) => ({ 'retry-after': String(wait) }),
    },
    refused: { status: ({ status }) => status, body: ({ message }) => ({ detail: message }) },
    // Django's own view of an error, when DEBUG is off.
    failed: {
      status: 500,
      body: () =>
        '<!doctype html>\n<html lang="en">\n<head>\n  <title>Server Error (500)</title>\n</head>\n<body>\n  <h1>Server Error (500)</h1><p></p>\n</body>\n</html>\n',
      headers: () => text,
    },
  }),
};

/** Where the file has no entry, as in the security chapter of FastAPI's own tutorial. */
const fastapi: Dialect = {
  help: 'FastAPI: access_token, detail as a text or a list with loc',
  language: 'en',
  issuesTokenOnRegistration: false,
  rows: rowsOf({
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
        detail: problems.map(({ field, rule, text: said }) => ({
          loc: ['body', field],
          msg: rule === 'required' ? 'field required' : said,
          type: ruleNames[rule].pydantic,
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

export const dialects = {
  sanctum,
  tutorial,
  'error-true': errorTrue,
  express,
  nestjs,
  spring,
  django,
  fastapi,
} as const;

export type DialectName = keyof typeof dialects;

export const isDialectName = (name: string): name is DialectName => Object.hasOwn(dialects, name);

export type Said = { status: number; headers: Record<string, string>; text: string };

/** One row with its outcome, ready to be sent. `extras` go into a body that is an object. */
export function say<Kind extends OutcomeKind>(
  { rows }: Dialect,
  kind: Kind,
  said: Outcomes[Kind] & Moment,
  extras: Record<string, string>,
): Said {
  const { status, body, headers } = rows[kind];
  const value = body?.(said) ?? '';
  const isText = typeof value === 'string';
  const isObject = typeof value === 'object' && !Array.isArray(value);
  return {
    status: typeof status === 'number' ? status : status(said),
    headers: { ...(!isText && { 'content-type': 'application/json' }), ...headers?.(said) },
    text: isText ? value : JSON.stringify(isObject ? { ...value, ...extras } : value),
  };
}
