import { describe, expect, it } from 'vitest';
import { ownInterface } from '../../../main/interface/shipped.ts';
import { readDescription } from '../../../main/interface/read-description.ts';
import { secretsOf } from '../../../main/interface/held-values.ts';
import { Wire } from '../../../main/interface/wire.ts';

/** A wire to a server by a description that is written here. */
function wireOf(description: object, variables: Record<string, string> = {}): Wire {
  const read = readDescription(JSON.stringify(description));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return new Wire(read.description, 'https://api.example.test/app', variables);
}

const people = { name: 'Ana', email: 'ana@example.test', password: 'p|ñ 漢', cpassword: 'p|ñ 漢' };
const { name, email, password } = people;
const login = { path: '/login', body: { email: '{{email}}', password: '{{password}}' } };
const profile = { path: '/me' };

describe("the interface's own five requests", () => {
  const wire = new Wire(ownInterface, 'https://api.example.test/app');
  const credential = { token: '12|opaque' };
  const json = [
    ['Accept', 'application/json'],
    ['Content-Type', 'application/json'],
  ];
  const bearer = [
    ['Accept', 'application/json'],
    ['Authorization', 'Bearer 12|opaque'],
  ];
  const at = 'https://api.example.test/app/api/v1/auth';

  it.each([
    [
      'registro',
      { fields: { name, email, password } },
      'POST',
      json,
      `{"name":"Ana","email":"ana@example.test","password":"p|ñ 漢"}`,
    ],
    [
      'register',
      { fields: people },
      'POST',
      json,
      `{"name":"Ana","email":"ana@example.test","password":"p|ñ 漢","cpassword":"p|ñ 漢"}`,
    ],
    ['login', { fields: { email, password } }, 'POST', json, `{"email":"ana@example.test","password":"p|ñ 漢"}`],
    ['perfil', { credential }, 'GET', bearer, undefined],
    ['salir', { credential }, 'POST', bearer, undefined],
  ] as const)('%s', (operation, said, method, headers, body) => {
    expect(wire.request(operation, said)).toEqual({ method, url: `${at}/${operation}`, headers, body });
    expect(wire.callOf(method, `${at}/${operation}`)).toBe(operation);
  });

  it('go out as they are given, so that the contract run can send what no form would', () => {
    const fields = { password, email: 7, extra: [null] };
    expect(wire.request('registro', { fields }).body).toBe(`{"password":"p|ñ 漢","email":7,"extra":[null]}`);
    expect(wire.request('login', { fields: '{"email":' }).body).toBe('{"email":');
    const head = wire.request('perfil', { credential, scheme: 'bearer', withoutAccept: true, path: wire.beside('x') });
    expect(head).toMatchObject({ url: `${at}/x`, headers: [['Authorization', 'bearer 12|opaque']] });
  });
});

describe('a template', () => {
  const wire = wireOf({
    name: 'x',
    calls: {
      register: {
        path: '/users',
        body: {
          username: '{{email}}',
          email: '{{email}}',
          data: { name: '{{name}}' },
          kind: 'app',
          said: 'for {{name}}',
        },
      },
      login: { ...login, path: '/token?grant_type=password', encoding: 'form' },
      profile,
    },
  });

  it('gives a value its own type, and a member goes where there is no value', () => {
    expect(
      JSON.parse(wire.request('registro', { fields: { email: 7, name, cpassword: password, role: 'admin' } }).body!),
    ).toEqual({
      username: 7,
      email: 7,
      data: { name },
      kind: 'app',
      said: 'for Ana',
      role: 'admin',
    });
    expect(JSON.parse(wire.request('registro', { fields: { email } }).body!)).toEqual({
      username: email,
      email,
      kind: 'app',
    });
  });

  it('of plain names takes no field of the forms that it does not have', () => {
    const body = { username: '{{username}}', password: '{{password}}' };
    const plain = wireOf({
      name: 'x',
      calls: { register: { path: '/users', body }, login: { ...login, body }, profile },
    });
    const fields = { name, email, password, cpassword: password, role: 'admin' };
    expect(JSON.parse(plain.request('registro', { fields }).body!)).toEqual({
      username: 'ana',
      password,
      role: 'admin',
    });
    expect(JSON.parse(plain.request('login', { fields: { email, password } }).body!)).toEqual({
      username: 'ana',
      password,
    });
  });

  it('is read backwards for what stands in for a server', () => {
    const { body = '' } = wire.request('registro', { fields: { email, name } });
    expect(wire.fieldsOf('registro', 'application/json', body)).toEqual({ email, name, username: email });
    const form = wire.request('login', { fields: { email, password } });
    expect(form.headers).toContainEqual(['Content-Type', 'application/x-www-form-urlencoded']);
    expect(wire.fieldsOf('login', 'application/x-www-form-urlencoded', form.body!)).toEqual({ email, password });
    expect(wire.fieldsOf('login', 'application/json', '[]')).toBeUndefined();
  });

  it('tells a call by the query that its path names', () => {
    expect(wire.callOf('POST', '/token?x=1&grant_type=password')).toBe('login');
    expect(wire.callOf('POST', '/token?grant_type=refresh_token')).toBeUndefined();
    expect(wire.callOf('GET', '/users')).toBeUndefined();
  });
});

describe('what a session is kept by', () => {
  it('is what the answers of registering and logging in hold, and what the head of any answer turns', () => {
    const wire = wireOf({
      name: 'x',
      calls: { login, profile, logout: { path: '/out', body: { refresh_token: '{{refreshToken}}' } } },
      headers: { uid: '{{uid}}' },
      outputs: {
        token: '$response.body#/data/0/access~1token',
        refreshToken: '$response.body#/refresh',
        uid: '$response.header.Uid',
      },
    });
    expect(wire.places).toEqual({ token: 'data[0].access/token' });
    const body = JSON.stringify({ data: [{ 'access/token': 'one' }], refresh: 'two' });
    const held = wire.after('login', { status: 200, rawHeaders: [['uid', 'u1']], body }, {});
    expect(held).toEqual({ token: 'one', outputs: { refreshToken: 'two', uid: 'u1' } });
    expect(wire.request('salir', { credential: held })).toMatchObject({
      headers: [
        ['Accept', 'application/json'],
        ['Content-Type', 'application/json'],
        ['Authorization', 'Bearer one'],
        ['uid', 'u1'],
      ],
      body: '{"refresh_token":"two"}',
    });
    const turned = wire.after(
      'perfil',
      {
        status: 200,
        rawHeaders: [
          ['Uid', ' '],
          ['UID', 'u2'],
        ],
        body,
      },
      held,
    );
    expect(turned).toEqual({ token: 'one', outputs: { refreshToken: 'two', uid: 'u2' } });
    expect(wire.after('perfil', { status: 200, rawHeaders: [['uid', ' ']], body: '{}' }, held)).toEqual(held);
    expect(wire.after('login', { status: 401, rawHeaders: [], body }, {})).toEqual({});
  });

  it('is secret but for what the person typed, as long as the server says the same', () => {
    const wire = wireOf({
      name: 'x',
      calls: { login, profile },
      headers: { uid: '{{uid}}', client: '{{client}}' },
      outputs: { uid: '$response.header.uid', client: '$response.header.client', refreshToken: '$response.body#/r' },
    });
    const answer = (uid: string, body = '') => ({
      status: 200,
      rawHeaders: [['uid', uid] as const, ['client', 'c1'] as const],
      body,
    });
    const fields = { email: 'Ana@Example.test ', password: 'p1' };
    const held = wire.after('login', answer('ana@example.test', '{"r":"p1"}'), { token: 't1' }, { fields });
    expect(held.typed).toEqual(['uid']);
    expect(secretsOf(held)).toEqual(['t1', 'c1', 'p1']);
    const again = wire.after('perfil', answer('ana@example.test'), held);
    expect(again).toEqual(held);
    expect(secretsOf(wire.after('perfil', answer('u-4711'), held))).toEqual(['t1', 'u-4711', 'c1', 'p1']);
    expect(wire.after('login', answer('ana@example.test'), {}, { fields: '{"email":"ana@example.test"}' }).typed).toBe(
      undefined,
    );
  });

  it('is the whole answer where the description says so', () => {
    const wire = wireOf({ name: 'x', calls: { login, profile }, outputs: { token: '$response.body' } });
    expect(wire.after('login', { status: 200, rawHeaders: [], body: '3|abc' }, {})).toEqual({ token: '3|abc' });
    expect(wire.after('login', { status: 200, rawHeaders: [], body: '"3|abc"' }, {})).toEqual({ token: '3|abc' });
  });

  it('is the cookies that the description names, with the header against forged requests', () => {
    const wire = wireOf({
      name: 'x',
      calls: { login, profile },
      security: { type: 'apiKey', in: 'cookie', name: '*_session' },
      csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN', from: '/csrf' },
    });
    expect(wire.before('login', {})).toMatchObject({ method: 'GET', url: 'https://api.example.test/app/csrf' });
    const rawHeaders = [
      ['Set-Cookie', 'XSRF-TOKEN=a%3D%3D; Path=/'],
      ['set-cookie', '__Secure-app_session=s=1; Secure; HttpOnly'],
      ['Set-Cookie', 'tracker=1'],
    ] as const;
    const held = wire.after('login', { status: 204, rawHeaders, body: '' }, {});
    expect(held).toEqual({ token: 's=1', cookies: { 'XSRF-TOKEN': 'a%3D%3D', '__Secure-app_session': 's=1' } });
    expect(wire.before('login', held)).toBeUndefined();
    expect(wire.request('login', { credential: held, fields: { email } }).headers).toEqual([
      ['Accept', 'application/json'],
      ['Content-Type', 'application/json'],
      ['Cookie', 'XSRF-TOKEN=a%3D%3D; __Secure-app_session=s=1'],
      ['X-XSRF-TOKEN', 'a=='],
    ]);
    expect(wire.request('perfil', { credential: held }).headers).not.toContainEqual(['X-XSRF-TOKEN', 'a==']);
    const gone = wire.after(
      'perfil',
      { status: 200, rawHeaders: [['Set-Cookie', '__Secure-app_session=x; Max-Age=0']], body: '' },
      held,
    );
    expect(gone).toEqual({ cookies: { 'XSRF-TOKEN': 'a%3D%3D' } });
  });
});

it.each([
  ['XSRF-TOKEN', '__Host-XSRF-TOKEN'],
  ['my-*', 'my-tok'],
])('finds the cookie against forged requests that %s names as it was set, %s', (cookie, set) => {
  const security = { type: 'apiKey', in: 'cookie', name: 'session' };
  const csrf = { cookie, header: 'X-XSRF-TOKEN', from: '/csrf' };
  const wire = wireOf({ name: 'x', calls: { login, profile }, security, csrf });
  const rawHeaders = [['Set-Cookie', `${set}=abc; Secure; Path=/`]] as const;
  const held = wire.after('csrf', { status: 204, rawHeaders, body: '' }, {});
  expect(wire.before('login', held)).toBeUndefined();
  expect(wire.request('login', { credential: held }).headers).toContainEqual(['X-XSRF-TOKEN', 'abc']);
});

it('tells an answer without a session by its status, and by its body where the description names one', () => {
  const wire = wireOf({
    name: 'x',
    calls: { login, profile },
    unauthenticated: [{ status: 401 }, { status: 200, body: null }, { status: 403, body: { code: 'gone' } }],
  });
  expect(wire.isUnauthenticated(401, '<html>')).toBe(true);
  expect(wire.isUnauthenticated(200, 'null')).toBe(true);
  expect(wire.isUnauthenticated(200, '{}')).toBe(false);
  expect(wire.isUnauthenticated(403, '{"code":"gone","msg":"x"}')).toBe(true);
  expect(wire.isUnauthenticated(403, '{"code":"other"}')).toBe(false);
});
