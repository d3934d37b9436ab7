import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { bob, startWithAccountCalls } from './support/account-service.ts';
import { ada } from './support/make-service.ts';

const calls = [
  ['POST', '/login/code'],
  ['POST', '/login/recovery-code'],
  ['POST', '/two-factor'],
  ['POST', '/two-factor/confirm'],
  ['PUT', '/password'],
  ['POST', '/password/forgot'],
  ['POST', '/email/resend'],
  ['DELETE', '/account'],
] as const;

describe('without the option', () => {
  it.each(calls)('%s %s is not there', async (method, at) => {
    const { send } = await startWithAccountCalls({ accountCalls: false });
    expect(await send(method, at, { body: {} })).toMatchObject({ status: 404 });
  });

  it('a login ignores codes, also of an account that has a factor', async () => {
    const file = path.join(await makeTemporaryFolder(), 'service.sqlite');
    const before = await startWithAccountCalls({ database: { file } });
    await before.enroll(ada);
    await before.service.close();
    const { login } = await startWithAccountCalls({ database: { file }, accountCalls: false });
    for (const code of ['000000', null, []]) expect((await login(ada, { code })).status).toBe(200);
  });
});

describe('a login of an account with a second factor', () => {
  it('asks for a code, and gives nothing but a pending token', async () => {
    const { enroll, login, profile } = await startWithAccountCalls();
    await enroll(ada);
    const asked = await login(ada);
    expect(asked).toMatchObject({ status: 403 });
    expect(asked.body).toEqual({
      message: 'Enter the code from your authenticator app, or a recovery code.',
      code: 'second_factor_required',
      pendingToken: expect.stringMatching(/^[\w-]{40}$/),
      methods: ['totp', 'recovery'],
    });
    expect(await profile(String(asked.body['pendingToken']))).toBe(401);
    expect((await login({ ...ada, password: 'another one' })).status).toBe(401);
    expect((await login({ ...ada, password: 'another one' }, { code: '123456' })).status).toBe(401);
  });

  it('takes the code of the present step and of one before and after it, each once', async () => {
    const { enroll, login, codeOf, profile } = await startWithAccountCalls();
    const { secret } = await enroll(ada);
    const statuses: number[] = [];
    for (const steps of [-2, -1, 0, 1, 2, 1, 0, -1]) {
      const { status } = await login(ada, { code: codeOf(secret, steps) });
      statuses.push(status);
    }
    // The third wrong one, of five.
    expect(statuses).toEqual([422, 200, 200, 200, 422, 422, 422, 422]);
    expect(await profile('1|x')).toBe(401);
  });

  it('responds like any login, and says which field is wrong', async () => {
    const { enroll, login, codeOf, wrongCodeOf, profile, send } = await startWithAccountCalls();
    const { secret } = await enroll(ada);
    const wrong = await login(ada, { code: wrongCodeOf(secret) });
    expect(wrong).toMatchObject({
      status: 422,
      body: { message: 'The code is not correct.', errors: { code: ['The code is not correct.'] } },
    });
    const spanish = await send('POST', '/login', { body: { ...ada, code: wrongCodeOf(secret) }, language: 'es' });
    expect(spanish.body).toMatchObject({ message: 'El campo código no es correcto.' });
    expect(await login(ada, { recoveryCode: 'AAAA-AAAA-AAAA-AAAA' })).toMatchObject({
      status: 422,
      body: { errors: { recoveryCode: ['The recovery code is not correct.'] } },
    });
    const right = await login(ada, { code: codeOf(secret) });
    expect(right.body).toMatchObject({ token_type: 'Bearer', user: { email: ada.email } });
    expect(await profile(String(right.body['token']))).toBe(200);
  });

  it('takes each recovery code once, in any case and with or without hyphens', async () => {
    const { enroll, login } = await startWithAccountCalls();
    const { recoveryCodes } = await enroll(ada);
    const [first = '', second = ''] = recoveryCodes;
    expect((await login(ada, { recoveryCode: first })).status).toBe(200);
    expect((await login(ada, { recoveryCode: first })).status).toBe(422);
    expect((await login(ada, { recoveryCode: second.toLowerCase().replaceAll('-', ' ') })).status).toBe(200);
  });

  it.each([
    ['no text', 123_456, 'The code field must be a string.'],
    ['null', null, 'The code field must be a string.'],
    ['a list', ['123456'], 'The code field must be a string.'],
    ['empty', '', 'The code field is required.'],
    ['long', '1'.repeat(10_000), 'The code is not correct.'],
    ['blank', ' ', 'The code is not correct.'],
    ['no digits', 'abcdef', 'The code is not correct.'],
    ['a null character', '12345\0', 'The code field must not contain null characters or broken Unicode.'],
  ])('refuses a code that is %s', async (_what, code, message) => {
    const { enroll, login, pendingTokenOf, send } = await startWithAccountCalls();
    const { token } = await enroll(ada);
    const expected = { status: 422, body: { errors: { code: [message] } } };
    expect(await login(ada, { code })).toMatchObject(expected);
    const pendingToken = await pendingTokenOf(ada);
    expect(await send('POST', '/login/code', { body: { pendingToken, code } })).toMatchObject(expected);
    const confirmed = await send('POST', '/two-factor/confirm', { body: { code }, token });
    expect(confirmed.status).toBe(typeof code === 'string' && !code.includes('\0') && code !== '' ? 409 : 422);
  });

  it('has no more than five wrong codes in five minutes, also where logins are not limited', async () => {
    const { enroll, login, codeOf, wrongCodeOf, advance } = await startWithAccountCalls({ rateLimit: 'off' });
    const { secret, recoveryCodes } = await enroll(ada);
    await enroll(bob);
    // What is no text is no guess.
    for (let round = 0; round < 10; round += 1) expect((await login(ada, { code: '' })).status).toBe(422);
    for (let round = 0; round < 4; round += 1)
      expect((await login(ada, { code: wrongCodeOf(secret) })).status).toBe(422);
    expect((await login(ada, { code: codeOf(secret) })).status).toBe(200);
    expect((await login(ada, { recoveryCode: 'AAAA' })).status).toBe(422);
    const limited = await login(ada, { code: codeOf(secret, 1) });
    expect([limited.status, Number(limited.headers.get('retry-after'))]).toEqual([429, 300]);
    expect((await login(ada, { recoveryCode: recoveryCodes[0] })).status).toBe(429);
    // It is a limit of the account, and says nothing about the password.
    expect((await login(ada)).status).toBe(403);
    expect((await login(bob)).status).toBe(403);
    await advance(300_000);
    expect((await login(ada, { code: codeOf(secret) })).status).toBe(200);
  });

  it('has no more than five wrong codes when they are sent at once', async () => {
    const { enroll, login, pendingTokenOf, send, wrongCodeOf } = await startWithAccountCalls({ rateLimit: 'off' });
    const { secret } = await enroll(ada);
    const code = wrongCodeOf(secret);
    const pendingToken = await pendingTokenOf(ada);
    const statusesOf = async (sent: () => Promise<{ status: number }>): Promise<string> =>
      (await Promise.all(Array.from({ length: 8 }, async () => (await sent()).status)))
        .toSorted((a, b) => a - b)
        .join();
    expect(await statusesOf(() => login(ada, { code }))).toBe('422,422,422,422,422,429,429,429');
    expect(await statusesOf(() => send('POST', '/login/code', { body: { pendingToken, code } }))).toBe(
      '401,401,401,422,422,422,422,422',
    );
  });
});

describe('a pending login', () => {
  it('is completed by a code, once', async () => {
    const { enroll, send, pendingTokenOf, codeOf, wrongCodeOf, profile } = await startWithAccountCalls();
    const { secret } = await enroll(ada);
    const pendingToken = await pendingTokenOf(ada);
    const sendCode = (code: string) => send('POST', '/login/code', { body: { pendingToken, code } });
    expect(await sendCode(wrongCodeOf(secret))).toMatchObject({
      status: 422,
      body: { errors: { code: ['The code is not correct.'] } },
    });
    const done = await sendCode(codeOf(secret));
    expect(done).toMatchObject({ status: 200, body: { token_type: 'Bearer', user: { email: ada.email } } });
    expect(await profile(String(done.body['token']))).toBe(200);
    const again = await sendCode(codeOf(secret, 1));
    expect(again).toMatchObject({
      status: 401,
      body: { message: 'This login has ended. Log in again.', code: 'pending_login_ended' },
    });
    expect(again.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is completed by a recovery code', async () => {
    const { enroll, send, pendingTokenOf } = await startWithAccountCalls();
    const { recoveryCodes } = await enroll(ada);
    const sendCode = async (recoveryCode: string) =>
      send('POST', '/login/recovery-code', { body: { pendingToken: await pendingTokenOf(ada), recoveryCode } });
    expect(await sendCode('nothing')).toMatchObject({
      status: 422,
      body: { errors: { recoveryCode: ['The recovery code is not correct.'] } },
    });
    expect((await sendCode(recoveryCodes[9]!)).status).toBe(200);
    expect((await sendCode(recoveryCodes[9]!)).status).toBe(422);
  });

  it('ends after five wrong codes, after five minutes and for an unknown token', async () => {
    const { enroll, send, pendingTokenOf, codeOf, wrongCodeOf, advance } = await startWithAccountCalls();
    const { secret } = await enroll(ada);
    const sendCode = async (pendingToken: unknown, code: string) =>
      (await send('POST', '/login/code', { body: { pendingToken, code } })).status;
    const first = await pendingTokenOf(ada);
    for (let round = 0; round < 5; round += 1) expect(await sendCode(first, wrongCodeOf(secret))).toBe(422);
    expect(await sendCode(first, codeOf(secret))).toBe(401);
    // Another login of the account is not affected.
    const second = await pendingTokenOf(ada);
    await advance(299_000);
    expect(await sendCode(second, wrongCodeOf(secret))).toBe(422);
    await advance(1000);
    expect(await sendCode(second, codeOf(secret))).toBe(401);
    expect(await sendCode('unknown', codeOf(secret))).toBe(401);
    for (const none of [undefined, null, 5, [], '']) expect(await sendCode(none, codeOf(secret))).toBe(422);
  });

  it('of an account waits after twenty-five wrong codes', async () => {
    const { enroll, send, pendingTokenOf, codeOf, wrongCodeOf } = await startWithAccountCalls();
    const { secret } = await enroll(ada);
    for (let login = 0; login < 5; login += 1) {
      const pendingToken = await pendingTokenOf(ada);
      for (let round = 0; round < 5; round += 1)
        await send('POST', '/login/code', { body: { pendingToken, code: wrongCodeOf(secret) } });
    }
    const body = { pendingToken: await pendingTokenOf(ada), code: codeOf(secret) };
    expect((await send('POST', '/login/code', { body })).status).toBe(429);
  });

  it('is completed once by two codes at once', async () => {
    const { enroll, send, pendingTokenOf, codeOf } = await startWithAccountCalls();
    const { secret } = await enroll(ada);
    const pendingToken = await pendingTokenOf(ada);
    const both = await Promise.all(
      [0, 1].map((steps) => send('POST', '/login/code', { body: { pendingToken, code: codeOf(secret, steps) } })),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  it('does not survive a changed password or a deleted account', async () => {
    const { enroll, send, pendingTokenOf, codeOf } = await startWithAccountCalls();
    const { secret, token } = await enroll(ada);
    const first = await pendingTokenOf(ada);
    const newPassword = 'difference engine';
    const change = { currentPassword: ada.password, newPassword };
    expect((await send('PUT', '/password', { body: change, token })).status).toBe(200);
    const sendCode = async (pendingToken: string) =>
      (await send('POST', '/login/code', { body: { pendingToken, code: codeOf(secret) } })).status;
    expect(await sendCode(first)).toBe(401);
    const second = await pendingTokenOf({ ...ada, password: newPassword });
    expect((await send('DELETE', '/account', { body: { password: newPassword }, token })).status).toBe(200);
    expect(await sendCode(second)).toBe(401);
  });
});

describe('a second factor', () => {
  it('is added with the password, and active once its first code confirmed it', async () => {
    const { send, tokenOf, login, codeOf, wrongCodeOf, advance } = await startWithAccountCalls();
    await send('POST', '/registro', { body: ada });
    const token = await tokenOf(ada);
    expect(await send('POST', '/two-factor', { body: { password: 'another one' }, token })).toMatchObject({
      status: 422,
      body: { errors: { password: ['The password is not correct.'] } },
    });
    expect((await send('POST', '/two-factor', { body: {}, token })).status).toBe(422);
    expect((await send('POST', '/two-factor/confirm', { body: { code: '123456' }, token })).status).toBe(422);
    const first = await send('POST', '/two-factor', { body: { password: ada.password }, token });
    const begun = await send('POST', '/two-factor', { body: { password: ada.password }, token });
    expect(begun.body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauthUrl: expect.stringMatching(
        /^otpauth:\/\/totp\/Llavero:ada%40example\.test\?secret=[A-Z2-7]{32}&issuer=Llavero$/,
      ),
      recoveryCodes: Array.from({ length: 10 }, () => expect.stringMatching(/^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)),
    });
    const secret = String(begun.body['secret']);
    expect((await login(ada)).status).toBe(200);
    const confirm = async (code: string) =>
      (await send('POST', '/two-factor/confirm', { body: { code }, token })).status;
    expect([await confirm(codeOf(String(first.body['secret']))), await confirm(wrongCodeOf(secret))]).toEqual([
      422, 422,
    ]);
    expect(await send('POST', '/two-factor/confirm', { body: { code: codeOf(secret) }, token })).toMatchObject({
      status: 200,
      body: { message: 'Two-factor authentication is on.' },
    });
    expect((await login(ada)).status).toBe(403);
    // The code that confirmed it was its first use.
    expect((await login(ada, { code: codeOf(secret) })).status).toBe(422);
    await advance(30_000);
    expect((await login(ada, { code: codeOf(secret) })).status).toBe(200);
    expect((await send('POST', '/two-factor', { body: { password: ada.password }, token })).status).toBe(409);
    expect(await confirm(codeOf(secret, 1))).toBe(409);
  });

  it('of another account has other codes', async () => {
    const { enroll, login, codeOf } = await startWithAccountCalls();
    const { secret, recoveryCodes } = await enroll(ada);
    await enroll(bob);
    expect((await login(bob, { code: codeOf(secret) })).status).toBe(422);
    expect((await login(bob, { recoveryCode: recoveryCodes[0] })).status).toBe(422);
  });

  it('outlives a restart, with its used codes and recovery codes', async () => {
    const file = path.join(await makeTemporaryFolder(), 'service.sqlite');
    const before = await startWithAccountCalls({ database: { file } });
    const { secret, recoveryCodes } = await before.enroll(ada);
    const code = before.codeOf(secret);
    expect((await before.login(ada, { code })).status).toBe(200);
    expect((await before.login(ada, { recoveryCode: recoveryCodes[0] })).status).toBe(200);
    await before.service.close();
    const after = await startWithAccountCalls({ database: { file } });
    await after.advance(120_000);
    expect(after.codeOf(secret)).toBe(code);
    expect((await after.login(ada)).status).toBe(403);
    expect((await after.login(ada, { code })).status).toBe(422);
    expect((await after.login(ada, { recoveryCode: recoveryCodes[0] })).status).toBe(422);
    expect((await after.login(ada, { recoveryCode: recoveryCodes[1] })).status).toBe(200);
    expect((await after.login(ada, { code: after.codeOf(secret, 1) })).status).toBe(200);
  });
});

describe('a password', () => {
  it('is changed with the current one, and ends every other session', async () => {
    const { send, tokenOf, profile, login } = await startWithAccountCalls();
    await send('POST', '/registro', { body: ada });
    await send('POST', '/registro', { body: bob });
    const [token, other, ofBob] = [await tokenOf(ada), await tokenOf(ada), await tokenOf(bob)];
    const change = (body: object) => send('PUT', '/password', { body, token });
    const newPassword = 'difference engine';
    expect(await change({ currentPassword: 'another one', newPassword })).toMatchObject({
      status: 422,
      body: { errors: { currentPassword: ['The current password is not correct.'] } },
    });
    expect(await change({ currentPassword: ada.password, newPassword: 'short' })).toMatchObject({
      status: 422,
      body: { errors: { newPassword: ['The new password field must be at least 8 characters.'] } },
    });
    expect((await change({ newPassword: 12_345_678 })).body['errors']).toEqual({
      currentPassword: ['The current password field is required.'],
      newPassword: ['The new password field must be a string.'],
    });
    expect(await profile(other)).toBe(200);
    expect(await change({ currentPassword: ada.password, newPassword })).toMatchObject({
      status: 200,
      body: { message: 'The password was changed. All other sessions were logged out.' },
    });
    expect([await profile(token), await profile(other), await profile(ofBob)]).toEqual([200, 401, 200]);
    expect([(await login(ada)).status, (await login({ ...ada, password: newPassword })).status]).toEqual([401, 200]);
  });

  it('is changed once by two at once', async () => {
    const { send, tokenOf } = await startWithAccountCalls();
    await send('POST', '/registro', { body: ada });
    const token = await tokenOf(ada);
    const both = await Promise.all(
      ['difference engine', 'analytical machine'].map((newPassword) =>
        send('PUT', '/password', { body: { currentPassword: ada.password, newPassword }, token }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('that is guessed with a token counts as a failed login', async () => {
    const { send, tokenOf, login } = await startWithAccountCalls();
    await send('POST', '/registro', { body: ada });
    const token = await tokenOf(ada);
    const body = { currentPassword: 'another one', newPassword: 'difference engine' };
    for (let round = 0; round < 5; round += 1)
      expect((await send('PUT', '/password', { body, token })).status).toBe(422);
    expect((await send('PUT', '/password', { body, token })).headers.get('retry-after')).toBe('60');
    expect((await send('DELETE', '/account', { body: ada, token })).status).toBe(429);
    expect((await login(ada)).status).toBe(429);
  });
});

describe('a request about an email', () => {
  it.each([
    ['/password/forgot', /^If an account has this email, a message to reset/],
    ['/email/resend', /^If an account has this email and is not confirmed/],
  ])('to %s has the same response for any email', async (at, message) => {
    const { send, service } = await startWithAccountCalls();
    await send('POST', '/registro', { body: ada });
    const answers = [];
    for (const email of [ada.email, 'nobody@example.test']) answers.push(await send('POST', at, { body: { email } }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]!.body).toEqual({ message: expect.stringMatching(message) });
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    expect((await send('POST', at, { body: { email: 'no email' } })).body['errors']).toHaveProperty('email');
    expect((await send('POST', at, { body: {} })).status).toBe(422);
    expect((await send('POST', at, { body: '{' })).status).toBe(400);
    const form = { method: 'POST', body: new URLSearchParams({ email: ada.email }) };
    expect((await fetch(`${service.baseUrl}/api/v1/auth${at}`, form)).status).toBe(415);
  });
});

describe('an account', () => {
  it('is deleted with its password, with its sessions, its factor and its codes', async () => {
    const { enroll, send, profile, tokenOf, login, codeOf, data } = await startWithAccountCalls();
    const { token, secret } = await enroll(ada);
    const other = await tokenOf(ada, { code: codeOf(secret) });
    for (const body of [{ password: 'another one' }, { password: null }, {}, []])
      expect((await send('DELETE', '/account', { body, token })).status).toBe(422);
    expect((await send('DELETE', '/account', { token })).status).toBe(422);
    expect(await send('DELETE', '/account', { body: { password: ada.password }, token })).toMatchObject({
      status: 200,
      body: { message: 'The account was deleted.' },
    });
    expect([await profile(token), await profile(other), (await login(ada)).status]).toEqual([401, 401, 401]);
    expect((await send('DELETE', '/account', { body: { password: ada.password }, token })).status).toBe(401);
    expect((await data.sessions({ offset: 0, limit: 10 })).total).toBe(0);
    expect((await send('POST', '/registro', { body: ada })).body).toMatchObject({ user: { id: 2 } });
    expect((await login(ada)).status).toBe(200);
  });

  it('is deleted once by two at once, and no login of it is left', async () => {
    const { send, tokenOf, login } = await startWithAccountCalls();
    await send('POST', '/registro', { body: ada });
    const token = await tokenOf(ada);
    const remove = () => send('DELETE', '/account', { body: { password: ada.password }, token });
    const [first, second, ...logins] = await Promise.all([remove(), remove(), login(ada), login(ada)]);
    expect([first.status, second.status].toSorted((a, b) => a - b)[0]).toBe(200);
    for (const { status } of [first, second, ...logins]) expect([200, 401, 422]).toContain(status);
    expect((await login(ada)).status).toBe(401);
  });
});

describe('the calls of a session', () => {
  it.each(calls.filter(([, at]) => !/login|forgot|resend/.test(at)))('%s %s needs its token', async (method, at) => {
    const { send } = await startWithAccountCalls();
    for (const token of ['1|x', undefined]) {
      const refused = await send(method, at, { body: {}, ...(token !== undefined && { token }) });
      expect(refused).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } });
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('have one method', async () => {
    const { send } = await startWithAccountCalls();
    for (const [method, at] of calls) {
      const refused = await send('PATCH', at, { body: {} });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, method]);
    }
  });
});
