import { describe, expect, it, onTestFinished } from 'vitest';
import type { FindingId, RunOptions } from '../../../preload/contract/report.ts';
import { createClient } from '../../../main/client/client.ts';
import { spellingsOf } from '../../../main/client/secrets/known-secrets.ts';
import { renderReport } from '../../../main/check/reports/render-report.ts';
import { publicPasswords } from '../../../main/check/validation-probes.ts';
import { reportForms } from '../../../preload/contract/names.ts';
import { createTransport } from '../../../main/client/transport.ts';
import { shippedInterface } from '../../../main/interface/shipped.ts';
import { shippedNames } from '../../../main/interface/shipped-files.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { startExtendedService } from '../../../main/service/fault-injection/extended-service.ts';
import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import { startFor } from '../../servers/servers-asked-for.ts';
import { createCheck } from '../support/run-check.ts';
import { ada, cheapArgon2 } from '../support/make-service.ts';
import { described } from '../support/service-at.ts';
import { runScript } from '../support/scripts.ts';

const variables = { apikey: 'the public key' };

/** Our service at an interface, whose tokens outlive the logout. Where accounts are made elsewhere, it has one. */
async function startWrong(description: InterfaceDescription): Promise<string> {
  const started = await startExtendedService({
    database: { file: ':memory:' },
    port: 0,
    argon2: cheapArgon2,
    rateLimit: 'off',
    adapter: new ApiAdapter(description, ''),
    faultInjection: { defects: ['token-outlives-logout'] },
  });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  const { baseUrl } = started.service;
  if (!description.calls.register) {
    const transport = createTransport({});
    await createClient({ transport, baseUrl }).register({ ...ada, path: 'registro', cpassword: ada.password });
    transport.close();
  }
  return baseUrl;
}

/** The finding of a run, whose script is then run at a new server. */
async function repeated(
  adapter: ApiAdapter,
  wanted: FindingId,
  more: Partial<RunOptions> & { again: () => Promise<string> },
) {
  const { again, ...options } = more;
  const account = adapter.features.registrations.length === 0 ? ada : undefined;
  const { start, secretRegistry } = createCheck(adapter.baseUrl, { adapter, account, options });
  const report = await start();
  const { script = '' } = report.findings.find(({ id }) => id === wanted) ?? {};
  expect(secretRegistry.find(script)).toEqual([]);
  const values = { VARIABLE_APIKEY: variables.apikey, ...(account && { PASSWORD: account.password }) };
  return { script, ...(await runScript(script, await again(), values)) };
}

/** Interfaces that no description ships for: an id in their paths, a token or a cookie, a log-in that a redirect answers. */
const others = [
  {
    name: 'an id in paths',
    calls: { profile: { path: '/people/{{id}}' }, logout: { method: 'DELETE', path: '/people/{{id}}/sessions' } },
    outputs: { id: { value: '$response.body#/person/id', secret: false } },
  },
  {
    name: 'a token or a cookie',
    security: [
      { type: 'http', scheme: 'JWT' },
      { type: 'apiKey', in: 'cookie', name: 'session' },
    ],
  },
  {
    name: 'a log-in that a redirect answers',
    calls: { login: { success: [{ status: 302, location: '/dashboard' }] } },
    security: { type: 'apiKey', in: 'cookie', name: 'sid' },
  },
  {
    name: 'a log-in by GET',
    calls: {
      login: { method: 'GET', encoding: 'query', body: { who: '{{email}}', geheim: '{{password}}', kind: 'app' } },
    },
  },
].map(({ calls = {}, ...more }) => {
  const body = { email: '{{email}}', password: '{{password}}' };
  const { login = {}, ...changed } = { login: undefined, ...calls };
  return described({
    ...more,
    calls: {
      register: { path: '/people', body },
      login: { path: '/in', body, ...login },
      profile: { path: '/me' },
      logout: { path: '/out' },
      ...changed,
    },
  });
});

const withLogout = await Promise.all(shippedNames.map(async (name) => (await shippedInterface(name))!));

it('a report on a log-in by GET and its scripts show no password, in any form', { timeout: 60_000 }, async () => {
  const description = others.find(({ name }) => name === 'a log-in by GET')!;
  const adapter = new ApiAdapter(description, await startWrong(description));
  const { start, secretRegistry, wire: calls } = createCheck(adapter.baseUrl, { adapter });
  const report = await start();
  const sent = calls.flatMap(({ request }) => request.secretsInUrl ?? []);
  const secrets = new Set(sent.filter((secret) => secret.length >= 8 && !publicPasswords.has(secret)));
  expect(secrets.size).toBeGreaterThan(5);
  const scripts = report.findings.map(({ script }) => script).join('\n');
  expect(scripts).toMatch(/--get \\\n +--data-urlencode 'who=.*\n +--data-urlencode 'geheim='"\$PASSWORD/);
  const shown = await Promise.all(reportForms.map((form) => renderReport(form, report, 'en')));
  for (const text of [JSON.stringify(report), scripts, ...shown]) {
    expect(secretRegistry.find(text)).toEqual([]);
    for (const secret of secrets)
      for (const spelling of spellingsOf(secret)) expect(text.includes(spelling)).toBe(false);
  }
});

describe('the script of a finding gets the statuses that were seen', () => {
  it.for([...withLogout.filter(({ calls }) => calls.logout), ...others])(
    'by $name',
    { timeout: 60_000 },
    async (description) => {
      const adapter = new ApiAdapter(description, await startWrong(description), variables);
      const again = (): Promise<string> => startWrong(description);
      const { script, seen, wanted } = await repeated(adapter, 'token-outlives-logout', {
        only: ['logout.same-token-afterwards'],
        again,
      });
      expect(wanted.length).toBeGreaterThan(2);
      expect(seen).toEqual(wanted);
      expect(script.includes('cookie: *')).toBe(adapter.features.cookie);
    },
  );

  it.for([
    { server: 'djoser', by: 'djoser' },
    { server: 'better-auth', by: 'better-auth' },
  ] as const)('at a server of $server', { timeout: 120_000 }, async ({ server, by }, test) => {
    const { origin } = await startFor(test, server);
    const adapter = new ApiAdapter((await shippedInterface(by))!, origin);
    const again = async (): Promise<string> => (await startFor(test, server)).origin;
    const only: RunOptions['only'] = ['limits.throttling'];
    const { seen, wanted } = await repeated(adapter, 'guessing-not-throttled', { only, throttling: true, again });
    expect(wanted.length).toBeGreaterThan(3);
    expect(seen).toEqual(wanted);
  });
});
