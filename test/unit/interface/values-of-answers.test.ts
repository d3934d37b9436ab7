import { describe, expect, it } from 'vitest';
import { credentialSecrets } from '../../../main/interface/credential.ts';
import { readDescription } from '../../../main/interface/read-description.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';

function wireOf(description: object, variables: Record<string, string> = {}): ApiAdapter {
  const read = readDescription(JSON.stringify(description));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return new ApiAdapter(read.description, 'https://api.example.test/app', variables);
}

const login = { path: '/login', body: { email: '{{email}}', password: '{{password}}' } };

describe('a value of an answer', () => {
  const described = {
    name: 'x',
    prefix: '/{{tenant}}',
    calls: {
      login,
      profile: { path: '/users/{{userId}}', outputs: { token: '$response.body#/next' } },
      logout: { method: 'DELETE', path: '/users/{{userId}}/sessions?of={{userId}}' },
    },
    outputs: { token: '$response.body#/token', userId: { value: '$response.body#/user/id', secret: false } },
    variables: { tenant: {} },
  } as const;
  const adapter = wireOf(described, { tenant: 'a b' });
  const heldWith = (id: unknown) =>
    adapter.credentialAfter(
      'login',
      { status: 200, rawHeaders: [], body: JSON.stringify({ token: 't', user: { id } }) },
      {},
    );
  const at = 'https://api.example.test/app/a%20b';

  it('that is no secret stands in a path as one segment, is not masked, and a call is known by its path', () => {
    const held = heldWith('ana+b@example.test');
    expect(credentialSecrets(held)).toEqual(['t']);
    expect(adapter.request('profile', { credential: held }).url).toBe(`${at}/users/ana%2Bb%40example.test`);
    const url = `${at}/users/ana%2Bb%40example.test/sessions?of=ana%2Bb%40example.test`;
    expect(adapter.request('logout', { credential: held }).url).toBe(url);
    expect(adapter.callOf('DELETE', url)).toBe('logout');
    expect(adapter.callOf('GET', `${at}/users/7`)).toBe('profile');
    expect(adapter.formatCall('profile')).toBe('GET /a%20b/users/{{userId}}');
    for (const other of ['/users/', '/users', '/users/7/8', '/users/7/sessions', '/other/7'])
      expect(adapter.callOf('GET', `${at}${other}`)).toBeUndefined();
    expect(adapter.callOf('DELETE', `${at}/users/7/sessions?of=`)).toBeUndefined();
  });

  it('leaves a call whose path says all nearer than one that it is in', () => {
    const { logout, ...calls } = described.calls;
    const both = wireOf(
      { ...described, calls: { ...calls, logout: { ...logout, method: 'GET', path: '/users/me' } } },
      { tenant: 'x' },
    );
    expect(both.callOf('GET', '/x/users/me')).toBe('logout');
    expect(both.callOf('GET', '/x/users/7')).toBe('profile');
  });

  it.each([
    '',
    '.',
    '..',
    '../admin',
    'a/b',
    'a\\b',
    '%2e%2e',
    '%2f',
    'a?b',
    'a#b',
    'a b',
    'a\nb',
    'ñ',
    't',
    'x'.repeat(201),
    '//evil.test',
  ])('leads no call elsewhere: %j', (id) => {
    const held = heldWith(id);
    const why = id === '' ? 'missing' : 'unsafe';
    expect(adapter.pathFault('profile', held)).toEqual({ output: 'userId', why });
    expect(adapter.request('profile', { credential: held }).url).toBe(`${at}/users/0`);
  });

  it.each([
    7,
    'a',
    'x'.repeat(200),
    'RECORD_ID0',
    '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    'auth0|5f7c',
    'a~b',
    '...',
    'dXNlcjox==',
    'urn:x:1',
  ])('may be an id: %j', (id) => {
    expect(adapter.pathFault('profile', heldWith(id))).toBeUndefined();
    expect(adapter.request('profile', { credential: heldWith(id) }).url).toBe(`${at}/users/${encodeURIComponent(id)}`);
  });

  it('makes no segment of dots with what stands around it', () => {
    const profileOf = { path: '/.{{userId}}' };
    const dotted = wireOf({ ...described, calls: { login, profile: profileOf } }, { tenant: 'x' });
    expect(dotted.pathFault('profile', { outputs: { userId: '.' } })).toEqual({ output: 'userId', why: 'unsafe' });
    expect(dotted.request('profile', { credential: { outputs: { userId: '7' } } }).url).toContain('/x/.7');
  });

  it('is taken from the one call that says it, and from no other', () => {
    const answer = { status: 200, rawHeaders: [], body: '{"next":"two","user":{"id":"9"}}' };
    const held = { ...heldWith('7'), cookies: {} };
    expect(adapter.credentialAfter('profile', answer, held)).toEqual({
      token: 'two',
      outputs: { userId: '7' },
      typed: ['userId'],
    });
    expect(adapter.credentialAfter('logout', answer, held)).toMatchObject({ token: 't' });
    expect(adapter.credentialAfter('profile', { ...answer, status: 401 }, held)).toMatchObject({ token: 't' });
    expect(adapter.outputPaths('profile')).toEqual({ token: 'next' });
    expect(adapter.outputPaths('login')).toEqual({ token: 'token' });
  });
});
