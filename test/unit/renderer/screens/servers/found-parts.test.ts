import { describe, expect, it } from 'vitest';
import type { FoundPart } from '../../../../../preload/contract/interface.ts';
import {
  answerPlaceOf,
  expressionOf,
  fillingOf,
  membersOf,
  newCall,
  pathOf,
  redirectsOf,
  renamed,
  renewalSentAsOf,
  sentAsOf,
  typedConstant,
  typedPath,
  variableFor,
  withOption,
  withoutUnused,
  withPath,
  withRenewalSentAs,
  withSentAs,
} from '../../../../../renderer/screens/servers/found/description.ts';
import { type JsonObject, valueAt, withAt } from '../../../../../renderer/screens/servers/found/description.ts';
import {
  type MarkedOf,
  markOf,
  openGuesses,
  partOf,
  absentTextKey,
} from '../../../../../renderer/screens/servers/found/part-marks.ts';

const described: JsonObject = {
  name: 'Shop',
  prefix: '/api',
  calls: {
    login: { path: '/in', body: { user: { mail: '{{email}}' }, pin: 7, tenant: '{{tenant}}' } },
    register: [{ path: '/first' }, { path: '/second' }],
    profile: { path: '/me', outputs: { id: { value: '$response.body#/id', secret: false } } },
    logout: null,
  },
  security: [
    { type: 'http', scheme: 'JWT' },
    { type: 'apiKey', in: 'cookie', name: 'sid' },
  ],
  variables: { tenant: {}, unnamed: { default: 'x' } },
  secondStep: { lasts: 60 },
};

describe('a description that is edited', () => {
  it('keeps everything that the form does not know', () => {
    const next = withSentAs(withPath(described, 'profile', '/users/me'), { in: 'cookie', name: 'session' });
    expect(next).toEqual({
      ...Object.fromEntries(Object.entries(described).filter(([name]) => name !== 'prefix')),
      calls: {
        login: { path: '/api/in', body: { user: { mail: '{{email}}' }, pin: 7, tenant: '{{tenant}}' } },
        register: [{ path: '/api/first' }, { path: '/api/second' }],
        profile: { path: '/users/me', outputs: { id: { value: '$response.body#/id', secret: false } } },
        logout: null,
      },
      security: [
        { type: 'apiKey', in: 'cookie', name: 'session' },
        { type: 'apiKey', in: 'cookie', name: 'sid' },
      ],
    });
  });

  it('shows paths as they are sent, and takes them as people write them', () => {
    expect(pathOf(described, 'register')).toBe('/api/first');
    expect(
      ['me', '/me', '?me', '', ' https://x.test/me', '/https://x.test/a/b?c=1', 'https://x.test'].map(typedPath),
    ).toEqual(['/me', '/me', '?me', '', '/me', '/a/b?c=1', '']);
  });

  it('has the members of a body by their names, also those of an object in it', () => {
    const body = valueAt(described, ['calls', 'login', 'body']);
    expect(membersOf(body)).toEqual([
      { place: ['user', 'mail'], value: '{{email}}' },
      { place: ['pin'], value: 7 },
      { place: ['tenant'], value: '{{tenant}}' },
    ]);
    expect(JSON.stringify(renamed(body, ['user', 'mail'], ['user', 'email']))).toBe(
      '{"user":{"email":"{{email}}"},"pin":7,"tenant":"{{tenant}}"}',
    );
    expect(JSON.stringify(renamed(body, ['pin'], ['code']))).toBe(
      '{"user":{"mail":"{{email}}"},"code":7,"tenant":"{{tenant}}"}',
    );
    expect(valueAt(renamed(body, ['pin'], ['user', 'pin']), ['user', 'pin'])).toBe(7);
  });

  it('tells a field from a constant, whose kind stays', () => {
    expect(['{{email}}', '{{tenant}}', 'a-{{tenant}}', 7, null].map(fillingOf)).toEqual([
      { is: 'field', name: 'email' },
      { is: 'field', name: 'tenant' },
      { is: 'constant', text: 'a-{{tenant}}' },
      { is: 'constant', text: '7' },
      { is: 'constant', text: 'null' },
    ]);
    expect([
      typedConstant('8', 7),
      typedConstant('false', true),
      typedConstant('8', '7'),
      typedConstant('x', 7),
    ]).toEqual([8, false, '8', 'x']);
  });

  it('names a new variable after its member, and forgets one that nothing names any more', () => {
    expect([['client_secret'], ['x', 'Tenant-ID'], ['2fa'], ['email']].map(variableFor)).toEqual([
      { name: 'clientSecret', secret: true },
      { name: 'TenantID', secret: false },
      { name: 'fa', secret: false },
      { name: 'emailGiven', secret: false },
    ]);
    const next = withoutUnused(described, withAt(described, ['calls', 'login', 'body', 'tenant'], 'acme'));
    expect(next['variables']).toEqual({ unnamed: { default: 'x' } });
  });

  it.each([
    ['$response.body#/auth/access', { in: 'body', path: 'auth.access' }],
    ['$response.body#/data/0/a~1b', { in: 'body', path: 'data.0.a/b' }],
    ['$response.body#/a.b/c', { in: 'body', path: '/a.b/c' }],
    ['$response.body', { in: 'body', path: '' }],
    ['$response.header.X-Token', { in: 'header', name: 'X-Token' }],
    [undefined, { in: 'found' }],
  ] as const)('has the place of a token both ways: %s', (expression, place) => {
    expect(answerPlaceOf(expression)).toEqual(place);
    expect(expressionOf(place)).toBe(expression);
  });

  it.each([
    [
      { type: 'http', scheme: 'Token' },
      { in: 'header', name: 'Authorization', scheme: 'Token' },
    ],
    [
      { type: 'apiKey', in: 'header', name: 'Authorization' },
      { in: 'header', name: 'Authorization' },
    ],
    [
      { type: 'apiKey', in: 'cookie', name: 'sid' },
      { in: 'cookie', name: 'sid' },
    ],
    [{ type: 'none' }, { in: 'body' }],
  ] as const)('has how a session is sent both ways: %o', (security, sentAs) => {
    expect(sentAsOf({ security })).toEqual(sentAs);
    expect(withSentAs({}, sentAsOf({ security }))).toEqual({ security });
  });
});

describe('the mark of a part', () => {
  const parts: FoundPart[] = [
    { at: 'calls.login', is: 'sure' },
    { at: 'calls.login.body.tenant', is: 'guess', why: 'no-value' },
    { at: 'security', is: 'guess', why: 'usual' },
  ];
  const given: MarkedOf = {
    parts,
    first: described,
    now: described,
    address: 'https://x.test',
    faults: [],
    works: undefined,
  };
  const isOf = (part: Parameters<typeof markOf>[0], more: Partial<MarkedOf> = {}) =>
    markOf(part, { ...given, ...more }).is;

  it.each([
    ['calls.login', 'login'],
    ['calls.login.path', 'login'],
    ['calls.login.body.tenant', 'fields'],
    ['encoding', 'fields'],
    ['outputs.refreshToken', 'refresh'],
    ['calls.register[0].body', 'register'],
    ['calls.loginish', undefined],
    ['name', undefined],
  ])('belongs to the longest place that leads to it: %s', (at, part) => {
    expect(partOf(at)).toBe(part);
  });

  it('is a guess where one place of the part is, missing where it is not there, and sure where there is said to be none', () => {
    expect(isOf('login')).toBe('sure');
    expect(isOf('fields')).toBe('guess');
    expect(isOf('sentAs')).toBe('guess');
    expect(isOf('logout')).toBe('sure');
    expect(isOf('logout', { now: withAt(described, ['calls', 'logout'], undefined) })).toBe('missing');
    expect(isOf('address', { address: '' })).toBe('missing');
  });

  it('is a guess without a reason once it was changed by hand, and not one once a login worked', () => {
    const now = withPath(described, 'profile', '/users/me');
    expect(markOf('profile', { ...given, now })).toEqual({ is: 'guess', reasons: [], faults: [] });
    // The other paths are the same, though their prefix has moved.
    expect(isOf('login', { now })).toBe('sure');
    expect(isOf('fields', { now: withAt(described, ['calls', 'login', 'body', 'pin'], 8) })).toBe('guess');
    expect(isOf('login', { now: withAt(described, ['calls', 'login', 'body', 'pin'], 8) })).toBe('sure');
    const works = ['login', 'profile'];
    const proven = (['profile', 'fields', 'sentAs'] as const).map((part) => isOf(part, { now, works }));
    expect(proven).toEqual(['sure', 'sure', 'sure']);
  });

  it.each([
    ['register', 'calls.register'],
    ['refresh', 'outputs.refreshToken'],
  ] as const)('stays a guess after a login that did not call it: %s', (part, at) => {
    const guessed: FoundPart[] = [...parts, { at, is: 'guess', why: 'usual' }];
    const now = withAt(described, ['calls', 'refresh'], { path: '/renew' });
    const isAfter = (works: string[]) => isOf(part, { parts: guessed, first: now, now, works });
    expect(isAfter(['login', 'profile'])).toBe('guess');
    expect(isAfter(['login', 'profile', part])).toBe('sure');
  });
});

it('a renewal that is added has the place of its refresh token, and keeps one that is said', () => {
  const { refresh: renewal } = newCall;
  expect(valueAt(withOption(described, 'refresh', { call: renewal }), ['outputs', 'refreshToken'])).toBe(
    '$response.body#/refreshToken',
  );
  const said = withAt(described, ['outputs', 'refreshToken'], '$response.body#/rt');
  expect(valueAt(withOption(said, 'refresh', { call: renewal }), ['outputs', 'refreshToken'])).toBe(
    '$response.body#/rt',
  );
});

it('a variable belongs to the headers where one has it, and else to the fields', () => {
  const now = { headers: { 'X-Api-Key': '{{apiKey}}' } };
  expect(['variables.apiKey', 'variables.tenant'].map((at) => partOf(at, now))).toEqual(['headers', 'fields']);
});

describe('another log-in of the text', () => {
  const userId = { value: '$response.body#/id', secret: false };
  const outputs = { token: '$response.body#/token', refreshToken: '$response.header.X-Refresh', userId };
  const first = { ...described, outputs };

  it('takes what was read from the answer of the first one away, which is a guess then', () => {
    const next = withOption(first, 'login', { call: { path: '/other' } });
    expect(next).toMatchObject({ calls: { login: { path: '/other' } }, outputs: { userId } });
    expect(Object.keys(next['outputs'] as JsonObject)).toEqual(['userId']);
    const given = { parts: [], first, now: next, address: '', faults: [], works: undefined };
    expect(markOf('token', given).is).toBe('guess');
  });

  it('has it again where the first one is chosen again, and no other call takes it away', () => {
    const other = withOption(first, 'login', { call: { path: '/other' } });
    expect(withOption(other, 'login', { call: { path: '/in' }, outputs })).toMatchObject({ outputs });
    expect(withOption(first, 'profile', { call: { path: '/who' } })).toMatchObject({ outputs });
  });
});

describe('how a renewal is sent', () => {
  const renewed = (refresh: JsonObject) => ({ calls: { refresh } });
  const inBody = renewed({ path: '/renew', body: { auth: { refresh: '{{refreshToken}}' } } });

  it.each([
    [
      { in: 'header', name: 'Authorization', scheme: 'Bearer' },
      { type: 'http', scheme: 'Bearer', value: '{{refreshToken}}' },
    ],
    [
      { in: 'header', name: 'X-Refresh', scheme: undefined },
      { type: 'apiKey', in: 'header', name: 'X-Refresh', value: '{{refreshToken}}' },
    ],
    [
      { in: 'cookie', name: 'jwt' },
      { type: 'apiKey', in: 'cookie', name: 'jwt' },
    ],
  ] as const)('%j, and its body without the token', (sentAs, security) => {
    const next = withRenewalSentAs(inBody, sentAs);
    expect(next['calls']).toMatchObject({ refresh: { path: '/renew', security } });
    expect(JSON.stringify(valueAt(next, ['calls', 'refresh', 'body']) ?? {})).not.toContain('refreshToken');
    expect(renewalSentAsOf(next)).toEqual(sentAs);
  });

  it('is by the body alone, or as the session is, and keeps what else is there', () => {
    const alone = withRenewalSentAs(inBody, { in: 'body' });
    expect(alone).toEqual(renewed({ ...inBody.calls.refresh, security: { type: 'none' } }));
    expect(withRenewalSentAs(alone, undefined)).toEqual(inBody);
    const second = { type: 'apiKey', in: 'cookie', name: 'jwt' };
    const security = [{ type: 'http', scheme: 'Bearer', value: '{{renewer}}' }, second];
    const next = withRenewalSentAs(renewed({ path: '/', security, body: { device: 1 } }), {
      in: 'header',
      name: 'X-Renew',
      scheme: undefined,
    });
    const first = { type: 'apiKey', in: 'header', name: 'X-Renew', value: '{{renewer}}' };
    expect(next).toEqual(renewed({ path: '/', security: [first, second], body: { device: 1 } }));
  });
});

describe('a log-in that answers with a redirect', () => {
  const success = [{ status: 302, location: '/home' }];
  const redirecting = { prefix: '/app', calls: { login: { path: '/in', success } } };

  it('says where it leads, which stays when it is edited', () => {
    expect(redirectsOf(redirecting)).toEqual(['302 /home']);
    expect(redirectsOf(withPath(redirecting, 'login', '/sign-in'))).toEqual(['302 /home']);
    expect(redirectsOf(described)).toEqual([]);
  });
});

describe('what a trial may propose another guess for', () => {
  const login = { path: '/in', body: { email: '{{email}}', password: '{{password}}' } };
  const first: JsonObject = { prefix: '/api', calls: { login }, encoding: 'json' };
  const parts: FoundPart[] = [
    { at: 'calls.login', is: 'sure' },
    { at: 'calls.login.body', is: 'guess', why: 'usual' },
    { at: 'security', is: 'guess', why: 'usual' },
  ];
  const places = (now: JsonObject, from: JsonObject = first, works?: string[]) =>
    openGuesses({ parts, first: from, now, works }).map(({ at }) => at);

  it('is what the import guessed and nobody has changed, until a login works', () => {
    expect(openGuesses({ parts, first, now: first, works: undefined })).toEqual([
      { at: 'calls.login.body', why: 'usual' },
      { at: 'security', why: 'usual' },
    ]);
    // Another part of the fields is changed, and what leads to them.
    expect(places(withAt(withPath(first, 'login', '/other'), ['encoding'], 'form'))).toHaveLength(2);
    expect(places(withAt(first, ['calls', 'login', 'body', 'email'], undefined))).toEqual(['security']);
    expect(places(first, first, ['login', 'profile'])).toEqual([]);
  });

  it('is what a log-in has that a person has added, as it begins', () => {
    const without: JsonObject = { calls: {} };
    expect(places({ calls: { login } }, without)).toContain('calls.login.body');
    expect(places({ calls: { login: { ...login, body: { user: '{{email}}' } } } }, without)).toEqual(['security']);
  });
});

describe('a part that is not there', () => {
  it.each(['sure', 'guess', 'missing'] as const)('says of a logout what Llavero does then: %s', (is) => {
    expect(absentTextKey('logout', { is })).toBe('interface.parts.absent.logout');
  });

  it('is only named as absent where nothing follows from it', () => {
    expect(absentTextKey('csrf', { is: 'sure' })).toBe('interface.none');
    expect(absentTextKey('csrf', { is: 'missing' })).toBe('interface.parts.absent.other');
    expect(absentTextKey('refresh', { is: 'missing' })).toBe('interface.parts.absent.refresh');
  });
});
