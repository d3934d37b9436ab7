import { expect, it, onTestFinished } from 'vitest';
import { groupUntestedCases } from '../../../main/check/untested-cases.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { caseOf, createCheck, outcomesOf, standingClock } from '../support/run-check.ts';
import { isPath, smallServer } from '../support/small-server.ts';

async function runAt(
  override: NonNullable<Parameters<typeof smallServer>[0]>['override'],
  more: Parameters<typeof createCheck>[1] = {},
) {
  const server = await startRecordingServer(smallServer({ ...(override && { override }) }));
  onTestFinished(server.close);
  return createCheck(server.origin, more).start();
}

it('the case that measures times gives up after one wait', async () => {
  const clock = standingClock();
  let since = -Infinity;
  let failed = 0;
  const report = await runAt(
    ({ target, body }) => {
      if (!target.endsWith('/login') || !body.includes('"password":"Ll4!')) return undefined;
      if (clock.now() - since >= 60_000) [since, failed] = [clock.now(), 0];
      failed += 1;
      const left = Math.ceil((since + 60_000 - clock.now()) / 1_000);
      return failed > 10 ? answer(429, { message: 'Too many.' }, { 'Retry-After': String(left) }) : undefined;
    },
    { clock, options: { only: ['login.told-apart-by-time'] } },
  );
  expect(caseOf(report, 'login.told-apart-by-time')).toMatchObject({ reason: { kind: 'throttled' } });
  expect(report.throttlings?.filter(({ waitedSeconds }) => waitedSeconds > 0).length).toBeLessThanOrEqual(2);
  expect(report.durationMs).toBeLessThan(130_000);
});

it('a server that lets nobody in before an account is confirmed breaks nothing, and the run says what would help', async () => {
  const report = await runAt((request) =>
    isPath(request, 'login') && request.body.includes('llavero-') && !request.body.includes('an object')
      ? answer(403, { message: 'Your email address is not verified.', code: 'EMAIL_NOT_VERIFIED' })
      : undefined,
  );
  expect(outcomesOf(report, 'failed')).toEqual([]);
  const missing = groupUntestedCases(report).find(({ reason }) => reason.kind === 'account-held');
  expect(missing?.cases).toContain('functions.states');
  expect(missing?.command).toContain(' --email EMAIL --password-stdin --only ');
});
