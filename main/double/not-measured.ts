import type { Report } from '../../preload/contract/contract-report.ts';
import type { CaseId } from '../../preload/contract/report-cases.ts';
import { reportWords } from '../../preload/contract/words/say-report.ts';
import { casesById, cleanUpCalls, planRun } from '../contract-run/plan.ts';
import { plainText } from '../contract-run/reports/document.ts';
import { createSecretNames } from '../secrets/named-secrets.ts';
import type { Rules } from '../service/double/model.ts';
import type { OpenLength } from './learn-lengths.ts';

/** What a rule is about, in words, and the case that shows it. */
const ruleWords: Partial<Record<keyof Rules, readonly [words: string, shownBy: CaseId]>> = {
  nameMost: ['how long a name may be', 'registration.too-long'],
  emailMost: ['how long an email may be', 'registration.too-long'],
  passwordLeast: ['how short a password may be', 'registration.password-strength'],
  passwordMost: ['how long a password may be', 'registration.long-password'],
  passwordCutAt: ['whether a password is cut', 'registration.long-password'],
  registrationIgnoresCase: ['whether an email in other letters is taken', 'registration.repeated-email'],
  registrationTrims: ['whether blanks around an email count at a registration', 'registration.repeated-email'],
  loginIgnoresCase: ['whether the letters of an email count at a login', 'login.email-spelling'],
  loginTrims: ['whether blanks around an email count at a login', 'login.email-spelling'],
  refusesTakenEmail: ['what a taken email is answered', 'registration.repeated-email'],
  unknownEmailAtOnce: ['whether an unknown email is answered faster', 'login.told-apart-by-time'],
  tokensPerAccount: ['whether an account may have several tokens', 'login.two-tokens'],
  logoutEnds: ['what a logout ends', 'logout.same-token-afterwards'],
  tokenSeconds: ['how long a token lives', 'token.lifetime'],
  schemeIgnoresCase: ['whether the letters of the scheme count', 'token.scheme-case'],
  bodyMostBytes: ['how large a body may be', 'limits.body-size'],
  failedLogins: ['how many logins may fail in a row', 'limits.throttling'],
};

/** Types of a body that clients send beside JSON: form fields, parts, XML. */
const otherTypes = 3;

const calls = (count: number): string => (count === 1 ? 'one more call' : `${count} more calls`);

/** Says how many calls a run of one case alone takes at most, with those that it needs. */
function costOf(caseId: CaseId, { options }: Report): string {
  const asked = casesById.get(caseId)?.onlyWith;
  const variant = options.variant === 'none' ? 'both' : options.variant;
  const plan = planRun({ ...options, ...(asked && { [asked]: true }), variant, only: [caseId] });
  const how = asked ? ` (--${asked})` : '';
  return `At most ${calls(Math.max(1, plan.calls - cleanUpCalls))} would show it${how}.`;
}

/** Counts the pairs of two fields that can be wrong at once. The run tries few of them. */
function pairsOf({ registration }: Rules): number {
  const refused = registration.filter(({ isRefused }) => isRefused);
  const pairs = refused.flatMap((one, at) => refused.slice(at + 1).filter((other) => other.field !== one.field));
  return pairs.length;
}

/** Says what a run did not measure, with the calls that would: the service's own choice stands there. */
export function notMeasuredIn(report: Report, rules: Rules, open: readonly OpenLength[]): string[] {
  const say = reportWords('en');
  const { text } = createSecretNames();
  const cases = report.cases.flatMap((each) =>
    each.outcome === 'not-measured'
      ? [
          `${say.case(each.id)}: ${plainText(say.notMeasured(each.reason), text)}`.slice(0, 900) +
            ` ${costOf(each.id, report)}`,
        ]
      : [],
  );
  const notDone = new Set(report.cases.flatMap(({ id, outcome }) => (outcome === 'not-measured' ? [id] : [])));
  const unknown = Object.entries(ruleWords).flatMap(([name, [words, shownBy]]) => {
    const rule: unknown = Reflect.get(rules, name);
    const its: unknown = typeof rule === 'object' && rule !== null ? Reflect.get(rule, 'calls') : undefined;
    if (!Array.isArray(its) || its.length > 0) return [];
    // What the case takes stands beside it already.
    const cost = notDone.has(shownBy) ? '' : ` ${costOf(shownBy, report)}`;
    return [`The run did not show ${words}: the service's own choice stands there.${cost}`];
  });
  const lengths = open.map(
    ({ of, least, most, more }) =>
      `The run shows only that ${of} lies between ${least} and ${most}. At most ${calls(more)} would show it.`,
  );
  const limits =
    rules.registrations.calls.length === 0
      ? [
          `The run did not show how many registrations are allowed in a minute: the service's own choice stands there. At most ${calls(rules.registrations.value.most + 1)} would show whether it is right.`,
        ]
      : [];
  const pairs = pairsOf(rules);
  return [
    ...cases,
    ...unknown,
    ...lengths,
    ...limits,
    `The run sends no body of another type than JSON, so a double reads every body as JSON. At most ${calls(otherTypes)} would show it.`,
    ...(pairs === 0
      ? []
      : [
          `Where two things are wrong in a way that the run did not try, the refusals of each alone are put together. At most ${calls(pairs)} would show them at each path.`,
        ]),
  ];
}
