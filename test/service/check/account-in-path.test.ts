import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { startJsonServer } from '../../support/described-servers.ts';
import { accountAdapter } from '../support/account-check.ts';
import { createCheck, outcomesOf } from '../support/run-check.ts';
import { runScript } from '../support/scripts.ts';

/** As Directus does it: only the profile gives the id that the deletion needs, and tokens outlive their account. */
async function startServer() {
  const accounts = new Map<string, { email: string; password: string }>();
  const tokens = new Map<string, string>();
  const forbidden = { status: 403, body: { errors: [{ extensions: { code: 'FORBIDDEN' } }] } };
  const wrong = { status: 401, body: { errors: [{ extensions: { code: 'INVALID_CREDENTIALS' } }] } };
  const { baseUrl } = await startJsonServer(({ method, target, headers, body }) => {
    const { email, password } = (body.startsWith('{') ? JSON.parse(body) : {}) as Record<string, string>;
    if (target === '/users/register') {
      if (!email || !password) return { status: 400, body: {} };
      accounts.set(randomUUID(), { email, password });
      return { status: 204 };
    }
    if (target === '/auth/login') {
      const isHis = ([, each]: [string, { email: string; password: string }]): boolean =>
        each.email === email && each.password === password;
      const [id] = [...accounts].find(isHis) ?? [];
      if (id === undefined) return wrong;
      const token = randomUUID();
      tokens.set(token, id);
      return { status: 200, body: { data: { access_token: token, refresh_token: randomUUID() } } };
    }
    const id = tokens.get(headers.authorization?.replace('Bearer ', '') ?? '');
    if (id === undefined) return wrong;
    if (method !== 'DELETE') return { status: 200, body: { data: { id, email: accounts.get(id)?.email } } };
    if (target !== `/users/${id}`) return forbidden;
    accounts.delete(id);
    return { status: 204 };
  });
  return { baseUrl, accounts };
}

it('accounts are deleted where only their profile has the value that the path of the deletion needs', async () => {
  const { baseUrl, accounts } = await startServer();
  const adapter = await accountAdapter('directus', baseUrl);
  const { start } = createCheck(baseUrl, { adapter, options: { only: ['deletion.tokens-afterwards'] } });
  const report = await start();
  expect(outcomesOf(report, 'failed')).toEqual([]);
  expect([...accounts.values()]).toEqual([]);
  expect(report.cleanup).toMatchObject({ left: [] });
  expect(report.findings.map(({ id }) => id)).toEqual(['token-outlives-account']);
  const again = await startServer();
  const { seen, wanted } = await runScript(report.findings[0]!.script, again.baseUrl);
  expect(wanted).toContain(204);
  expect(seen).toEqual(wanted);
  expect([...again.accounts.values()]).toEqual([]);
});
