import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountDefectNames, type AccountDefectName } from '../../../preload/contract/names.ts';
import type { FindingId, Report } from '../../../preload/contract/report.ts';
import { isAboutAccount } from '../../../main/check/case-applicability.ts';
import { answersOf, outcomesOf } from '../support/run-check.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startAccountCheck, startAccountService } from '../support/account-check.ts';
import { runScript } from '../support/scripts.ts';

const descriptions = ['llavero-service', 'llavero-account-calls'] as const;
type Description = (typeof descriptions)[number];

/** What a check is to say of each broken rule, with the requirement that it fails if there is one. */
const intended: Record<AccountDefectName, { finds: FindingId; fails?: string; only?: Description }> = {
  'code-accepted-twice': { finds: 'code-accepted-twice' },
  'old-codes-accepted': { finds: 'old-codes-accepted' },
  'wrong-codes-unlimited': { finds: 'codes-not-throttled' },
  'pending-token-opens-profile': { finds: 'profile-before-second-factor', only: 'llavero-account-calls' },
  'code-not-required': { finds: 'second-factor-skipped' },
  'code-of-other-account': { finds: 'code-of-another-accepted' },
  'recovery-code-reusable': { finds: 'recovery-code-accepted-twice' },
  'pending-token-reusable': { finds: 'pending-login-reusable', only: 'llavero-account-calls' },
  'current-password-ignored': { finds: 'current-password-ignored' },
  'sessions-outlive-password': { finds: 'token-outlives-password' },
  'old-password-works': { finds: 'old-password-accepted', fails: 'password.change-served' },
  'deleted-without-password': { finds: 'account-deleted-without-password' },
  'token-outlives-account': { finds: 'token-outlives-account' },
  'forgot-tells': { finds: 'unknown-email-by-reset' },
  'resend-tells': { finds: 'unknown-email-by-resend' },
};

/** The account tests that were not run, and why. */
const untested = (report: Report): string[] =>
  report.cases.flatMap((each) =>
    each.outcome === 'not-measured' && isAboutAccount(each.id) ? [`${each.id}: ${each.reason.kind}`] : [],
  );

/** Programs in the place of `date` and `sleep`, so that a script waits for no code, and the clock that they move. */
async function fakeTime() {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder, 'ahead');
  const write = (name: string, text: string, mode: number) => writeFile(path.join(folder, name), text, { mode });
  await write('ahead', '0', 0o600);
  await write('sleep', `#!/bin/sh\necho $(( $(cat '${file}') + $1 )) > '${file}'\n`, 0o700);
  await write('date', `#!/bin/sh\necho $(( $(/bin/date +%s) + $(cat '${file}') ))\n`, 0o700);
  const now = (): number => Date.now() + 1000 * Number(readFileSync(file, 'utf8'));
  return { PATH: `${folder}:${process.env['PATH']}`, now };
}

const notAtKindA = [
  'second-factor.pending-login: not-described',
  'second-factor.repeated-pending-login: not-described',
];

describe.each(descriptions)('a check by the description %s', (description) => {
  const without = description === 'llavero-service' ? notAtKindA : [];

  it('finds nothing at the service as it is, and deletes its accounts', async () => {
    const { start, plan } = await startAccountCheck({ description });
    const report = await start();
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(report.findings).toEqual([]);
    expect(untested(report)).toEqual(without);
    expect(report.cleanup).toEqual({ created: report.accounts.length, deleted: report.accounts.length, left: [] });
    expect(report.calls).toBeLessThanOrEqual(plan.calls);
  });

  const shown = accountDefectNames.filter((name) => (intended[name].only ?? description) === description);

  it.each(shown)('finds exactly what is wrong with a service that has %s', async (defect) => {
    const { start } = await startAccountCheck({ description, defects: [defect] });
    const report = await start();
    const { finds, fails } = intended[defect];
    expect(report.findings.map(({ id }) => id)).toEqual([finds]);
    expect(outcomesOf(report, 'failed')).toEqual(fails === undefined ? [] : [fails]);
    expect(untested(report)).toEqual(without);
    const { PATH, now } = await fakeTime();
    const fresh = await startAccountService([defect], now);
    const { seen, wanted } = await runScript(report.findings[0]!.script, fresh.baseUrl, { PATH });
    expect(wanted.length).toBeGreaterThan(1);
    expect(seen).toEqual(wanted);
    const uses = report.findings[0]!.script.match(/"'"\$CODE_2"'"/g)?.length ?? 0;
    expect(defect !== 'code-accepted-twice' || uses === 2).toBe(true);
    const deletes = defect === 'deleted-without-password' || defect === 'token-outlives-account';
    expect(report.findings[0]!.script.includes('# This does not delete the accounts')).toBe(!deletes);
    expect(report.cleanup?.left).toEqual([]);
  });
});

it.each([120_000, -45_000])(
  'codes are made by the clock of the server, and a difference is noted: %i ms',
  async (aheadMs) => {
    const { start } = await startAccountCheck({ description: 'llavero-account-calls', aheadMs });
    const report = await start();
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(untested(report)).toEqual([]);
    expect(report.findings.map(({ id, severity }) => [id, severity])).toEqual([['server-clock-off', 'info']]);
    const [{ value } = { value: undefined }] = report.findings[0]!.details;
    expect(value).toMatchObject({ kind: 'seconds' });
    expect(Math.abs((value?.kind === 'seconds' ? value.seconds : 0) - aheadMs / 1000)).toBeLessThanOrEqual(1);
  },
);

it('a clock that is off by more than a day is not used', async () => {
  const check = { options: { only: ['second-factor.served' as const] } };
  const { start } = await startAccountCheck({ description: 'llavero-service', aheadMs: 3 * 86_400_000, check });
  expect(untested(await start())).toEqual(['second-factor.served: enrollment-refused']);
});

it('an account that is locked after 25 failed logins has a limit', async () => {
  let isMeasured = false;
  let sent = 0;
  const { start } = await startAccountCheck({
    description: 'llavero-account-calls',
    defects: ['wrong-codes-unlimited'],
    respond({ target }) {
      if (!isMeasured || target !== '/api/v1/auth/login/code') return undefined;
      sent += 1;
      return sent > 25 ? { status: 401, body: { message: 'Wrong email or password.' } } : undefined;
    },
    check: {
      options: { only: ['second-factor.throttling'] },
      onProgress: ({ current }) => void (isMeasured = current === 'second-factor.throttling'),
    },
  });
  const report = await start();
  expect(report.findings).toEqual([]);
  expect(answersOf(report)['second-factor.throttling codes-before-throttling']).toEqual({ kind: 'count', count: 25 });
});
