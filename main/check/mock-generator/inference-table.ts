import { lengthLimitsOf } from '../../service/mock/input-violations.ts';
import { isRegistrationCall, type AnalyzedCall } from './analyzed-calls.ts';
import { matchAccountScenarios } from './account-scenarios.ts';
import { inferAccountRules } from './infer-account-rules.ts';
import { inferAnswers } from './infer-answers.ts';
import { inferLengthBounds, inferRateLimits, lengthRules } from './infer-limits.ts';
import { inferPreflight } from './infer-preflight.ts';
import {
  findRepeatedEmails,
  inferBodyLimit,
  inferEmailSpelling,
  inferForgeries,
  inferLogoutEffect,
  inferRenewals,
  inferTokensPerAccount,
  inferUsernames,
  OWN_TOKEN_SECONDS,
  readFasterUnknown,
  readLifetime,
  readPasswordCut,
  readServed,
} from './infer-rules.ts';
import type { TemplateContext } from './infer-template.ts';
import { inferTokenFormat, tokenSamplesIn } from './infer-token-format.ts';
import { inferErrorReporting, inferLoginValidation, inferRegistrationValidation } from './infer-validation.ts';
import {
  fromReport,
  measuredLifetime,
  part,
  rules,
  type CompletedRun,
  type InferenceRow,
  type MockInference,
} from './mock-inference.ts';
import { listNotMeasured } from './not-measured.ts';
import { answerTo, readAccepted, readFlag, ruleFrom } from './report-answers.ts';
import { matchScenarios } from './scenarios.ts';
import { createTrimmer } from './trim-mock.ts';

/** What is inferred of a server, from which calls, by which function. A row may use what the rows above it inferred. */
export const inferenceTable: readonly InferenceRow[] = [
  part('lengthBounds', 'registrations', inferLengthBounds),
  rules(['nameMost', 'emailMost', 'passwordLeast', 'passwordMost'], 'registrations', (_calls, { lengthBounds }) =>
    lengthRules(lengthBounds),
  ),

  fromReport('loginIgnoresCase', ['login.email-spelling', 'login-with-other-case'], (answer) =>
    ruleFrom(answer, true, readAccepted),
  ),
  fromReport('loginTrims', ['login.email-spelling', 'login-with-spaces'], (answer) =>
    ruleFrom(answer, true, readAccepted),
  ),
  part('repeatedEmails', 'registrations', findRepeatedEmails),
  rules(
    ['registrationIgnoresCase', 'registrationTrims', 'refusesTakenEmail'],
    'registrations',
    (_calls, { repeatedEmails, rules: { loginTrims } }) => inferEmailSpelling(repeatedEmails, loginTrims),
  ),
  rules(['refusesTakenUsername', 'loginTakesEmail'], 'special', inferUsernames),

  fromReport('servesRegistro', ['registration.both-paths', 'paths-served'], (answer) =>
    ruleFrom(answer, true, readServed('registro')),
  ),
  fromReport('servesRegister', ['registration.both-paths', 'paths-served'], (answer) =>
    ruleFrom(answer, true, readServed('register')),
  ),
  rules(['registration'], 'registrations', async (calls, mock) => ({
    registration: await inferRegistrationValidation(calls, 'register', mock),
  })),
  rules(['registrationAtRegistro'], 'registrations', async (calls, mock) => ({
    registrationAtRegistro: await inferRegistrationValidation(calls, 'registro', mock, mock.rules.registration),
  })),
  rules(['login'], 'regular', (calls, { rules: known, run: { adapter } }) => ({
    login: inferLoginValidation(calls, lengthLimitsOf(known), adapter.identifiers.loginBy),
  })),
  rules(['tellsAllProblems', 'fieldOrder'], 'registrations', (calls, mock) => inferErrorReporting(calls, mock.rules)),

  fromReport('passwordCutAt', ['registration.long-password', 'password-cut-at-72'], (answer) =>
    ruleFrom(answer, 0, readPasswordCut),
  ),
  fromReport('unknownEmailAtOnce', ['login.told-apart-by-time', 'told-apart-by-time'], (answer) =>
    ruleFrom(answer, false, readFasterUnknown),
  ),
  rules(['tokensPerAccount'], 'regular', (_calls, { run }) => ({
    tokensPerAccount: inferTokensPerAccount(run.report),
  })),
  fromReport('sameTokenInOneSecond', ['token.same-second', 'same-token-in-one-second'], (answer) =>
    ruleFrom(answer, false, readFlag),
  ),
  rules(['logoutEnds'], 'regular', (_calls, { run }) => ({ logoutEnds: inferLogoutEffect(run.report) })),
  fromReport('tokenSeconds', ['token.lifetime', 'token-lifetime'], (answer) =>
    ruleFrom<number | null>(answer, OWN_TOKEN_SECONDS, readLifetime),
  ),
  fromReport('schemeIgnoresCase', ['token.scheme-case', 'scheme-in-lower-case'], (answer) =>
    ruleFrom(answer, true, readAccepted),
  ),
  rules(['bodyMostBytes'], 'regular', (_calls, { run }) => ({ bodyMostBytes: inferBodyLimit(run.report) })),
  rules(['failedLogins', 'registrations'], 'regular', (calls, { run }) =>
    inferRateLimits(calls, answerTo(run.report, 'limits.throttling', 'failures-before-throttling')),
  ),
  rules(['renewsAgain'], 'special', inferRenewals),
  rules(['refusesForged'], 'special', (calls, { calls: { regular } }) => inferForgeries(calls, regular)),

  part('token', 'all', (calls, { rules: known, templates, trimmer }) =>
    trimmer.token(inferTokenFormat(tokenSamplesIn(calls, measuredLifetime(known)), templates)),
  ),
  part('scenarios', 'all', async (calls, mock) => {
    const others = await matchScenarios(calls, mock);
    return [...others, ...matchAccountScenarios(mock.calls.everything, others, mock.run.adapter)];
  }),
  part('accountRules', 'everything', (_calls, { run, scenarios }) => inferAccountRules(run, scenarios)),
  part('answers', 'all', (_calls, mock) => inferAnswers(mock).map((each) => mock.trimmer.answer(each))),
  part('preflight', 'all', inferPreflight),
  part('notMeasured', 'all', listNotMeasured),
];

/** Runs the table over the calls of a run. */
export async function inferMock(
  everything: readonly AnalyzedCall[],
  run: CompletedRun,
  templates: TemplateContext,
): Promise<MockInference> {
  const concurrentIds = new Set(run.report.cases.flatMap(({ id, calls }) => (id.startsWith('races.') ? calls : [])));
  const isSpecial = ({ operation, specialRequest }: AnalyzedCall): boolean =>
    specialRequest !== undefined || operation === 'refresh' || operation === 'csrf';
  const all = everything.filter((each) => !each.isAboutAccount);
  const regular = all.filter((each) => !isSpecial(each) && !concurrentIds.has(each.id));
  const calls = {
    everything,
    all,
    regular,
    registrations: regular.filter(isRegistrationCall),
    special: all.filter(isSpecial),
  };
  const trimmer = createTrimmer(templates.addRemark);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The table fills in the rest, in its order.
  const mock = Object.assign({} as MockInference, { run, calls, concurrentIds, templates, trimmer, rules: {} });
  for (const { from, infer } of inferenceTable) await infer(calls[from], mock);
  return mock;
}
