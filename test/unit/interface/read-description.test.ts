import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDescription, variableFaults, variableValues } from '../../../main/interface/read-description.ts';

const shipped = path.resolve(import.meta.dirname, '../../../main/interface/shipped');

const calls = {
  register: { path: '/register', body: { email: '{{email}}', password: '{{password}}' } },
  login: { path: '/login', body: { email: '{{email}}', password: '{{password}}' } },
  profile: { path: '/me' },
  logout: { path: '/out', body: { t: '{{token}}' } },
};
const valid = { name: 'x', calls };

/** What is said of a description, as `problem at name`. */
function saidOf(description: unknown): string[] {
  const read = readDescription(typeof description === 'string' ? description : JSON.stringify(description));
  return read.ok ? [] : read.faults.map(({ problem, at, name }) => [problem, at, name].filter(Boolean).join(' '));
}

it.each(globSync('*.json', { cwd: shipped }))('a shipped description is one: %s', (file) => {
  expect(saidOf(readFileSync(path.join(shipped, file), 'utf8'))).toEqual([]);
});

it('the smallest description has a name, a log-in and a profile', () => {
  expect(saidOf(valid)).toEqual([]);
  expect(saidOf({ name: 'x', calls: { login: calls.login } })).toEqual(['missing calls.profile']);
});

describe('a hostile or mistaken description is refused', () => {
  const withCall = (name: string, call: object) => ({ ...valid, calls: { ...calls, [name]: call } });
  const { body } = calls.login;
  it.each([
    [
      'another host by two slashes',
      withCall('profile', { path: '//evil.test/me' }),
      'path-leads-away calls.profile.path',
    ],
    ['a way up', withCall('profile', { path: '/../admin' }), 'path-leads-away calls.profile.path'],
    ['a way up, encoded', withCall('profile', { path: '/a/%2E%2e/%2e./b' }), 'path-leads-away calls.profile.path'],
    ['a backslash', withCall('profile', { path: '/\\evil.test' }), 'wrong-value calls.profile.path'],
    ['an absolute address', withCall('profile', { path: 'https://evil.test/' }), 'wrong-value calls.profile.path'],
    ['a host by user name', { ...valid, prefix: '@evil.test' }, 'wrong-value prefix'],
    ['a way up in the prefix', { ...valid, prefix: '/a/..' }, 'path-leads-away prefix'],
    [
      'a password in an address',
      withCall('login', { path: '/in?p={{password}}' }),
      'placeholder-not-here calls.login.path password',
    ],
    [
      'a token in an address',
      withCall('profile', { path: '/me?t={{token}}' }),
      'placeholder-not-here calls.profile.path token',
    ],
    [
      'a password in a header',
      { ...valid, headers: { 'X-P': '{{password}}' } },
      'placeholder-not-here headers.X-P password',
    ],
    [
      'a password in another body',
      withCall('logout', { path: '/out', body: { p: '{{password}}' } }),
      'placeholder-not-here calls.logout.body password',
    ],
    [
      'a token in the log-in',
      withCall('login', { path: '/in', body: { ...body, t: '{{token}}' } }),
      'placeholder-not-here calls.login.body token',
    ],
    [
      'a secret in an address',
      { ...valid, prefix: '/{{key}}', variables: { key: { secret: true } } },
      'placeholder-not-here prefix key',
    ],
    [
      'the value of a secret',
      { ...valid, variables: { key: { secret: true, default: 'x' } } },
      'secret-default variables.key',
    ],
    ['a header of HTTP itself', { ...valid, headers: { Host: 'evil.test' } }, 'header-taken headers Host'],
    ['a cookie by a header', { ...valid, headers: { cookie: 'a=b' } }, 'header-taken headers cookie'],
    [
      'the host as the place of the token',
      { ...valid, security: { type: 'apiKey', in: 'header', name: 'Host' } },
      'header-taken security.name Host',
    ],
    [
      'any cookie',
      { ...valid, security: { type: 'apiKey', in: 'cookie', name: '*' } },
      'cookie-too-wide security.name *',
    ],
    [
      'two stars',
      { ...valid, security: { type: 'apiKey', in: 'cookie', name: '*ses*' } },
      'cookie-too-wide security.name *ses*',
    ],
    [
      'an output that is a field',
      { ...valid, outputs: { password: '$response.body#/p' } },
      'name-taken outputs password',
    ],
    [
      'a variable that is the token',
      { ...valid, variables: { token: { default: 'x' } } },
      'name-taken variables token',
    ],
    [
      'an output that every object inherits',
      { ...valid, outputs: { toString: '$response.body#/p' } },
      'name-taken outputs toString',
    ],
    [
      'a variable that every object inherits',
      { ...valid, variables: { constructor: { default: 'x' } } },
      'name-taken variables constructor',
    ],
    ['a name that turns the direction of writing', { ...valid, name: 'Acme \u202Emoc.live' }, 'wrong-value name'],
    ['a prototype', `{"name":"x","__proto__":{"a":1},"calls":${JSON.stringify(calls)}}`, 'unknown-key __proto__'],
    [
      'a prototype within a body',
      JSON.stringify(valid).replace('"t"', '"__proto__"'),
      'unknown-key calls.logout.body __proto__',
    ],
    ['a misspelt key', { ...valid, outputz: {} }, 'unknown-key outputz'],
    [
      'a name that nothing has',
      withCall('login', { path: '/in', body: { a: '{{emial}}' } }),
      'unknown-placeholder calls.login.body emial',
    ],
    ['a body with GET', withCall('profile', { path: '/me', body: { a: '1' } }), 'body-with-get calls.profile'],
    [
      'fields in the query of another call',
      withCall('logout', { method: 'GET', path: '/out', encoding: 'query' }),
      'query-not-here calls.logout.encoding',
    ],
    [
      'fields in the query of a registration',
      withCall('register', { method: 'GET', path: '/new', encoding: 'query', body }),
      'query-not-here calls.register.encoding',
    ],
    [
      'fields in the query of a POST',
      withCall('login', { path: '/in', encoding: 'query', body }),
      'query-not-here calls.login.encoding',
    ],
    [
      'a log-in by GET whose password stands in the path',
      withCall('login', { method: 'GET', path: '/in?p={{password}}', encoding: 'query' }),
      'placeholder-not-here calls.login.path password',
    ],
    [
      'another secret in a query',
      {
        ...withCall('login', { method: 'GET', path: '/in', encoding: 'query', body: { ...body, k: '{{key}}' } }),
        variables: { key: { secret: true } },
      },
      'placeholder-not-here calls.login.body key',
    ],
    [
      'a list in a query',
      withCall('login', { method: 'GET', path: '/in', encoding: 'query', body: { a: ['x'] } }),
      'form-value calls.login.body a',
    ],
    ['a query for all calls', { ...valid, encoding: 'query' }, 'wrong-value encoding'],
    [
      'an object in a form',
      { ...withCall('login', { path: '/in', body: { a: {} } }), encoding: 'form' },
      'form-value calls.login.body a',
    ],
    ['a line break in a header', { ...valid, headers: { 'X-A': 'a\r\nHost: evil' } }, 'wrong-value headers.X-A'],
    ['a sign that no header has', { ...valid, headers: { 'X-A': '漢' } }, 'wrong-value headers.X-A'],
    ['a NUL in a path', withCall('login', { path: '/in\0' }), 'wrong-value calls.login.path'],
    ['a bell in the prefix', { ...valid, prefix: '/a\u0007b' }, 'wrong-value prefix'],
    ['a line break in a header name', { ...valid, headers: { 'a\r\nb': 'x' } }, 'wrong-value headers.a\r\nb'],
    [
      'an expression that is code',
      { ...valid, outputs: { token: '$response.body#/a~2' } },
      'wrong-value outputs.token',
    ],
    [
      'a secret value of an answer in an address',
      { ...withCall('profile', { path: '/u/{{id}}' }), outputs: { id: '$response.body#/id' } },
      'placeholder-not-here calls.profile.path id',
    ],
    [
      'a value of an answer in the address of the log-in, which comes before it',
      {
        ...withCall('login', { path: '/u/{{id}}', body }),
        outputs: { id: { value: '$response.body#/id', secret: false } },
      },
      'placeholder-not-here calls.login.path id',
    ],
    [
      'a value of an answer in the prefix, which the log-in has too',
      { ...valid, prefix: '/{{id}}', outputs: { id: { value: '$response.body#/id', secret: false } } },
      'placeholder-not-here prefix id',
    ],
    [
      'a value that is a secret in one place, and in another not',
      {
        ...withCall('profile', { path: '/u/{{id}}', outputs: { id: '$response.body#/key' } }),
        outputs: { id: { value: '$response.body#/id', secret: false } },
      },
      'placeholder-not-here calls.profile.path id',
    ],
    [
      'a token that is no secret',
      { ...valid, outputs: { token: { value: '$response.body#/t', secret: false } } },
      'secret-output outputs token',
    ],
    [
      'a refresh token that is no secret',
      withCall('profile', { path: '/me', outputs: { refreshJwt: { value: '$response.body#/r', secret: false } } }),
      'secret-output calls.profile.outputs refreshJwt',
    ],
    [
      'what renews that is no secret',
      {
        ...withCall('refresh', { path: '/r', body: { k: '{{key}}' } }),
        outputs: { key: { value: '$response.body#/k', secret: false } },
      },
      'secret-output outputs key',
    ],
    [
      'an output of one call that is a field',
      withCall('profile', { path: '/me', outputs: { password: '$response.body#/p' } }),
      'name-taken calls.profile.outputs password',
    ],
    [
      'a variable that is an output of one call',
      { ...withCall('profile', { path: '/me', outputs: { id: '$response.body#/id' } }), variables: { id: {} } },
      'name-taken variables id',
    ],
    [
      'a key that a credential does not have',
      { ...valid, security: { type: 'http', scheme: 'Bearer', value: '{{token}}' } },
      'unknown-key security value',
    ],
    [
      'a second credential in a header of HTTP itself',
      {
        ...valid,
        security: [
          { type: 'http', scheme: 'JWT' },
          { type: 'apiKey', in: 'header', name: 'Host' },
        ],
      },
      'header-taken security.1.name Host',
    ],
    ['no way for the credential', { ...valid, security: [] }, 'wrong-value security'],
    [
      'a password as the credential of a renewal',
      withCall('refresh', { path: '/r', security: { type: 'http', scheme: 'Bearer', value: '{{password}}' } }),
      'placeholder-not-here calls.refresh.security.value password',
    ],
    [
      'an output that nothing gives as the credential of a renewal',
      withCall('refresh', { path: '/r', security: [{ type: 'http', scheme: 'Bearer', value: '{{refresh}}' }] }),
      'unknown-placeholder calls.refresh.security.0.value refresh',
    ],
    [
      'a value for a cookie, which is itself',
      withCall('refresh', { path: '/r', security: { type: 'apiKey', in: 'cookie', name: 'sid', value: '{{token}}' } }),
      'wrong-value calls.refresh.security.value',
    ],
    [
      'any cookie for a renewal',
      withCall('refresh', { path: '/r', security: { type: 'apiKey', in: 'cookie', name: '*' } }),
      'cookie-too-wide calls.refresh.security.name *',
    ],
    [
      'a credential at the log-in, which has none',
      withCall('login', { path: '/login', body, security: { type: 'none' } }),
      'unknown-key calls.login security',
    ],
    [
      'what renews in a header that is no secret',
      {
        ...withCall('refresh', { path: '/r', security: { type: 'http', scheme: 'Bearer', value: '{{key}}' } }),
        outputs: { key: { value: '$response.body#/k', secret: false } },
      },
      'secret-output outputs key',
    ],
    ['a megabyte', { ...valid, about: 'x'.repeat(1_000_000) }, 'too-large'],
    ['a thousand levels', `${'['.repeat(1000)}${']'.repeat(1000)}`, 'too-many'],
    [
      'many members',
      withCall('login', {
        path: '/in',
        body: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`a${n}`, '1'])),
      }),
      'too-many calls.login.body',
    ],
    ['no JSON', 'name: x', 'not-json'],
    ['a list', '[]', 'wrong-value'],
  ])('%s', (_, description, said) => {
    expect(saidOf(description)).toEqual([said]);
  });
});

describe('the value of a variable', () => {
  const read = readDescription(
    JSON.stringify({
      ...valid,
      prefix: '/r/.{{realm}}',
      headers: { Origin: '{{front}}' },
      variables: { realm: {}, front: { default: '{{origin}}' } },
    }),
  );
  const faults = (given: Record<string, string>) => {
    if (!read.ok) throw new Error('the description is one');
    return variableFaults(read.description, variableValues(read.description, given, 'https://a.test'));
  };

  it('is what was given, or the default, which may name the origin', () => {
    expect(faults({ realm: 'main' })).toEqual([]);
    expect(faults({ realm: 'a b/c' })).toEqual([]);
  });

  it.each([
    [{}, 'missing', 'realm'],
    [{ realm: '.' }, 'path-leads-away', 'realm'],
    [{ realm: './..' }, 'path-leads-away', 'realm'],
    [{ realm: 'a', front: 'x\r\nHost: evil' }, 'wrong-value', 'front'],
    [{ realm: 'a', front: '漢' }, 'wrong-value', 'front'],
  ])('is refused: %j', (given, problem, name) => {
    expect(faults(given)).toEqual([{ problem, at: 'variables', name }]);
  });
});
