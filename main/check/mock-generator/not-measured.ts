import type { Report } from '../../../preload/contract/report.ts';
import { UntestedRule, type MockRemark } from '../../../preload/contract/mock-details.ts';
import { listAccountCalls } from '../../interface/account-calls.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import { casesById, cleanUpCalls, planRun } from '../plan.ts';
import type { MockResponse, MockRules } from '../../service/mock/mock-definition.ts';
import { uncertainLengths } from './infer-limits.ts';
import { isAcceptedCall, isRegistrationCall, type AnalyzedCall } from './analyzed-calls.ts';
import type { MockInference } from './mock-inference.ts';

/** The case that measures each rule. */
const caseOfRule: Record<UntestedRule, CaseId> = {
  nameMost: 'registration.too-long',
  emailMost: 'registration.too-long',
  passwordLeast: 'registration.password-strength',
  passwordMost: 'registration.long-password',
  passwordCutAt: 'registration.long-password',
  registrationIgnoresCase: 'registration.repeated-email',
  registrationTrims: 'registration.repeated-email',
  loginIgnoresCase: 'login.email-spelling',
  loginTrims: 'login.email-spelling',
  refusesTakenEmail: 'registration.repeated-email',
  unknownEmailAtOnce: 'login.told-apart-by-time',
  tokensPerAccount: 'login.two-tokens',
  logoutEnds: 'logout.same-token-afterwards',
  tokenSeconds: 'token.lifetime',
  schemeIgnoresCase: 'token.scheme-case',
  bodyMostBytes: 'limits.body-size',
  failedLogins: 'limits.throttling',
};

/** Types of a body that clients send beside JSON: form fields, parts, XML. */
const otherTypes = 3;
/** A registration with such an email or name, a login and the profile. */
const callsForLetters = 3;

/** The most calls that a run of one case takes, with the cases that it needs. */
function costOf(caseId: CaseId, { options }: Report) {
  const onlyWith = casesById.get(caseId)?.onlyWith;
  const variant = options.variant === 'none' ? 'both' : options.variant;
  const plan = planRun({ ...options, ...(onlyWith && { [onlyWith]: true }), variant, only: [caseId] });
  return { calls: Math.max(1, plan.calls - cleanUpCalls), ...(onlyWith && { onlyWith }) };
}

/** The calls about the account whose right request the check did not send, or got no answer for. */
function untestedAccountCalls({ run: { adapter }, accountRules, answers }: MockInference): MockRemark[] {
  const known = new Set(answers.flatMap(({ operation, situation }) => (situation === 'done' ? [operation] : [])));
  const names = listAccountCalls(adapter.description).flatMap(({ name, at }) => (known.has(name) ? [] : [at]));
  return accountRules && names.length > 0 ? [{ kind: 'account-calls', names }] : [];
}

/** What a mock does where two fields are wrong at once: a run tries few pairs. */
function pairsIn({ registration, tellsAllProblems: { value, calls } }: MockRules): MockRemark[] {
  const refused = registration.filter(({ isRefused }) => isRefused);
  const pairs = refused.flatMap((one, at) => refused.slice(at + 1).filter((other) => other.field !== one.field));
  if (pairs.length === 0) return [];
  if (calls.length === 0) return [{ kind: 'pairs-unknown', calls: 1 }];
  return [{ kind: value ? 'pairs-together' : 'pairs-first', calls: pairs.length }];
}

/** What a run did not measure, with the calls that would: the service's own choice stands there. */
export function listNotMeasured(all: readonly AnalyzedCall[], mock: MockInference): MockRemark[] {
  const { rules, lengthBounds, answers } = mock;
  const { report, adapter } = mock.run;
  const cases = report.cases.flatMap(({ id, ...result }): MockRemark[] =>
    result.outcome === 'not-measured'
      ? [{ kind: 'case', caseId: id, reason: result.reason, ...costOf(id, report) }]
      : [],
  );
  const notDone = new Set(report.cases.flatMap(({ id, outcome }) => (outcome === 'not-measured' ? [id] : [])));
  const untested = UntestedRule.options.flatMap((rule): MockRemark[] => {
    if (rules[rule].calls.length > 0) return [];
    const caseId = caseOfRule[rule];
    // The remark about the case has its calls already.
    return [{ kind: 'rule', rule, shownBy: caseId, ...(notDone.has(caseId) ? {} : costOf(caseId, report)) }];
  });
  const hasUpperCase = ({ sent }: AnalyzedCall): boolean => /\p{Lu}/u.test(JSON.stringify(sent?.['email'] ?? ''));
  const isKnown = (of: MockResponse['operation']): boolean => answers.some(({ operation }) => operation === of);
  const showsLetters = all.some((each) => isRegistrationCall(each) && isAcceptedCall(each) && hasUpperCase(each));
  return [
    ...cases,
    ...untested,
    ...uncertainLengths(lengthBounds).map(({ rule, least, most, calls }): MockRemark => ({
      kind: 'length',
      rule,
      least,
      most,
      calls,
    })),
    ...(rules.registrations.calls.length === 0 ? [{ kind: 'registrations' } as const] : []),
    ...(adapter.features.refresh && !isKnown('refresh') ? [{ kind: 'renewals' } as const] : []),
    ...(adapter.description.csrf && rules.refusesForged === undefined ? [{ kind: 'forged-requests' } as const] : []),
    ...untestedAccountCalls(mock),
    { kind: 'other-types', calls: otherTypes },
    { kind: 'languages', calls: answers.length },
    ...(showsLetters ? [] : [{ kind: 'email-letters', calls: callsForLetters } as const]),
    { kind: 'name-signs', calls: callsForLetters },
    ...pairsIn(rules),
  ];
}
