import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RuleName } from '../../../preload/contract/local-servers.ts';
import { accountRuleNames, type AccountDefectName } from '../../../preload/contract/names.ts';
import type { RunOptions } from '../../../preload/contract/report.ts';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import { generateMock } from '../../../main/check/mock-generator/generate-mock.ts';
import { verifyMock } from '../../../main/check/mock-generator/verify-mock.ts';
import { createIdentity } from '../../../main/check/test-accounts.ts';
import type { Credential } from '../../../main/interface/credential.ts';
import { readMockDetails } from '../../../main/tools/local-servers/mock-details.ts';
import { createTotpCode, parseTotpSecret } from '../../../main/interface/totp.ts';
import type { MockDefinition } from '../../../main/service/mock/mock-definition.ts';
import { secretsIn } from '../../support/secrets-in.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { accountAdapter, createAccountCaller, startAccountCheck, startInFront } from '../support/account-check.ts';
import { startMock } from '../support/mock-servers.ts';

type Description = 'llavero-service' | 'llavero-account-calls';

/** All that are on by default, but for one whose times a busy machine blurs. */
const withoutTimes = CaseId.options.filter(
  (id) => !id.startsWith('races.') && id !== 'limits.throttling' && id !== 'login.told-apart-by-time',
);

/** Checks our service, and generates a mock of it. */
async function learn(
  description: Description,
  defects: readonly AccountDefectName[] = [],
  options: Partial<RunOptions> = {},
) {
  const checked = await startAccountCheck({
    description,
    defects,
    check: { options: { only: [...withoutTimes], ...options } },
  });
  const { start, observations, secretRegistry, clock, serviceMs } = checked;
  const report = await start();
  const adapter = await accountAdapter(description, report.baseUrl);
  const generated = await generateMock({ report, observations: observations(), secretRegistry, adapter });
  if (!generated.ok) throw new Error(JSON.stringify(generated));
  return { report, model: generated.model, secretRegistry, clock, serviceMs, adapter };
}

/** Checks a mock as its original was checked, and says where it differs. */
async function differencesOf({ report, model, clock, serviceMs, adapter }: Awaited<ReturnType<typeof learn>>) {
  const mock = await startMock(model, { now: serviceMs });
  const { baseUrl } = await startInFront(mock.baseUrl, serviceMs);
  const { comparison } = await verifyMock(report, baseUrl, { clock, interface: adapter.description });
  return [...comparison.differences, ...comparison.unknown.map(({ caseId, side }) => `${caseId} ${side}`)];
}

/** What the window shows of a mock. */
async function detailsOf(model: MockDefinition) {
  const details = await readMockDetails('', {
    model: async () => ({ ok: true, model }),
    original: async () => undefined,
    comparisons: async () => ({}),
  });
  if (!details.ok) throw new Error(JSON.stringify(details.error));
  return details.value;
}

/** Broken rules that do not hide one another. */
const broken: readonly AccountDefectName[] = [
  'code-accepted-twice',
  'old-codes-accepted',
  'code-of-other-account',
  'recovery-code-reusable',
  'pending-token-reusable',
  'current-password-ignored',
  'sessions-outlive-password',
  'token-outlives-account',
  'forgot-tells',
  'resend-tells',
];
const others: readonly AccountDefectName[] = [
  'wrong-codes-unlimited',
  'pending-token-opens-profile',
  'code-not-required',
  'deleted-without-password',
];
/** Its test is the first, and the others need a changed password alone. */
const oldPassword: readonly AccountDefectName[] = ['old-password-works'];

describe.each(['llavero-service', 'llavero-account-calls'] as const)('the mock of a server with %s', (description) => {
  it('answers the calls about accounts as the original does', async () => {
    const learned = await learn(description);
    expect(learned.model.accountRules?.wrongCodes.value?.most).toBe(5);
    expect(await differencesOf(learned)).toEqual([]);
    const file = JSON.stringify(learned.model);
    const secrets = learned.secretRegistry.registered().flatMap(({ value }) => (value.length > 5 ? value : []));
    expect(secrets.length).toBeGreaterThan(50);
    expect(secretsIn(file, secrets)).toEqual([]);
  });

  it('lists its rules about accounts for the window', async () => {
    const { learned, notMeasured } = await detailsOf((await learn(description)).model);
    expect(new Set([...learned.map(({ rule }) => rule), ...notMeasured])).toEqual(
      new Set([...RuleName.options, ...accountRuleNames]),
    );
    const value = { kind: 'wrong-codes', most: 5, of: description === 'llavero-service' ? 'account' : 'pending-login' };
    expect(learned.find(({ rule }) => rule === 'wrongCodes')?.value).toEqual(value);
  });

  it('lists no rules of calls that it does not have', async () => {
    const { model } = await learn(description, [], { only: ['password.change-served'] });
    const { learned, notMeasured } = await detailsOf(model);
    // The check deletes its accounts, too.
    const ofItsCalls = accountRuleNames.filter((name) => /^(?:password|deletion)/.test(name));
    expect(new Set([...learned.map(({ rule }) => rule), ...notMeasured])).toEqual(
      new Set([...RuleName.options, ...ofItsCalls]),
    );
  });

  it.each([{ defects: broken }, { defects: others }, { defects: oldPassword }])(
    'has the vulnerabilities $defects',
    async ({ defects }) => {
      const learned = await learn(description, defects);
      expect(learned.report.findings.length).toBeGreaterThanOrEqual(Math.min(3, defects.length));
      expect(await differencesOf(learned)).toEqual([]);
    },
  );
});

const ana = createIdentity('example.test');

const sessionIn = ({ body }: { body: string }): Credential => ({ token: String(JSON.parse(body).token) });

/** Registers somebody at a mock, and adds a second factor. */
async function enrollAt(baseUrl: string) {
  const { adapter, send, account } = await createAccountCaller('llavero-account-calls', baseUrl);
  await send(adapter.request('register', { fields: { ...ana, cpassword: ana.password } }));
  const response = await send(adapter.request('login', { fields: ana }));
  const session = sessionIn(response);
  const again = () => account('enrollment.start', { password: ana.password }, session);
  const begun = await again();
  const { secret, recoveryCodes } = JSON.parse(begun.body) as { secret?: string; recoveryCodes: string[] };
  const confirm = (code: string) => account('enrollment.confirm', { code }, session);
  return { begun, factor: parseTotpSecret(secret ?? '')!, recoveryCodes, confirm, again };
}

it('the mock checks the codes of those who enrolled at it, also after a restart', async () => {
  const { model } = await learn('llavero-account-calls');
  const database = { file: path.join(await makeTemporaryFolder(), 'mock.sqlite') };
  let nowMs = Date.now();
  const options = { database, now: () => nowMs };
  const before = await startMock(model, options);
  const { factor, recoveryCodes, confirm, again } = await enrollAt(before.baseUrl);
  const code = (): string => createTotpCode(factor, nowMs);
  const wrong = (): string => (code() === '123456' ? '654321' : '123456');
  expect((await confirm(wrong())).status).toBe(422);
  expect((await confirm(code())).status).toBe(200);
  expect(new Set(recoveryCodes).size).toBe(10);
  expect((await confirm(wrong())).status).toBe(422);
  expect((await again()).status).toBe(409);
  await before.close();

  nowMs += 60_000;
  const { baseUrl } = await startMock(model, options);
  const { secondFactor, account, login, profile } = await createAccountCaller('llavero-account-calls', baseUrl);
  const pendingLogin = async () => (await login(ana)).pending!.credential;
  const sendCode = async (sent: string, method: 'totp' | 'recovery' = 'totp') => {
    const pending = await pendingLogin();
    const response = await account(`code.${method}`, { code: sent }, pending);
    return { outcome: secondFactor.outcomeOf(method, response), response };
  };
  expect(await profile(await pendingLogin())).toBe('unauthenticated');
  expect((await sendCode(wrong())).outcome).toBe('wrong');
  const { outcome, response } = await sendCode(code());
  expect([outcome, await profile(sessionIn(response))]).toEqual(['accepted', 'served']);
  expect((await sendCode(code())).outcome).toBe('wrong');
  expect((await sendCode(recoveryCodes[3]!, 'recovery')).outcome).toBe('accepted');
  expect((await sendCode(recoveryCodes[3]!, 'recovery')).outcome).toBe('wrong');
  expect((await account('code.totp', { code: code() }, { outputs: { pendingToken: 'nobody’s' } })).status).toBe(401);
});

it('with any code, the mock asks everybody for one and takes six digits', async () => {
  const { model } = await learn('llavero-account-calls');
  const { baseUrl } = await startMock(model, { anyCode: true });
  const { adapter, send, secondFactor, account, login, profile } = await createAccountCaller(
    'llavero-account-calls',
    baseUrl,
  );
  await send(adapter.request('register', { fields: { ...ana, cpassword: ana.password } }));
  const sendCode = async (code: string) => account('code.totp', { code }, (await login(ana)).pending!.credential);
  expect(secondFactor.outcomeOf('totp', await sendCode('12345'))).toBe('wrong');
  const right = await sendCode('123456');
  expect(await profile(sessionIn(right))).toBe('served');
});

it('a code is no secret within an id of a request or a number of the mock, and is one elsewhere', async () => {
  const { start, observations, secretRegistry } = await startAccountCheck({
    description: 'llavero-account-calls',
    check: { options: { only: ['password.change-served'] } },
  });
  const report = await start();
  const adapter = await accountAdapter('llavero-account-calls', report.baseUrl);
  const generate = (serverName?: string) =>
    generateMock({ report: { ...report, serverName }, observations: observations(), secretRegistry, adapter });
  const generated = await generate();
  const id = generated.ok ? generated.model.answers[0]?.calls[0] : undefined;
  secretRegistry.register(id!.slice(0, 6), 'other');
  expect(await generate()).toMatchObject({ ok: true });
  // No limit of registrations was met: 1000000.
  secretRegistry.register('000000', 'other');
  expect(await generate()).toMatchObject({ ok: true });
  expect(await generate('Code 000000')).toEqual({ ok: false, problem: 'secret-in-model' });
});

it('the mock does not answer a call that the check did not try', async () => {
  const only = ['password.change-served'] as const;
  const { model } = await learn('llavero-account-calls', [], { only: [...only] });
  expect(model.accountRules?.wrongCodes).toEqual({ value: null, calls: [] });
  const { baseUrl } = await startMock(model);
  expect((await enrollAt(baseUrl)).begun.status).toBe(404);
  const { adapter, send, account, login } = await createAccountCaller('llavero-account-calls', baseUrl);
  const newPassword = 'another one for Ana';
  const begun = sessionIn((await login(ana)).response);
  const change = { password: ana.password, newPassword };
  expect((await account('changePassword', { ...change, newPassword: 7 }, begun)).status).toBe(400);
  expect((await account('changePassword', change, begun)).status).toBe(200);
  expect((await send(adapter.request('login', { fields: { ...ana, password: newPassword } }))).status).toBe(200);
  expect((await account('forgotPassword', { email: ana.email }, {})).status).toBe(404);
  // The check deleted its accounts.
  expect((await account('deleteAccount', { password: newPassword }, begun)).status).toBe(200);
  expect((await send(adapter.request('login', { fields: { ...ana, password: newPassword } }))).status).toBe(401);
});
