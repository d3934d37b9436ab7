import { describe, expect, it } from 'vitest';
import { readDescription } from '../../../main/interface/read-description.ts';
import { found } from './look.ts';

type Schema = { readonly [key: string]: unknown };

const text = { type: 'string' };
const email = { type: 'string', format: 'email' };
const object = (properties: Schema, required?: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required && { required }),
});
const who = object({ email, password: text }, ['email', 'password']);
const takes = (schema: Schema, type = 'application/json') => ({ requestBody: { content: { [type]: { schema } } } });
const gives = (schema: Schema, more: Schema = {}) => ({
  responses: { 200: { content: { 'application/json': { schema } }, ...more } },
});
const bearer = { session: { type: 'http', scheme: 'bearer' } };
const inside = { security: [{ session: [] }] };

/** A document of the operations, each under its method and path. */
const documentOf = (operations: Schema, schemes: Schema = bearer, more: Schema = {}): string => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [place, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = place.split(' ');
    (paths[path] ??= {})[method] = operation;
  }
  const servers = [{ url: 'https://x.test' }];
  return JSON.stringify({
    openapi: '3.0.3',
    info: {},
    servers,
    paths,
    components: { securitySchemes: schemes },
    ...more,
  });
};

const guessesOf = ({ parts }: Awaited<ReturnType<typeof found>>) =>
  Object.fromEntries(parts.flatMap(({ at, is, why }) => (is === 'sure' ? [] : [[at, why]])));

describe('the body of a log-in is what its schema requires', () => {
  const entered = { email: '{{email}}', password: '{{password}}' };
  it.for([
    [
      'nothing optional',
      object({ email, password: text, remember: text, otp: text, a: text, b: text, c: text, d: text, e: text }, [
        'email',
        'password',
      ]),
      entered,
      {},
    ],
    [
      'no example',
      object({ email, password: text, mode: { type: 'string', example: 'json' } }, ['email', 'password']),
      entered,
      {},
    ],
    [
      'a constant',
      object({ email, password: text, kind: { const: 'web' } }, ['email', 'password', 'kind']),
      { ...entered, kind: 'web' },
      {},
    ],
    [
      'a value of one',
      object({ email, password: text, kind: { enum: ['web'] } }, ['email', 'password', 'kind']),
      { ...entered, kind: 'web' },
      {},
    ],
    [
      'a usual value of what is required',
      object({ email, password: text, kind: { type: 'string', enum: ['a', 'b'], default: 'b' } }, [
        'email',
        'password',
        'kind',
      ]),
      { ...entered, kind: 'b' },
      {},
    ],
    [
      'no usual value of what is optional',
      object({ email, password: text, kind: { type: 'string', default: 'b' } }, ['email', 'password']),
      entered,
      {},
    ],
    [
      'what nobody knows is asked for',
      object({ email, password: text, tenant: text }, ['email', 'password', 'tenant']),
      { ...entered, tenant: '{{tenant}}' },
      { 'variables.tenant': 'no-value' },
    ],
    [
      'one of several values is asked for',
      object({ email, password: text, role: { enum: ['UNSPECIFIED', 'USER'] } }, ['email', 'password', 'role']),
      { ...entered, role: '{{role}}' },
      { 'variables.role': 'no-value' },
    ],
    [
      'a schema that says nothing of it',
      object({ email, password: text, code: text, device: text }),
      entered,
      { 'calls.login.body': 'schema-silent' },
    ],
    ['a schema that says nothing, and has no more', object({ email, password: text }), entered, {}],
    [
      'both lists of what all of them add',
      { allOf: [object({ email }, ['email']), object({ password: text, note: text }, ['password'])] },
      entered,
      {},
    ],
    [
      'who is said to be optional',
      object({ email, username: text, password: text }, ['password']),
      entered,
      { 'calls.login.body.email': 'schema-silent' },
    ],
    [
      'the choice with who and a password',
      { oneOf: [object({ provider: text, code: text }, ['provider', 'code']), who] },
      entered,
      {},
    ],
    [
      'that choice within one',
      { anyOf: [object({ phone: text }, ['phone']), { oneOf: [object({ token: text }, ['token']), who] }] },
      entered,
      {},
    ],
    [
      'that choice within a member',
      object({ credentials: { oneOf: [object({ token: text }, ['token']), who] } }, ['credentials']),
      { credentials: entered },
      {},
    ],
    [
      'choices of what is required',
      {
        ...object({ email, phone: text, password: text }),
        anyOf: [{ required: ['phone', 'password'] }, { required: ['email', 'password'] }],
      },
      entered,
      {},
    ],
    [
      'a member that may be nothing',
      object({ email, password: { anyOf: [text, { type: 'null' }] } }, ['email', 'password']),
      entered,
      {},
    ],
    [
      'what only answers have',
      object({ email, password: text, id: { type: 'integer', readOnly: true } }, ['email', 'password', 'id']),
      entered,
      {},
    ],
    [
      'the grant that RFC 6749 says',
      object({ grant_type: text, username: text, password: text }, ['grant_type', 'username', 'password']),
      { grant_type: 'password', username: '{{username}}', password: '{{password}}' },
      { 'calls.login.body.username': 'by-name' },
    ],
    [
      'members of its own',
      object({ user: object({ email, password: text }, ['email', 'password']) }, ['user']),
      { user: entered },
      {},
    ],
    [
      'a password by its format',
      object({ email, secretWord: { type: 'string', format: 'password' } }, ['email', 'secretWord']),
      { email: '{{email}}', secretWord: '{{password}}' },
      { 'calls.login.body.secretWord': 'by-name' },
    ],
    [
      'a value that is to be agreed to',
      object({ email, password: text, remember: { type: 'boolean' } }, ['email', 'password', 'remember']),
      { ...entered, remember: false },
      { 'calls.login.body.remember': 'usual' },
    ],
  ] as const)('%s', async ([, schema, body, guesses]) => {
    const finding = await found(
      documentOf({ 'post /login': { ...takes(schema), ...gives(object({ token: text })) }, 'get /me': inside }),
    );
    expect(finding.draft.calls.login?.body).toEqual(body);
    expect(guessesOf(finding)).toEqual(guesses);
    expect(readDescription(JSON.stringify(finding.draft))).toMatchObject({ ok: true });
  });

  it.for(['application/x-www-form-urlencoded', 'multipart/form-data'])('of %s, too', async (type) => {
    const schema = object({ email, password: text, scope: text, client_secret: { format: 'password' } }, [
      'email',
      'password',
    ]);
    const { draft } = await found(documentOf({ 'post /login': takes(schema, type), 'get /me': inside }));
    expect(draft).toMatchObject({ encoding: 'form', calls: { login: { body: entered } } });
    expect(draft.variables).toEqual({});
  });

  it('of Swagger 2 in its body, and among its parameters', async () => {
    const me = { get: { responses: {} } };
    const inBody = [
      { in: 'body', name: 'body', schema: object({ email: text, password: text, note: text }, ['email', 'password']) },
    ];
    const inForm = ['email', 'password', 'note'].map((name) => ({
      in: 'formData',
      name,
      type: 'string',
      required: name !== 'note',
    }));
    for (const parameters of [inBody, inForm]) {
      const paths = { '/login': { post: { parameters, responses: {} } }, '/me': me };
      const { draft, parts } = await found(
        JSON.stringify({ swagger: '2.0', host: 'x.test', schemes: ['https'], paths }),
      );
      expect(draft.calls.login?.body).toEqual(entered);
      expect(parts).toContainEqual({ at: 'calls.login', is: 'sure' });
    }
  });

  it('and its required query, of which a log-in and a renewal have their own', async () => {
    const parameters = [
      { in: 'query', name: 'grant_type', required: true, schema: { enum: ['pkce', 'password', 'refresh_token'] } },
    ];
    const optional = { in: 'query', name: 'debug', schema: { default: 'x' } };
    const schema = object({ refresh_token: text, password: text, email: text, phone: text, id_token: text });
    const finding = await found(
      documentOf({ 'post /token': { parameters: [...parameters, optional], ...takes(schema) }, 'get /user': inside }),
    );
    expect(finding.draft.calls).toMatchObject({
      login: { path: '/token?grant_type=password', body: entered },
      refresh: { path: '/token?grant_type=refresh_token', body: { refresh_token: '{{refreshToken}}' } },
    });
    expect(Object.keys(finding.draft.calls.refresh?.body ?? {})).toEqual(['refresh_token']);
  });
});

describe('the body of a registration is what its schema requires', () => {
  const login = { ...takes(who), ...gives(object({ token: text })) };
  const named = { username: '{{username}}', email: '{{email}}', password: '{{password}}' };
  it.for([
    [
      'no example is anybody',
      object(
        {
          email,
          password: text,
          lastName: { type: 'string', example: 'Smith' },
          channel: { enum: ['sms', 'whatsapp'] },
          verification_url: text,
        },
        ['email', 'password'],
      ),
      { email: '{{email}}', password: '{{password}}' },
    ],
    [
      'a user name beside an email',
      object({ username: text, email, password: text }, ['username', 'email', 'password']),
      named,
    ],
    [
      'one of JHipster',
      object({ login: text, email: text, password: text, langKey: text }, ['login', 'email', 'password']),
      { login: '{{username}}', email: '{{email}}', password: '{{password}}' },
    ],
    [
      'a repetition',
      object({ email, password: text, re_password: text }, ['email', 'password', 're_password']),
      { email: '{{email}}', password: '{{password}}', re_password: '{{cpassword}}' },
    ],
    [
      'flags and notes about a password',
      object({
        email,
        password: text,
        passwordChangeReason: text,
        sendSetPasswordEmail: { type: 'boolean' },
        breachedPasswordStatus: text,
        password_hint: text,
      }),
      { email: '{{email}}', password: '{{password}}' },
    ],
    [
      'people around the one who registers',
      object({ email, password: text, team: object({ owner: object({ name: text, email }) }), name: text }),
      { name: '{{name}}', email: '{{email}}', password: '{{password}}' },
    ],
    [
      'a role that nobody chose',
      object({ email, password: text, role: { enum: ['ROLE_UNSPECIFIED', 'USER'] } }, ['email', 'password']),
      { email: '{{email}}', password: '{{password}}' },
    ],
    [
      'terms',
      object({ email, password: text, acceptTerms: { type: 'boolean' } }, ['email', 'password', 'acceptTerms']),
      { email: '{{email}}', password: '{{password}}', acceptTerms: true },
    ],
    [
      'an email that the log-in needs',
      object({ username: text, email, password: text }, ['username', 'password']),
      named,
    ],
  ] as const)('%s', async ([, schema, body]) => {
    const { draft } = await found(
      documentOf({ 'post /login': login, 'post /register': takes(schema), 'get /me': inside }),
    );
    expect(draft.calls.register).toMatchObject({ body });
    expect(Object.keys((draft.calls.register as { body: object }).body)).toHaveLength(Object.keys(body).length);
  });
});

describe('the credential is what the operations need', () => {
  const me = (security: unknown) => ({ security });
  const key = { type: 'apiKey', in: 'header', name: 'apikey' };
  const login = (security?: unknown) => ({ ...takes(who), ...(security !== undefined && { security }) });
  it.for([
    [
      'what the log-in needs, too, is a fixed header',
      { key, ...bearer },
      login([{ key: [] }]),
      [{ key: [], session: [] }],
      { security: { type: 'http', scheme: 'Bearer' }, headers: { apikey: '{{apikey}}' } },
    ],
    [
      'the bearer of several, whatever their order',
      { a: { type: 'apiKey', in: 'header', name: 'X-Api-Key' }, ...bearer },
      login([]),
      [{ a: [] }, { session: [] }],
      { security: { type: 'http', scheme: 'Bearer' }, headers: {} },
    ],
    [
      'what is needed beside it',
      { tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant' }, ...bearer },
      login(),
      [{ tenant: [], session: [] }],
      { security: { type: 'http', scheme: 'Bearer' }, headers: { 'X-Tenant': '{{XTenant}}' } },
    ],
    [
      'a way of which a part cannot be sent does not count',
      { basic: { type: 'http', scheme: 'basic' }, key: { type: 'apiKey', in: 'header', name: 'X-Session-Token' } },
      login([]),
      [{ basic: [] }, { key: [] }],
      { security: { type: 'apiKey', in: 'header', name: 'X-Session-Token' } },
    ],
    [
      'another scheme by its own name',
      { session: { type: 'http', scheme: 'JWT' } },
      login([]),
      [{ session: [] }],
      { security: { type: 'http', scheme: 'JWT' } },
    ],
    [
      'two headers of one session',
      {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
        user: { type: 'apiKey', in: 'header', name: 'X-User-Id' },
      },
      login([]),
      [{ token: [], user: [] }],
      { security: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' }, headers: { 'X-User-Id': '{{userId}}' } },
    ],
  ] as const)('%s', async ([, schemes, post, security, expected]) => {
    const { draft } = await found(documentOf({ 'post /login': post, 'get /me': me(security) }, schemes));
    expect(draft).toMatchObject(expected);
    expect(readDescription(JSON.stringify(draft))).toMatchObject({ ok: true });
  });

  it('that of the document counts where an operation says nothing', async () => {
    const operations = { 'post /login': takes(who), 'get /me': {} };
    const { draft, parts } = await found(documentOf(operations, bearer, { security: [{ session: [] }] }));
    expect(draft).toMatchObject({ security: { type: 'http', scheme: 'Bearer' }, headers: {} });
    expect(parts).toContainEqual({ at: 'security', is: 'sure' });
  });

  it.for([
    ['Please insert JWT with Bearer into field', 'Bearer', 'prose'],
    ['JWT Authorization header using the Bearer scheme.', 'Bearer', 'prose'],
    ['JWT Authorization header using the Bearer scheme. Example: "Authorization: Bearer {token}"', 'Bearer', 'prose'],
    ["Enter 'Bearer' [space] and then your token. Example: 'Bearer 12345abcdef'", 'Bearer', 'prose'],
    ['A JWT token is made. The following format must be in the header: Token xxxxxx.yyyyyyy.zzzzzz', 'Token', 'prose'],
    ['Use the form `Token <token>`', 'Token', 'prose'],
    ['Format: JWT {your access token}', 'JWT', 'prose'],
    ['Authorization: "Api-Token {key}"', 'Api-Token', 'prose'],
    ['Value of the token scheme: prefix it', 'token', 'prose'],
    ['The header of a session. It is the JWT of the log-in.', 'Bearer', 'usual'],
    ['', 'Bearer', 'usual'],
  ] as const)('by the words about its header: %s', async ([description, scheme, why]) => {
    const session = { type: 'apiKey', in: 'header', name: 'Authorization', description };
    const { draft, parts } = await found(documentOf({ 'post /login': takes(who), 'get /me': inside }, { session }));
    expect(draft.security).toEqual({ type: 'http', scheme });
    expect(parts.find(({ at }) => at === 'security')).toMatchObject({ is: 'guess', why });
  });

  it('says no secret of the sentence that it is read out of', async () => {
    const session = {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'Token a8Zq91LmXw27bNc45TyUi3 here: Bearer {token}',
    };
    const { parts } = await found(documentOf({ 'post /login': takes(who), 'get /me': inside }, { session }));
    expect(parts.find(({ at }) => at === 'security')?.detail).toBe('Token … here: Bearer {token}');
  });

  it('is where the answer to the log-in has it', async () => {
    const cookie = {
      headers: { 'Set-Cookie': { schema: { type: 'string', example: 'JSESSIONID=abcde12345; Path=/; HttpOnly' } } },
    };
    const byCookie = { ...takes(who), responses: { 200: cookie } };
    expect((await found(documentOf({ 'post /login': byCookie, 'get /me': {} }))).draft.security).toEqual({
      type: 'apiKey',
      in: 'cookie',
      name: 'JSESSIONID',
    });
    const header = { headers: { 'X-Auth-Token': { schema: text } } };
    const schemes = { session: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' } };
    const { draft } = await found(
      documentOf({ 'post /login': { ...takes(who), responses: { 200: header } }, 'get /me': inside }, schemes),
    );
    expect(draft.outputs).toEqual({ token: '$response.header.X-Auth-Token' });
    const deep = object({ data: object({ access_token: text, refresh: object({ token: text }) }) });
    const inBody = { ...takes(who), ...gives(deep) };
    expect((await found(documentOf({ 'post /login': inBody, 'get /me': inside }))).draft.outputs).toEqual({
      token: '$response.body#/data/access_token',
      refreshToken: '$response.body#/data/refresh/token',
    });
  });
});

it('of a document whose schemas name themselves over and over comes an answer in bounded work', async () => {
  const own = { $ref: '#/components/schemas/A' };
  const A = {
    allOf: Array.from({ length: 12 }, () => own),
    properties: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, own])),
  };
  const finding = await found(
    JSON.stringify({
      openapi: '3.1.0',
      servers: [{ url: 'https://x.test' }],
      paths: { '/login': { post: { ...takes(who), ...gives(own) } }, '/me': { get: { ...gives(own) } } },
      components: { schemas: { A } },
    }),
  );
  expect(finding.draft.calls.login?.body).toEqual({ email: '{{email}}', password: '{{password}}' });
});
