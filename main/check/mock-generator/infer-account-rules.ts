import type { FindingId } from '../../../preload/contract/report.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import { isAccountCall } from '../../interface/account-calls.ts';
import { maxAgeOf } from '../../interface/cookies.ts';
import type { AccountRules, Scenario } from '../../service/mock/mock-definition.ts';
import type { CompletedRun, MatchedScenario } from './mock-inference.ts';
import { answerTo, readAccepted, readFlag, ruleFrom } from './report-answers.ts';

/** What the built-in server has where nothing was measured. */
const own = { steps: 1, seconds: 300 } as const;

/** How a server treats second factors, changed passwords and deleted accounts; undefined if no such call was tested. */
export function inferAccountRules(
  { report, adapter }: CompletedRun,
  scenarios: readonly MatchedScenario[],
): AccountRules | undefined {
  if (!scenarios.some(({ match }) => isAccountCall(match.operation))) return undefined;

  /** True unless a case has this finding. */
  const unlessFound = (caseId: CaseId, finding: FindingId): { value: boolean; calls: string[] } => {
    const found = report.cases.find(({ id }) => id === caseId);
    if (!found || found.outcome === 'not-measured') return { value: true, calls: [] };
    return { value: !report.findings.some(({ id }) => id === finding), calls: found.calls.slice(0, 50) };
  };
  const callsOf = (...situations: Scenario[]): MatchedScenario['call'][] =>
    scenarios.filter(({ match }) => situations.includes(match.situation)).map(({ call }) => call);

  const isReplaced = ruleFrom(
    answerTo(report, 'password.same-token-afterwards', 'token-replaced-after-password'),
    false,
    readFlag,
  );
  const ownToken = answerTo(report, 'password.same-token-afterwards', 'own-token-after-password');
  const [limited] = callsOf('throttled');
  const isOfAccount = adapter.secondFactor.repeatsPassword('totp') || limited?.handling === 'throttled';
  const [asked] = callsOf('second-factor-required');
  const { cookies, lifetime } = adapter.description.secondFactor ?? {};
  const seconds = (asked && maxAgeOf(asked.headers, cookies ?? [])) ?? lifetime;

  return {
    requiresCode: unlessFound('second-factor.missing-code', 'second-factor-skipped'),
    codesUsedOnce: unlessFound('second-factor.repeated-code', 'code-accepted-twice'),
    refusesCodesOfOthers: unlessFound('second-factor.code-of-another', 'code-of-another-accepted'),
    recoveryCodesUsedOnce: unlessFound('second-factor.repeated-recovery-code', 'recovery-code-accepted-twice'),
    codeStepsBefore: ruleFrom(answerTo(report, 'second-factor.old-codes', 'old-code-steps'), own.steps, (value) =>
      value.kind === 'count' ? Math.min(20, value.count) : undefined,
    ),
    wrongCodes: ruleFrom<AccountRules['wrongCodes']['value']>(
      answerTo(report, 'second-factor.throttling', 'codes-before-throttling'),
      null,
      (value) => {
        if (value.kind === 'none') return null;
        const most = value.kind === 'count' ? Math.max(1, value.count) : undefined;
        return most === undefined ? undefined : { most, of: isOfAccount ? 'account' : 'pending-login' };
      },
    ),
    pendingLoginsUsedOnce: unlessFound('second-factor.repeated-pending-login', 'pending-login-reusable'),
    pendingLoginSeconds: {
      value: Math.min(86_400, Math.max(1, Math.round(seconds ?? own.seconds))),
      calls: asked && seconds !== undefined ? [asked.id] : [],
    },
    profileForPendingLogin: ruleFrom(
      answerTo(report, 'second-factor.pending-login', 'profile-with-pending-login'),
      false,
      readAccepted,
    ),
    passwordReplacesOld: unlessFound('password.change-served', 'old-password-accepted'),
    passwordEndsOtherTokens: unlessFound('password.other-tokens-afterwards', 'token-outlives-password'),
    passwordEndsOwnToken: isReplaced.value
      ? isReplaced
      : ruleFrom(ownToken, false, (value) => {
          const isAccepted = readAccepted(value);
          return isAccepted === undefined ? undefined : !isAccepted;
        }),
    passwordReplacesToken: isReplaced,
    deletionEndsTokens: unlessFound('deletion.tokens-afterwards', 'token-outlives-account'),
  };
}
