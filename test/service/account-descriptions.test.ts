import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AccountCall } from '../../main/interface/account-calls.ts';
import { ApiAdapter } from '../../main/interface/api-adapter.ts';
import type { Credential } from '../../main/interface/credential.ts';
import { readDescription } from '../../main/interface/read-description.ts';
import type { PlaceholderValues } from '../../main/interface/template.ts';
import { startWithAccountCalls } from './support/account-service.ts';
import { ada } from './support/make-service.ts';

const folder = path.resolve(import.meta.dirname, '../fixtures/account-calls/descriptions');
const newPassword = 'difference engine';

async function startDescribed(name: string) {
  const service = await startWithAccountCalls();
  const read = readDescription(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const adapter = new ApiAdapter(read.description, service.service.baseUrl);
  async function sent({ url, method, headers, body }: ReturnType<ApiAdapter['request']>) {
    const response = await fetch(url, {
      method,
      headers: headers.map(([header, value]): [string, string] => [header, value]),
      ...(body !== undefined && { body }),
    });
    return { status: response.status, rawHeaders: [...response.headers], body: await response.text() };
  }
  return {
    ...service,
    adapter,
    logIn: (password: string) => sent(adapter.request('login', { fields: { email: ada.email, password } })),
    call: (name: AccountCall, fields: PlaceholderValues, credential: Credential = {}) =>
      sent(adapter.accountRequest(name, { fields, credential })),
  };
}

const tokenIn = (body: string): string => z.object({ token: z.string() }).parse(JSON.parse(body)).token;

describe.each(['llavero-service', 'llavero-service-pending'])('by the description %s', (name) => {
  it('a factor is added, and a login is completed by a code and by a recovery code', async () => {
    const service = await startDescribed(name);
    const { adapter, logIn, call, send, codeOf, wrongCodeOf, advance, profile } = service;
    const { secondFactor } = adapter;
    await send('POST', '/registro', { body: ada });
    const credential = { token: tokenIn((await logIn(ada.password)).body) };
    const begun = await call('enrollment.start', { password: ada.password }, credential);
    const { outputs } = secondFactor.pendingAfter(adapter.accountOutputs('enrollment.start'), begun, {
      credential,
      methods: [],
    }).credential;
    const { secret = '', recoveryCode = '' } = outputs ?? {};
    expect((await call('enrollment.confirm', { code: codeOf(secret) }, credential)).status).toBe(200);
    await advance(60_000);

    const asked = await logIn(ada.password);
    const pending = secondFactor.pendingLogin('login', asked)!;
    expect(pending.methods).toEqual(['totp', 'recovery']);
    expect(pending.expiresAt === undefined).toBe(secondFactor.repeatsPassword('totp'));
    const typed = { email: ada.email, password: ada.password };
    const outcomeOf = async (method: 'totp' | 'recovery', code: string, at = pending) => {
      const response = await call(`code.${method}`, { ...typed, code }, at.credential);
      return [secondFactor.outcomeOf(method, response), response.body] as const;
    };
    expect((await outcomeOf('totp', wrongCodeOf(secret)))[0]).toBe('wrong');
    expect((await outcomeOf('recovery', 'AAAA-AAAA'))[0]).toBe('wrong');
    const [outcome, body] = await outcomeOf('totp', codeOf(secret));
    expect([outcome, await profile(tokenIn(body))]).toEqual(['accepted', 200]);
    const again = secondFactor.repeatsPassword('totp') ? 'wrong' : 'ended';
    expect((await outcomeOf('totp', codeOf(secret)))[0]).toBe(again);
    const next = secondFactor.pendingLogin('login', await logIn(ada.password))!;
    expect((await outcomeOf('recovery', recoveryCode, next))[0]).toBe('accepted');
    expect(secondFactor.pendingLogin('login', await logIn('another one'))).toBeUndefined();
  });

  it('the limit of codes is read as one', async () => {
    const { adapter, logIn, call, enroll, codeOf, wrongCodeOf } = await startDescribed(name);
    const { secret } = await enroll(ada);
    const { credential } = adapter.secondFactor.pendingLogin('login', await logIn(ada.password))!;
    const fields = { email: ada.email, password: ada.password };
    for (let round = 0; round < 5; round += 1)
      await call('code.totp', { ...fields, code: wrongCodeOf(secret) }, credential);
    const limited = await call('code.totp', { ...fields, code: codeOf(secret) }, credential);
    expect(adapter.secondFactor.outcomeOf('totp', limited)).toBe(
      adapter.secondFactor.repeatsPassword('totp') ? 'rate-limited' : 'ended',
    );
  });

  it('the password is changed, emails are asked for, and the account is deleted', async () => {
    const { logIn, call, send, profile } = await startDescribed(name);
    await send('POST', '/registro', { body: ada });
    const credential = { token: tokenIn((await logIn(ada.password)).body) };
    const changed = await call('changePassword', { password: ada.password, newPassword }, credential);
    expect([changed.status, (await logIn(newPassword)).status]).toEqual([200, 200]);
    expect((await call('forgotPassword', { email: ada.email })).status).toBe(200);
    expect((await call('resendConfirmation', { email: ada.email })).status).toBe(200);
    expect((await call('deleteAccount', { password: ada.password }, credential)).status).toBe(422);
    expect((await call('deleteAccount', { password: newPassword }, credential)).status).toBe(200);
    expect(await profile(credential.token)).toBe(401);
  });
});

describe('the OpenAPI document with account calls', () => {
  it.each(['en', 'es'])('has no fault that Redocly finds, and every call: %s', async (language) => {
    const { service } = await startWithAccountCalls();
    const response = await fetch(`${service.baseUrl}/api/v1/openapi.json`, {
      headers: { 'accept-language': language },
    });
    const text = await response.text();
    const problems = await lintFromString({
      source: text,
      config: await createConfig({ extends: ['recommended'] }),
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
    const { paths } = z
      .object({
        paths: z.record(
          z.string(),
          z.record(
            z.string(),
            z.looseObject({
              summary: z.string(),
              security: z.array(z.unknown()),
              responses: z.record(z.string(), z.unknown()),
            }),
          ),
        ),
      })
      .parse(JSON.parse(text));
    const listed = Object.entries(paths).flatMap(([at, methods]) =>
      Object.entries(methods).map(
        ([method, { security }]) => `${method} ${at.replace('/api/v1/auth', '')} ${security.length}`,
      ),
    );
    expect(listed.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'delete /account 1',
      'get /perfil 1',
      'post /email/resend 0',
      'post /login 0',
      'post /login/code 0',
      'post /login/recovery-code 0',
      'post /password/forgot 0',
      'post /register 0',
      'post /registro 0',
      'post /salir 1',
      'post /two-factor 1',
      'post /two-factor/confirm 1',
      'put /password 1',
    ]);
    expect(Object.keys(paths['/api/v1/auth/login']?.['post']?.responses ?? {})).toContain('403');
  });
});
