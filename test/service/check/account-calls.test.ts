import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { generateMock } from '../../../main/check/mock-generator/generate-mock.ts';
import { verifyMock } from '../../../main/check/mock-generator/verify-mock.ts';
import { createTotpCode, parseTotpSecret } from '../../../main/interface/totp.ts';
import { createIdentity } from '../../../main/check/test-accounts.ts';
import { evaluateOutputs } from '../../../main/interface/credential.ts';
import { parseJson } from '../../../main/interface/template.ts';
import { realClock } from '../../../main/check/request-sender.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import { startFor } from '../../servers/servers-asked-for.ts';
import { accountAdapter, createAccountCaller } from '../support/account-check.ts';
import { startMock } from '../support/mock-servers.ts';
import { createCheck, outcomesOf } from '../support/run-check.ts';

it('a second factor, a changed password and a deleted account at better-auth', { timeout: 120_000 }, async (test) => {
  const { origin, folder } = await startFor(test, 'better-auth', { TWO_FACTOR: 'yes' });
  const { adapter, secondFactor, send, account, login, profile } = await createAccountCaller('better-auth', origin);
  const ana = createIdentity('example.test');
  const { email, password } = ana;

  const registered = await send(adapter.request('register', { fields: ana }));
  expect(registered.status).toBe(200);
  const first = adapter.credentialAfter('register', registered, {}, { fields: ana });
  const started = await account('enrollment.start', { password }, first);
  const outputs = evaluateOutputs(adapter.accountOutputs('enrollment.start'), started, parseJson(started.body));
  const factor = parseTotpSecret(outputs['secret'] ?? '')!;
  const codeAt = (steps: number): string => createTotpCode(factor, Date.now() + 30_000 * steps);
  const confirmed = await account('enrollment.confirm', { code: codeAt(0) }, first);
  expect(confirmed.status).toBe(200);

  const asked = await login({ email, password });
  expect(asked.pending).toMatchObject({ methods: ['totp', 'email', 'recovery'] });
  const pending = asked.pending!.credential;
  expect(await profile(pending)).toBe('unauthenticated');
  const wrong = codeAt(0) === '123456' ? '654321' : '123456';
  expect(secondFactor.outcomeOf('totp', await account('code.totp', { code: wrong }, pending))).toBe('wrong');
  const right = await account('code.totp', { code: codeAt(0) }, pending);
  expect(secondFactor.outcomeOf('totp', right)).toBe('accepted');
  const session = adapter.credentialAfter('login', right, {}, {});
  expect(await profile(session)).toBe('served');

  const recovery = { code: outputs['recoveryCode']! };
  const byRecovery = async () =>
    secondFactor.outcomeOf(
      'recovery',
      await account('code.recovery', recovery, (await login({ email, password })).pending!.credential),
    );
  expect([await byRecovery(), await byRecovery()]).toEqual(['accepted', 'wrong']);

  const byEmail = (await login({ email, password })).pending!.credential;
  expect((await account('challenge.email', {}, byEmail)).status).toBe(200);
  const mails = () => readFile(path.join(folder, 'mails.jsonl'), 'utf8');
  const [, mailed = ''] = /"kind":"code","code":"(\d{6})"/.exec(await mails()) ?? [];
  expect(await mails()).toContain(`"to":"${email}"`);
  expect(secondFactor.outcomeOf('email', await account('code.email', { code: mailed }, byEmail))).toBe('accepted');

  const newPassword = `${password}-new`;
  const changed = await account('changePassword', { password, newPassword }, session);
  expect(changed.status).toBe(200);
  expect(await profile(first)).toBe('unauthenticated');
  const next = adapter.credentialAfter('csrf', changed, session);
  expect(await profile(next)).toBe('served');
  expect((await login({ email, password })).response.status).toBe(401);
  expect((await login({ email, password: newPassword })).pending).toBeDefined();

  expect((await account('forgotPassword', { email }, {})).status).toBe(200);
  expect((await account('resendConfirmation', { email }, {})).status).toBe(200);
  expect((await mails()).match(/"kind":"\w+"/g)).toEqual(['"kind":"code"', '"kind":"reset"', '"kind":"verify"']);

  expect((await account('deleteAccount', { password }, next)).status).toBe(400);
  expect((await account('deleteAccount', { password: newPassword }, next)).status).toBe(200);
  expect(await profile(next)).toBe('unauthenticated');
  expect((await login({ email, password: newPassword })).response.status).toBe(401);
});

it('a changed password and a deleted account at djoser', { timeout: 60_000 }, async (test) => {
  const { origin } = await startFor(test, 'djoser');
  const { adapter, send, account, login, profile } = await createAccountCaller('djoser', origin);
  const ana = createIdentity('example.test');
  const { email, password } = ana;
  expect((await send(adapter.request('register', { fields: ana }))).status).toBe(201);
  const { session } = await login({ email, password });
  expect(await profile(session)).toBe('served');

  const newPassword = `${password}-new`;
  const changing = (current: string) => account('changePassword', { password: current, newPassword }, session);
  expect((await changing('not the password')).status).toBe(400);
  expect((await changing(password)).status).toBe(204);
  expect((await login({ email, password })).response.status).toBe(400);
  expect((await login({ email, password: newPassword })).response.status).toBe(200);

  expect((await account('deleteAccount', { password }, session)).status).toBe(400);
  expect((await account('deleteAccount', { password: newPassword }, session)).status).toBe(204);
  expect(await profile(session)).toBe('unauthenticated');
});

/** Those that wait for no code beside the current one: the time of this server cannot be moved. */
const withoutWaits: readonly CaseId[] = [
  'second-factor.served',
  'second-factor.required',
  'second-factor.pending-login',
  'second-factor.missing-code',
  'second-factor.repeated-code',
  'second-factor.repeated-recovery-code',
  'second-factor.wrong-password',
  'second-factor.throttling',
  'password.change-served',
  'password.current-required',
  'password.other-tokens-afterwards',
  'password.same-token-afterwards',
  'deletion.password-required',
  'deletion.served',
  'deletion.tokens-afterwards',
  'deletion.login-afterwards',
  'deletion.registering-again',
  'forgot-password.told-apart',
  'resend-confirmation.told-apart',
];

it(
  'a check of better-auth finds that it accepts a code twice, and deletes its accounts; its mock does the same',
  { timeout: 400_000 },
  async (test) => {
    const { origin } = await startFor(test, 'better-auth', { TWO_FACTOR: 'yes' });
    const adapter = await accountAdapter('better-auth', origin);
    const { start, observations, secretRegistry } = createCheck(origin, {
      adapter,
      clock: realClock,
      options: { callsPerSecond: 100, accounts: 10, only: [...withoutWaits] },
    });
    const report = await start();
    // In the first day of a session, it deletes an account without the password.
    const found = ['code-accepted-twice', 'account-deleted-without-password'];
    // It writes to the disk for a known email alone: whether that can be measured depends on the disk.
    const byTime = new Set(['unknown-email-by-reset', 'unknown-email-by-resend']);
    expect(report.findings.map(({ id }) => id).filter((id) => !byTime.has(id))).toEqual(found);
    for (const id of ['forgot-password.told-apart', 'resend-confirmation.told-apart'])
      expect(report.cases.find((each) => each.id === id)).toMatchObject({
        answers: expect.arrayContaining([{ question: 'told-apart-by-answer', value: { kind: 'flag', yes: false } }]),
      });
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(outcomesOf(report, 'not-measured')).toEqual([]);
    expect(report.cleanup).toEqual({ created: report.accounts.length, deleted: report.accounts.length, left: [] });
    const limit = report.cases.find(({ id }) => id === 'second-factor.throttling');
    expect(limit).toMatchObject({ answers: [{ value: { kind: 'count', count: 5 } }] });

    const generated = await generateMock({ report, observations: observations(), secretRegistry, adapter });
    if (!generated.ok) throw new Error(JSON.stringify(generated));
    const mock = await startMock(generated.model);
    const { description } = adapter;
    const { comparison } = await verifyMock(report, mock.baseUrl, { clock: realClock, interface: description });
    expect(comparison.differences).toEqual([]);
    expect(comparison.unknown).toEqual([]);
  },
);

it(
  'a check of better-auth without those plugins tests nothing of them, and no requirement fails',
  { timeout: 120_000 },
  async (test) => {
    const { origin } = await startFor(test, 'better-auth');
    const adapter = await accountAdapter('better-auth', origin);
    const { start } = createCheck(origin, {
      adapter,
      clock: realClock,
      options: {
        callsPerSecond: 100,
        accounts: 10,
        only: ['second-factor.served', 'deletion.password-required', 'deletion.served'],
      },
    });
    const report = await start();
    expect(outcomesOf(report, 'failed')).toEqual([]);
    const reasons = report.cases.flatMap((each) => (each.outcome === 'not-measured' ? [each.reason] : []));
    expect(reasons).toEqual(Array.from({ length: 3 }, () => ({ kind: 'not-served', status: 404 })));
    expect(report.findings).toEqual([]);
    // After two accounts it is known that none can be deleted.
    const deletions = report.cleanup?.left.map(({ why, status }) => ({ why, status }));
    expect(deletions).toEqual(report.accounts.map(() => ({ why: 'deletion-refused', status: 404 })));
  },
);
