import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { credentialAfterCode } from '../../../main/interface/credential-after-code.ts';
import { readDescription } from '../../../main/interface/read-description.ts';

/**
 * Two servers that were described from their documents alone, and never run. The responses are those of the documents, with
 * shorter tokens and users.
 */

const folder = path.resolve(import.meta.dirname, '../../fixtures/account-calls');
const baseUrl = 'https://server.example.test';

function adapterOf(name: string, variables: Record<string, string> = {}): ApiAdapter {
  const read = readDescription(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return new ApiAdapter(read.description, baseUrl, variables);
}

const response = (status: number, body?: object, ...rawHeaders: [string, string][]) => ({
  status,
  rawHeaders,
  body: body === undefined ? '' : JSON.stringify(body),
});

/** A request without what every request has. */
const sent = ({ method, url, headers, body }: ReturnType<ApiAdapter['request']>) => ({
  call: `${method} ${url.slice(baseUrl.length)}`,
  body: body === undefined ? undefined : JSON.parse(body),
  credential: headers.filter(([name]) => name === 'Authorization' || name === 'Cookie'),
});

// https://fusionauth.io/docs/apis/login
describe('FusionAuth continues a login with a value in the body', () => {
  const applicationId = '10000000-0000-0002-0000-000000000001';
  const adapter = adapterOf('fusionauth', { applicationId });
  const { secondFactor } = adapter;
  // The members are those of LoginResponse in https://github.com/FusionAuth/fusionauth-openapi, and the values those of
  // https://fusionauth.io/docs/apis/two-factor#start-multi-factor, which gives the same two.
  const twoFactorId = 'DvnAUMCHLxCCAWyHXOVWPQd8ZY0a6U0e3YpYkT0MNxs';
  const email = { id: 'KLRT', method: 'email', email: 'richard@piedpiper.com' };
  const authenticator = {
    id: 'BD5R',
    method: 'authenticator',
    authenticator: { algorithm: 'HmacSHA1', codeLength: 6, timeStep: 30 },
  };
  const asked = response(242, { methods: [email, authenticator], twoFactorId });
  const session = { credential: { token: 'eyJ.access', outputs: { refreshToken: 'xRxGGEpVawiUak6He367' } } };

  it('holds what the 242 gave for five minutes, and sends it with the code', () => {
    const fields = { email: 'example@fusionauth.io', password: 'password' };
    expect(sent(adapter.request('login', { fields }))).toEqual({
      call: 'POST /api/login',
      body: { loginId: 'example@fusionauth.io', password: 'password', applicationId },
      credential: [],
    });
    const pending = secondFactor.pendingLogin('login', asked, {}, 1_000_000);
    expect(pending).toEqual({
      credential: { outputs: { twoFactorId }, cookies: {} },
      methods: ['totp', 'recovery'],
      expiresAt: 1_300_000,
    });
    const { credential } = pending!;
    for (const [call, code] of [
      ['code.totp', '435612'],
      ['code.recovery', 'QJD73-L6GR5'],
    ] as const)
      expect(sent(adapter.accountRequest(call, { fields: { code }, credential }))).toEqual({
        call: 'POST /api/two-factor/login',
        body: { twoFactorId, code, applicationId },
        credential: [],
      });
  });

  it('offers no authenticator app to a user who has none, and holds nothing after another success', () => {
    const methodsOf = (methods: object[]) =>
      secondFactor.pendingLogin('login', response(242, { methods, twoFactorId }))?.methods;
    expect(methodsOf([email])).toEqual(['recovery']);
    expect(methodsOf([])).toEqual(['recovery']);
    expect(secondFactor.pendingLogin('login', response(200, { token: 'eyJ.access', user: {} }))).toBeUndefined();
    expect(secondFactor.pendingLogin('login', response(404))).toBeUndefined();
  });

  it.each([
    ['a wrong code', response(421), 'wrong'],
    ['an invalid or expired twoFactorId', response(404), 'ended'],
    ['a prevented login', response(409, { actions: [] }), 'ended'],
    ['a malformed request', response(400, { fieldErrors: {} }), 'ended'],
    ['an accepted code', response(200, { token: 'eyJ.access', user: {} }), 'accepted'],
  ])('reads the documented response to %s', (_what, received, outcome) => {
    expect(secondFactor.outcomeOf('totp', received)).toBe(outcome);
  });

  it('has a session after the code that can be renewed, and none after one that asks for a new password', () => {
    const pending = secondFactor.pendingLogin('login', asked)!;
    const accepted = response(200, { token: 'eyJ.access', refreshToken: 'xRxGGEpVawiUak6He367', user: {} });
    const credential = credentialAfterCode(adapter, 'totp', accepted, pending);
    expect(credential).toEqual(session.credential);
    expect(adapter.canRefresh(credential)).toBe(true);
    const changeFirst = response(203, { changePasswordId: 'l8yZoEdgJRUVR1nSYBEp', changePasswordReason: 'Expired' });
    expect(credentialAfterCode(adapter, 'totp', changeFirst, pending)).toEqual({});
  });

  // https://fusionauth.io/docs/apis/two-factor, https://fusionauth.io/docs/apis/users and https://fusionauth.io/docs/apis/jwt
  it('makes the documented requests about the account', () => {
    const secret = 'GZCTAMCJIFSTKN3TKI';
    expect(sent(adapter.accountRequest('enrollment.start', session))).toEqual({
      call: 'GET /api/two-factor/secret',
      credential: [['Authorization', 'Bearer eyJ.access']],
    });
    expect(
      sent(adapter.accountRequest('enrollment.confirm', { ...session, fields: { code: '435612', secret } })).body,
    ).toEqual({ method: 'authenticator', secretBase32Encoded: secret, code: '435612' });
    expect(
      sent(adapter.accountRequest('changePassword', { ...session, fields: { password: 'old', newPassword: 'new' } })),
    ).toEqual({
      call: 'POST /api/user/change-password',
      body: { currentPassword: 'old', password: 'new' },
      credential: [['Authorization', 'Bearer eyJ.access']],
    });
    expect(sent(adapter.accountRequest('forgotPassword', { fields: { email: 'example@fusionauth.io' } }))).toEqual({
      call: 'POST /api/user/forgot-password',
      body: { loginId: 'example@fusionauth.io', applicationId },
      credential: [],
    });
    const refreshToken = session.credential.outputs.refreshToken;
    for (const [name, call] of [
      ['refresh', 'POST /api/jwt/refresh'],
      ['logout', 'POST /api/logout'],
    ] as const)
      expect(sent(adapter.request(name, session))).toEqual({ call, body: { refreshToken }, credential: [] });
  });
});

// https://github.com/go-vikunja/vikunja/blob/main/pkg/swagger/swagger.json
describe('Vikunja takes the code with the password again', () => {
  const adapter = adapterOf('vikunja');
  const { secondFactor } = adapter;
  const fields = { username: 'test', password: '12345678' };
  // https://vikunja.io/docs/errors/: a code that is missing is refused like a wrong one, as
  // https://github.com/go-vikunja/app/issues/31 shows.
  const refused = response(412, { code: 1017, message: 'Invalid totp passcode' });
  // https://vikunja.io/docs/api-login-session-migration/
  const token = 'eyJ.short-lived';
  const cookie = 'Path=/api/v1/user/token/refresh; HttpOnly; Secure; SameSite=Strict; Max-Age=259200';
  const accepted = response(200, { token }, ['Set-Cookie', `vikunja_refresh_token=r-1; ${cookie}`]);

  it('asks for a code with the refusal of a wrong one, and is sent the login again', () => {
    expect(sent(adapter.request('login', { fields }))).toEqual({
      call: 'POST /api/v1/login',
      body: fields,
      credential: [],
    });
    const pending = secondFactor.pendingLogin('login', refused)!;
    expect(pending).toEqual({ credential: { outputs: {}, cookies: {} }, methods: ['totp'] });
    expect(secondFactor.repeatsPassword('totp')).toBe(true);
    const { credential } = pending;
    expect(sent(adapter.accountRequest('code.totp', { fields: { ...fields, code: '123456' }, credential }))).toEqual({
      call: 'POST /api/v1/login',
      body: { ...fields, totp_passcode: '123456' },
      credential: [],
    });
  });

  it.each([
    ['a wrong code', refused, 'wrong'],
    ['a wrong password', response(412, { code: 1011, message: 'Wrong username or password.' }), 'ended'],
    ['a disabled account', response(412, { code: 1020, message: 'This user account is disabled.' }), 'ended'],
    ['an accepted code', accepted, 'accepted'],
  ])('reads the documented response to %s', (_what, received, outcome) => {
    expect(secondFactor.outcomeOf('totp', received)).toBe(outcome);
    const isAsked = outcome === 'wrong';
    expect(secondFactor.pendingLogin('login', received) !== undefined).toBe(isAsked);
  });

  it('renews the session after the code with the cookie of that response alone', () => {
    const pending = secondFactor.pendingLogin('login', refused)!;
    const credential = credentialAfterCode(adapter, 'totp', accepted, pending);
    expect(credential).toMatchObject({ token, cookies: { vikunja_refresh_token: 'r-1' } });
    expect(sent(adapter.request('profile', { credential })).credential).toEqual([['Authorization', `Bearer ${token}`]]);
    expect(sent(adapter.request('refresh', { credential }))).toEqual({
      call: 'POST /api/v1/user/token/refresh',
      credential: [['Cookie', 'vikunja_refresh_token=r-1']],
    });
    expect(sent(adapter.request('logout', { credential }))).toMatchObject({
      call: 'POST /api/v1/user/logout',
      credential: expect.arrayContaining([['Authorization', `Bearer ${token}`]]),
    });
  });

  it('makes the documented requests about the account', () => {
    const credential = { token };
    expect(sent(adapter.accountRequest('enrollment.start', { credential })).call).toBe(
      'POST /api/v1/user/settings/totp/enroll',
    );
    expect(
      sent(adapter.accountRequest('enrollment.confirm', { credential, fields: { code: '123456' } })),
    ).toMatchObject({ call: 'POST /api/v1/user/settings/totp/enable', body: { passcode: '123456' } });
    expect(
      sent(adapter.accountRequest('changePassword', { credential, fields: { password: 'old', newPassword: 'new' } })),
    ).toMatchObject({ call: 'POST /api/v1/user/password', body: { old_password: 'old', new_password: 'new' } });
    expect(sent(adapter.accountRequest('forgotPassword', { fields: { email: 'a@b.test' } }))).toMatchObject({
      call: 'POST /api/v1/user/password/token',
      body: { email: 'a@b.test' },
    });
    expect(adapter.hasAccountCall('deleteAccount')).toBe(false);
  });
});
