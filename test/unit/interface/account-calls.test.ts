import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AccountCall } from '../../../main/interface/account-calls.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import type { Credential } from '../../../main/interface/credential.ts';
import { matches } from '../../../main/interface/matching.ts';
import { readDescription } from '../../../main/interface/read-description.ts';
import type { PlaceholderValues } from '../../../main/interface/template.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/account-calls');
const baseUrl = 'https://server.example.test';

type Step = {
  step: string;
  request: { method: string; path: string; cookie?: string; authorization?: string; body?: unknown };
  response: { status: number; headers: [string, string][]; body: unknown };
};

const stepsOf = (server: string): Step[] => {
  const { steps }: { steps: Step[] } = JSON.parse(readFileSync(path.join(folder, `${server}.json`), 'utf8'));
  return steps;
};

const shipped = path.resolve(import.meta.dirname, '../../../main/interface/shipped');

const textOf = (name: string): string => readFileSync(path.join(shipped, `${name}.json`), 'utf8');

function adapterOf(name: string): ApiAdapter {
  const read = readDescription(textOf(name));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return new ApiAdapter(read.description, baseUrl);
}

const received = ({ response }: Step) => ({
  status: response.status,
  rawHeaders: response.headers,
  body: response.body === null && response.status === 204 ? '' : JSON.stringify(response.body),
});

/** The credential that a recorded request was sent with. */
function credentialOf({ request }: Step): Credential {
  const cookies = Object.fromEntries(
    (request.cookie ?? '')
      .split('; ')
      .flatMap((pair) => (pair === '' ? [] : [[pair.split('=', 1)[0]!, pair.slice(pair.indexOf('=') + 1)]])),
  );
  const token = /^\w+ (.+)$/.exec(request.authorization ?? '')?.[1];
  const id = /\/users\/([\w-]{36})$/.exec(request.path)?.[1];
  return { cookies, ...(token !== undefined && { token }), ...(id !== undefined && { outputs: { userId: id } }) };
}

it.each(readdirSync(shipped))('the description %s can be read', (file) => {
  expect(readDescription(textOf(path.basename(file, '.json')))).toMatchObject({ ok: true });
});

const ana = { email: 'ana@example.test', password: 'correct-horse-9' };
const ia = { email: 'ia@example.com', password: 'correct-horse-9' };

/** The recorded requests that a description makes again, by the beginnings of their titles. */
const requests: [server: string, step: string, call: AccountCall, fields: PlaceholderValues][] = [
  ['better-auth', 'enable a factor', 'enrollment.start', { password: ana.password }],
  ['better-auth', 'confirm the factor', 'enrollment.confirm', { code: '682784' }],
  ['better-auth', 'wrong code', 'code.totp', { code: '000000' }],
  ['better-auth', 'right code', 'code.totp', { code: '682784' }],
  ['better-auth', 'recovery code', 'code.recovery', { code: 'oQOlF-ML72A' }],
  ['better-auth', 'ask for an emailed code', 'challenge.email', {}],
  ['better-auth', 'emailed code', 'code.email', { code: '610456' }],
  [
    'better-auth',
    'change password and end',
    'changePassword',
    { password: 'better-horse-10', newPassword: 'correct-horse-9' },
  ],
  ['better-auth', 'forgot, known', 'forgotPassword', { email: ana.email }],
  ['better-auth', 'resend confirmation, known', 'resendConfirmation', { email: ana.email }],
  ['better-auth', 'delete the account', 'deleteAccount', { password: 'wrong-horse-1' }],
  ['directus', 'ask for a secret', 'enrollment.start', { password: ia.password }],
  ['directus', 'enable the factor', 'enrollment.confirm', { code: '027194', secret: 'IZCG45CUFIHGKM2Q' }],
  ['directus', 'log in with the right code', 'code.totp', { ...ia, code: '027194' }],
  ['directus', 'change password', 'changePassword', { newPassword: 'better-horse-10' }],
  ['directus', 'forgot, known', 'forgotPassword', { email: ia.email }],
  ['directus', 'delete the account', 'deleteAccount', {}],
  ['djoser', 'change password', 'changePassword', { password: 'wrong-horse-1', newPassword: 'better-horse-10' }],
  ['djoser', 'forgot, known', 'forgotPassword', { email: ana.email }],
  ['djoser', 'resend confirmation, known', 'resendConfirmation', { email: ana.email }],
  ['djoser', 'delete the account, wrong', 'deleteAccount', { password: 'wrong-horse-1' }],
  ['fastapi-users', 'forgot, known', 'forgotPassword', { email: 'ana@example.com' }],
  ['fastapi-users', 'resend confirmation, known', 'resendConfirmation', { email: 'ana@example.com' }],
  ['fastapi-users', 'change password (', 'changePassword', { newPassword: 'better-horse-10' }],
];

it.each(requests)('%s: a recorded request is made again: %s', (server, title, call, fields) => {
  const step = stepsOf(server).find((each) => each.step.startsWith(title))!;
  const request = adapterOf(server).accountRequest(call, { fields, credential: credentialOf(step) });
  const headers = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  expect({
    method: request.method,
    path: request.url.slice(baseUrl.length),
    body: request.body === undefined ? undefined : JSON.parse(request.body),
    cookie: headers.get('cookie'),
    authorization: headers.get('authorization'),
  }).toEqual(step.request);
});

describe('a login that asks for a code', () => {
  const adapter = adapterOf('better-auth');
  const steps = stepsOf('better-auth');
  const named = (title: string, from = steps): Step => from.find((each) => each.step.startsWith(title))!;

  it('is pending with what its response gave, for as long as its cookie lasts', () => {
    const step = named('log in: a second step');
    const pending = adapter.secondFactor.pendingLogin('login', received(step), {}, 1_000_000);
    expect(pending).toEqual({
      credential: {
        outputs: {},
        cookies: { 'better-auth.two_factor': expect.stringContaining('2fa-OwrYM97Svpg5zoivR8QK') },
      },
      methods: ['totp', 'email', 'recovery'],
      expiresAt: 1_600_000,
    });
    expect(adapter.secondFactor.pendingLogin('profile', received(step))).toBeUndefined();
    expect(adapter.secondFactor.pendingLogin('login', received(named('right code')))).toBeUndefined();
  });

  it.each([
    ['wrong code', 'totp', 'wrong'],
    ['right code', 'totp', 'accepted'],
    ['the same pending value again', 'totp', 'ended'],
    ['code without the pending value', 'totp', 'ended'],
    ['wrong code 6', 'totp', 'ended'],
    ['recovery code', 'recovery', 'accepted'],
    ['the same recovery code again', 'recovery', 'wrong'],
    ['wrong emailed code', 'email', 'wrong'],
    ['emailed code', 'email', 'accepted'],
  ] as const)('reads the recorded response to: %s', (title, method, outcome) => {
    expect(adapter.secondFactor.outcomeOf(method, received(named(title)))).toBe(outcome);
  });

  it('is the login again with a code where the server has it so, and wrong while it asks once more', () => {
    const { secondFactor } = adapterOf('directus');
    const directus = stepsOf('directus');
    const pending = secondFactor.pendingLogin('login', received(named('log in without a code', directus)));
    expect(pending).toEqual({ credential: { outputs: {}, cookies: {} }, methods: ['totp'] });
    expect(secondFactor.repeatsPassword('totp')).toBe(true);
    const outcomeOf = (title: string) => secondFactor.outcomeOf('totp', received(named(title, directus)));
    expect(outcomeOf('log in with a wrong code')).toBe('wrong');
    expect(outcomeOf('log in with a wrong password')).toBe('ended');
    expect(outcomeOf('log in with the right code')).toBe('accepted');
    expect(outcomeOf('right code after the wrong ones')).toBe('ended');
  });

  it('has waited too little after a 429, whatever else the description says', () => {
    const limited = { status: 429, rawHeaders: [], body: '{"code":"INVALID_CODE"}' };
    expect(adapter.secondFactor.outcomeOf('totp', limited)).toBe('rate-limited');
  });

  it('takes outputs of its response, and sends them with the code', () => {
    const firebase = adapterOf('firebase');
    const body = JSON.stringify({ mfaPendingCredential: 'pending', mfaInfo: [{ mfaEnrollmentId: 'factor' }] });
    const pending = firebase.secondFactor.pendingLogin('login', { status: 200, rawHeaders: [], body });
    expect(pending).toMatchObject({ credential: { outputs: { pending: 'pending', factor: 'factor' } } });
    const none = { status: 200, rawHeaders: [], body: '{"idToken":"t"}' };
    expect(firebase.secondFactor.pendingLogin('login', none)).toBeUndefined();
    const filled = new ApiAdapter(firebase.description, baseUrl, { apiKey: 'k' });
    const sent = filled.accountRequest('code.totp', { fields: { code: '123456' }, credential: pending!.credential });
    expect(sent.url).toBe(`${baseUrl}/v2/accounts/mfaSignIn:finalize?key=k`);
    expect(JSON.parse(sent.body!)).toEqual({
      mfaPendingCredential: 'pending',
      mfaEnrollmentId: 'factor',
      totpVerificationInfo: { verificationCode: '123456' },
    });
  });

  it('is asked of by the profile where the login says nothing, and keeps its cookie', () => {
    const { secondFactor } = adapterOf('appwrite');
    const body = '{"type":"user_more_factors_required"}';
    const before = { token: 'c', cookies: { a_session_x: 'c' } };
    const pending = secondFactor.pendingLogin('profile', { status: 401, rawHeaders: [], body }, before);
    expect(pending).toMatchObject({ credential: before, methods: ['totp', 'email', 'recovery'] });
    const after = secondFactor.pendingAfter(
      adapterOf('appwrite').accountOutputs('challenge.totp'),
      { status: 201, rawHeaders: [], body: '{"$id":"challenge-1"}' },
      pending!,
    );
    expect(after.credential.outputs).toEqual({ challengeId: 'challenge-1' });
  });

  it('sends a value of its response in a path only where the description says that it is no secret', () => {
    const { description } = adapterOf('supabase-gotrue');
    const gotrue = new ApiAdapter(description, baseUrl, { apikey: 'k' });
    const body = (id: string): string =>
      JSON.stringify({ access_token: 'aal1', user: { factors: [{ id, factor_type: 'totp', status: 'verified' }] } });
    const pendingOf = (id: string) =>
      gotrue.secondFactor.pendingLogin('login', { status: 200, rawHeaders: [], body: body(id) })!;
    const { credential } = pendingOf('f-1');
    expect(gotrue.accountPathFault('challenge.totp', credential)).toBeUndefined();
    const request = gotrue.accountRequest('challenge.totp', { credential });
    expect(request.url).toBe(`${baseUrl}/auth/v1/factors/f-1/challenge`);
    expect(request.headers).toContainEqual(['Authorization', 'Bearer aal1']);
    for (const id of ['../admin', '..', 'a/b', 'aal1', ''])
      expect(gotrue.accountPathFault('challenge.totp', pendingOf(id).credential)).toMatchObject({ output: 'factorId' });
  });
});

describe('a description with account calls is refused', () => {
  const calls = {
    login: { path: '/in', body: { email: '{{email}}', password: '{{password}}' } },
    profile: { path: '/me' },
  };
  const code = { path: '/code', body: { code: '{{code}}' } };
  const start = { path: '/secret', outputs: { secret: '$response.body#/secret' } };
  const withCalls = (more: object) => ({ name: 'x', calls: { ...calls, ...more } });
  const withFactor = (more: object) => ({ name: 'x', calls, secondFactor: { totp: code, ...more } });
  const withEnrollment = (more: object) => ({ name: 'x', calls, enrollment: { confirm: code, ...more } });
  const saidOf = (description: object): string[] => {
    const read = readDescription(JSON.stringify(description));
    return read.ok ? [] : read.faults.map(({ problem, at, name }) => [problem, at, name].filter(Boolean).join(' '));
  };

  it('is none where nothing is wrong with it', () => {
    expect(saidOf(withFactor({ email: { ...code, start: { path: '/send', body: {} } } }))).toEqual([]);
    expect(saidOf(withEnrollment({ start }))).toEqual([]);
  });

  it.each([
    [
      'without a way to send a code',
      { name: 'x', calls, secondFactor: { cookies: ['pending'] } },
      'wrong-value secondFactor',
    ],
    [
      'with a code call that sends none',
      withFactor({ totp: { path: '/code', body: { c: '123456' } } }),
      'missing secondFactor.totp.body code',
    ],
    ['with a code call without a body', withFactor({ totp: { path: '/code' } }), 'missing secondFactor.totp.body code'],
    [
      'with the code in an address',
      withFactor({ totp: { ...code, path: '/code?c={{code}}' } }),
      'placeholder-not-here secondFactor.totp.path code',
    ],
    [
      'with the code in the query of a GET',
      withFactor({ totp: { ...code, method: 'GET', encoding: 'query' } }),
      'query-not-here secondFactor.totp.encoding',
    ],
    [
      'with the code in the call before it',
      withFactor({ email: { ...code, start: { path: '/send', body: { c: '{{code}}' } } } }),
      'placeholder-not-here secondFactor.email.start.body code',
    ],
    [
      'with a start of a start',
      withFactor({ email: { ...code, start: { path: '/send', start: { path: '/a' } } } }),
      'unknown-key secondFactor.email.start start',
    ],
    [
      'with the code in a header',
      { ...withFactor({}), headers: { 'X-Code': '{{code}}' } },
      'placeholder-not-here headers.X-Code code',
    ],
    [
      'with the code in the login',
      { ...withFactor({}), calls: { ...calls, login: { path: '/in', body: { ...calls.login.body, c: '{{code}}' } } } },
      'placeholder-not-here calls.login.body code',
    ],
    [
      'that leads a code away',
      withFactor({ totp: { ...code, path: '/../admin' } }),
      'path-leads-away secondFactor.totp.path',
    ],
    [
      'with a secret of a response in the address of a code',
      withFactor({ outputs: { id: '$response.body#/id' }, totp: { ...code, path: '/{{id}}' } }),
      'placeholder-not-here secondFactor.totp.path id',
    ],
    [
      'with a pending token that is no secret',
      withFactor({ outputs: { token: { value: '$response.body#/t', secret: false } } }),
      'secret-output secondFactor.outputs token',
    ],
    ['with the cookies of everybody', withFactor({ cookies: ['*'] }), 'cookie-too-wide secondFactor.cookies *'],
    [
      'with a variable in the place of a code',
      { ...withFactor({}), variables: { code: { default: '1' } } },
      'name-taken variables code',
    ],
    [
      'with an output in the place of a code',
      withFactor({ outputs: { code: '$response.body#/code' } }),
      'name-taken secondFactor.outputs code',
    ],
    [
      'with the new password in the query of its address',
      withCalls({ changePassword: { path: '/p?n={{newPassword}}', body: { n: '{{newPassword}}' } } }),
      'placeholder-not-here calls.changePassword.path newPassword',
    ],
    [
      'that changes no password',
      withCalls({ changePassword: { path: '/p', body: { old: '{{password}}' } } }),
      'missing calls.changePassword.body newPassword',
    ],
    [
      'with the password in the request for a forgotten one',
      withCalls({ forgotPassword: { path: '/f', body: { p: '{{password}}' } } }),
      'placeholder-not-here calls.forgotPassword.body password',
    ],
    [
      'with the new password in the deletion',
      withCalls({ deleteAccount: { method: 'DELETE', path: '/me', body: { p: '{{newPassword}}' } } }),
      'placeholder-not-here calls.deleteAccount.body newPassword',
    ],
    [
      'with the email in an address',
      withCalls({ forgotPassword: { path: '/f/{{email}}' } }),
      'placeholder-not-here calls.forgotPassword.path email',
    ],
    [
      'with the secret of a factor in another call',
      withCalls({ deleteAccount: { path: '/d', body: { s: '{{secret}}' } } }),
      'placeholder-not-here calls.deleteAccount.body secret',
    ],
    [
      'with the secret of its factor in another call',
      { ...withEnrollment({ start }), calls: { ...calls, logout: { path: '/out', body: { s: '{{secret}}' } } } },
      'placeholder-not-here calls.logout.body secret',
    ],
    [
      'with the secret of a factor shown',
      withEnrollment({ start: { path: '/s', outputs: { secret: { value: '$response.body#/s', secret: false } } } }),
      'secret-output enrollment.start.outputs secret',
    ],
    [
      'with a variable in the place of the secret of a factor',
      { ...withEnrollment({}), variables: { secret: { default: 'x' } } },
      'name-taken variables secret',
    ],
    ['with an unknown way to get a code', withFactor({ sms: code }), 'unknown-key secondFactor sms'],
    [
      'whose refusal counts as success',
      withCalls({ deleteAccount: { path: '/d', ok: [500] } }),
      'wrong-value calls.deleteAccount.ok.0',
    ],
  ])('%s', (_what, description, said) => {
    expect(saidOf(description)).toContain(said);
  });

  it('not for a variable that is called code or secret, where nothing sends one', () => {
    const described = {
      ...withCalls({ login: { path: '/in', body: { ...calls.login.body, c: '{{code}}', s: '{{secret}}' } } }),
    };
    expect(saidOf({ ...described, variables: { code: { default: '1' }, secret: { secret: true } } })).toEqual([]);
  });
});

describe('a criterion', () => {
  it.each([
    [[{ a: 1 }], [{ a: 2 }, { a: 1, b: 2 }], true],
    [[{ a: 1 }, { b: 2 }], [{ b: 2 }, { a: 1 }], true],
    [[{ a: 1 }], [], false],
    [[{}], [{ a: 1 }], true],
    [[], [], true],
    [[], [1], false],
    [['totp'], ['totp', 'otp'], true],
    [['totp'], 'totp', false],
    [{ a: ['x'] }, { a: ['y', 'x'], b: 1 }, true],
  ])('%j matches %j: %s', (pattern, value, expected) => {
    expect(matches(pattern, value)).toBe(expected);
  });
});
