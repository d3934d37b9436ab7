import { expect, it } from 'vitest';
import { createTotpCode, parseTotpSecret } from '../../../main/interface/totp.ts';
import { isAboutAccount } from '../../../main/check/case-applicability.ts';
import type { Report } from '../../../preload/contract/report.ts';
import { caseOf, outcomesOf } from '../support/run-check.ts';
import { renderReport } from '../../../main/check/reports/render-report.ts';
import { startAccountCheck, startAccountService } from '../support/account-check.ts';
import { runScript } from '../support/scripts.ts';

const given = { email: 'given@example.test', password: 'the engine of Ada' };

type Started = Awaited<ReturnType<typeof startAccountCheck>>;

/** Registers the given account at the service itself, and adds a second factor to it. */
async function enrollGiven({ service }: Pick<Started, 'service'>): Promise<string> {
  const send = async (path: string, body: object, token?: string) => {
    const response = await fetch(`${service.baseUrl}/api/v1/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const said: unknown = await response.json();
    expect(response.ok).toBe(true);
    return (name: string): string => String(Object(said)[name]);
  };
  await send('/registro', { name: 'Given', ...given });
  const token = (await send('/login', given))('token');
  const secret = (await send('/two-factor', { password: given.password }, token))('secret');
  await send('/two-factor/confirm', { code: createTotpCode(parseTotpSecret(secret)!, Date.now() - 30_000) }, token);
  return secret;
}

const untested = (report: Report): Record<string, string> =>
  Object.fromEntries(
    report.cases.flatMap((each) =>
      isAboutAccount(each.id) ? [[each.id, each.outcome === 'not-measured' ? each.reason.kind : each.outcome]] : [],
    ),
  );

it.each(['llavero-service', 'llavero-account-calls'] as const)(
  'a check logs in to a given account with its second factor, and asks nothing that may lock it: %s',
  { timeout: 60_000 },
  async (description) => {
    const options = { variant: 'none' } as const;
    let secret = '';
    const started = await startAccountCheck({
      description,
      check: { account: given, options },
      prepare: async (service) => {
        secret = await enrollGiven({ service });
        return { totpSecret: parseTotpSecret(secret)! };
      },
    });
    const { start, wire, virtualMs, plan } = started;
    const report = await start();
    const isPending = description === 'llavero-account-calls';
    expect(caseOf(report, 'login.right-credentials').outcome).toBe('passed');
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(report.findings).toEqual([]);
    expect(untested(report)).toEqual({
      'second-factor.served': 'passed',
      'second-factor.required': 'passed',
      'second-factor.pending-login': isPending ? 'answered' : 'not-described',
      'second-factor.missing-code': 'spares-account',
      'second-factor.repeated-code': 'answered',
      'second-factor.repeated-pending-login': isPending ? 'answered' : 'not-described',
      'second-factor.code-of-another': 'spares-account',
      'second-factor.old-codes': 'spares-account',
      'second-factor.repeated-recovery-code': 'spares-account',
      'second-factor.wrong-password': 'answered',
      'second-factor.throttling': 'spares-account',
      'password.change-served': 'spares-account',
      'password.current-required': 'spares-account',
      'password.other-tokens-afterwards': 'spares-account',
      'password.same-token-afterwards': 'spares-account',
      'deletion.password-required': 'spares-account',
      'deletion.served': 'spares-account',
      'deletion.tokens-afterwards': 'spares-account',
      'deletion.login-afterwards': 'spares-account',
      'deletion.registering-again': 'spares-account',
      'forgot-password.told-apart': 'spares-account',
      'resend-confirmation.told-apart': 'spares-account',
    });
    const changing = wire.filter(({ request }) => /\/(?:account|password|two-factor|resend)/.test(request.url));
    expect(changing).toEqual([]);
    expect(virtualMs() / 1000).toBeLessThanOrEqual(plan.seconds);
    const text = JSON.stringify(report);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(given.password);
  },
);

it('the script of a finding asks for the secret of the given account, and so does the command for other tests', async () => {
  const defects = ['code-accepted-twice'] as const;
  let totpSecret = '';
  const { start } = await startAccountCheck({
    description: 'llavero-account-calls',
    defects,
    check: { account: given, options: { variant: 'none' } },
    prepare: async (service) => {
      totpSecret = await enrollGiven({ service });
      return { totpSecret: parseTotpSecret(totpSecret)! };
    },
  });
  const report = await start();
  expect(report.findings.map(({ id }) => id)).toEqual(['code-accepted-twice']);
  const { script } = report.findings[0]!;
  expect(script).toContain(`: "\${SECRET:?The secret of the authenticator app of ${given.email}, in Base32}"`);
  const service = await startAccountService(defects, () => Date.now());
  const SECRET = await enrollGiven({ service });
  const { seen, wanted } = await runScript(script, service.baseUrl, { PASSWORD: given.password, SECRET });
  expect(wanted.length).toBeGreaterThan(3);
  expect(seen).toEqual(wanted);
  expect(await renderReport('markdown', report, 'en')).toContain('--password-stdin --totp-secret VARIABLE');
});

it('without the secret, nobody can log in to it', async () => {
  const { start } = await startAccountCheck({
    description: 'llavero-service',
    check: { account: given, options: { variant: 'none', only: ['second-factor.served'] } },
    prepare: async (service) => {
      await enrollGiven({ service });
      return {};
    },
  });
  const report = await start();
  expect(outcomesOf(report, 'not-measured')).toEqual(
    expect.arrayContaining(['second-factor.served: needs', 'login.right-credentials: account-refused']),
  );
});
