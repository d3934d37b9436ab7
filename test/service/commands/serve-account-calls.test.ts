import { once } from 'node:events';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { currentCode } from '../../../main/interface/totp.ts';
import { ada } from '../support/make-service.ts';
import { folder, postJson, serve } from '../support/serve-process.ts';

const Begun = z.object({ secret: z.string(), recoveryCodes: z.array(z.string()) });

it('serve has account calls behind an option, and a factor with its used codes survives a kill', async () => {
  const data = folder();
  const options = ['--port', '0', '--data', data, '--account-calls', '--argon2', 'm=8,t=1,p=1'];
  const first = serve(options);
  const { baseUrl } = await first.ready();
  await postJson(baseUrl, 'registro', ada);
  const { token } = z.object({ token: z.string() }).parse(await (await postJson(baseUrl, 'login', ada)).json());
  const withToken = async (path: string, body: object) =>
    fetch(`${baseUrl}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const { secret, recoveryCodes } = Begun.parse(await (await withToken('two-factor', ada)).json());
  const { code } = currentCode(secret, Date.now())!;
  expect((await withToken('two-factor/confirm', { code })).status).toBe(200);
  const [used, unused] = recoveryCodes;
  expect((await postJson(baseUrl, 'login', { ...ada, recoveryCode: used })).status).toBe(200);
  first.child.kill('SIGKILL');
  await once(first.child, 'close');

  const second = serve([...options, '--wrong', 'forgot-tells', '--wrong', 'stack-traces']);
  const again = (await second.ready()).baseUrl;
  const login = async (more: object) => (await postJson(again, 'login', { ...ada, ...more })).status;
  expect([await login({}), await login({ code }), await login({ recoveryCode: used })]).toEqual([403, 422, 422]);
  expect(await login({ recoveryCode: unused })).toBe(200);
  expect((await postJson(again, 'password/forgot', { email: 'nobody@example.test' })).status).toBe(404);
  second.child.kill('SIGTERM');
  expect((await second.ended).err).toContain('Simulated: vulnerabilities stack-traces, forgot-tells.');
});
