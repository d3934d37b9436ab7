import type { Report } from '../../../preload/contract/report.ts';
import { MOST_BODY_BYTES } from '../../service/limits.ts';
import type { MockRules } from '../../service/mock/mock-definition.ts';
import { timesDiffer } from '../compare-times.ts';
import { answerSignature, isAcceptedCall, toEmailKey, type AnalyzedCall } from './analyzed-calls.ts';
import { answerTo, readAccepted, readFlag, ruleFrom, type AnswerValue } from './report-answers.ts';

/** The lifetime of our own tokens. */
export const OWN_TOKEN_SECONDS = 30 * 86_400;
const MOST_TOKEN_SECONDS = 2_000_000_000;
/** A mock takes no larger body, where its original took all that were tried. */
const LARGEST_BODY_BYTES = 4 * 1024 * 1024;
/** A body of this size and more is one that tries how large a body may be. */
export const LARGE_BODY_BYTES = 8 * 1024;

export const readServed =
  (path: 'registro' | 'register') =>
  (value: AnswerValue): boolean | undefined =>
    value.kind === 'choice' ? value.choice === 'both' || value.choice === path : undefined;

/** The seconds that a token lives; null if it never ends. */
export function readLifetime(value: AnswerValue): number | null | undefined {
  if (value.kind === 'seconds') return Math.min(MOST_TOKEN_SECONDS, Math.max(1, Math.round(value.seconds)));
  return value.kind === 'choice' && value.choice === 'never-ends' ? null : undefined;
}

export const readPasswordCut = (value: AnswerValue): number => (readAccepted(value) ? 72 : 0);

export const readFasterUnknown = (value: AnswerValue): boolean | undefined =>
  value.kind === 'times' ? timesDiffer(value) && value.unknownMedianMs < value.knownMedianMs : undefined;

export function inferTokensPerAccount(report: Report): MockRules['tokensPerAccount'] {
  const two = answerTo(report, 'login.two-tokens', 'two-logins-two-tokens');
  const first = answerTo(report, 'login.two-tokens', 'first-token-after-second-login');
  if (two && readFlag(two.value) === false) return { value: 'one', calls: two.calls };
  return ruleFrom(first, 'many', (value) => (readFlag(value) === false ? 'newest' : 'many'));
}

export function inferLogoutEffect(report: Report): MockRules['logoutEnds'] {
  const own = answerTo(report, 'logout.same-token-afterwards', 'profile-after-logout');
  const others = answerTo(report, 'logout.other-tokens-afterwards', 'other-token-after-logout');
  const again = answerTo(report, 'logout.twice', 'logout-again');
  if (own && readAccepted(own.value)) {
    const isRefused = again?.value.kind === 'reply' && again.value.handling === 'refused';
    return isRefused
      ? { value: 'second-logout', calls: [...own.calls, ...again.calls] }
      : { value: 'nothing', calls: own.calls };
  }
  if (others?.value.kind === 'reply' && !readAccepted(others.value))
    return { value: 'all-tokens', calls: others.calls };
  return { value: 'its-token', calls: own?.calls ?? [] };
}

/** The most bytes of a body: the service's own limit, if that agrees with what was accepted and what was refused. */
export function inferBodyLimit(report: Report): MockRules['bodyMostBytes'] {
  const accepted = answerTo(report, 'limits.body-size', 'largest-body-accepted');
  const refused = answerTo(report, 'limits.body-size', 'smallest-body-refused');
  if (!accepted || !refused) return { value: LARGEST_BODY_BYTES, calls: [] };
  const least = accepted.value.kind === 'bytes' ? accepted.value.bytes : LARGE_BODY_BYTES / 2;
  const most = refused.value.kind === 'bytes' ? refused.value.bytes - 1 : LARGEST_BODY_BYTES;
  if (least <= MOST_BODY_BYTES && MOST_BODY_BYTES <= most) return { value: MOST_BODY_BYTES, calls: accepted.calls };
  return { value: least > MOST_BODY_BYTES ? most : least, calls: accepted.calls };
}

type Spelling = 'other-case' | 'spaces';

/** Registrations with an email that an account has already. */
export type RepeatedEmails = {
  exact: AnalyzedCall[];
  respelt: { call: AnalyzedCall; spelling: Spelling }[];
  /** Whether a registration was refused because its email is taken, in whatever spelling. */
  isTaken: (call: AnalyzedCall) => boolean;
};

export function findRepeatedEmails(registrations: readonly AnalyzedCall[]): RepeatedEmails {
  const registered = new Set<string>();
  const exact: AnalyzedCall[] = [];
  const respelt: RepeatedEmails['respelt'] = [];
  for (const call of registrations) {
    const { email } = call.sent ?? {};
    if (typeof email !== 'string' || call.handling === 'throttled') continue;
    if (registered.has(email)) exact.push(call);
    else if (registered.has(toEmailKey(email))) {
      respelt.push({ call, spelling: email.trim() === email ? 'other-case' : 'spaces' });
    }
    if (isAcceptedCall(call)) registered.add(email);
  }
  const signatures = new Set(exact.map((each) => answerSignature(each)));
  const same = respelt.flatMap(({ call }) => (signatures.has(answerSignature(call)) ? [call] : []));
  const taken = new Set([...exact, ...same]);
  return { exact, respelt, isTaken: (call) => taken.has(call) };
}

type SpellingRules = Pick<MockRules, 'registrationIgnoresCase' | 'registrationTrims' | 'refusesTakenEmail'>;

/** Whether two spellings of one email are the same to a registration. */
export function inferEmailSpelling(
  { exact, respelt, isTaken }: RepeatedEmails,
  loginTrims: MockRules['loginTrims'],
): SpellingRules {
  const isSame = (spelling: Spelling, own: boolean): MockRules['registrationTrims'] => {
    const found = respelt.find((each) => each.spelling === spelling)?.call;
    if (!found) return { value: own, calls: [] };
    return { value: isTaken(found) && !isAcceptedCall(found), calls: [found.id] };
  };
  return {
    registrationIgnoresCase: isSame('other-case', true),
    // Few servers trim at one operation only.
    registrationTrims: isSame('spaces', loginTrims.value),
    refusesTakenEmail: {
      value: exact.length === 0 || exact.some((each) => !isAcceptedCall(each)),
      calls: exact.map(({ id }) => id),
    },
  };
}

/** Whether user names are unique, and whether a login by user name takes the email too, if the run tried it. */
export function inferUsernames(
  special: readonly AnalyzedCall[],
): Pick<MockRules, 'refusesTakenUsername' | 'loginTakesEmail'> {
  const again = special.find(({ specialRequest }) => specialRequest === 'username-again');
  const withEmail = special.find(({ specialRequest }) => specialRequest === 'login-with-email');
  return {
    ...(again && { refusesTakenUsername: { value: !isAcceptedCall(again), calls: [again.id] } }),
    ...(withEmail && { loginTakesEmail: { value: isAcceptedCall(withEmail), calls: [withEmail.id] } }),
  };
}

/** Whether a refresh token works twice. */
export function inferRenewals(special: readonly AnalyzedCall[]): Pick<MockRules, 'renewsAgain'> {
  const isRenewed = (value: string): boolean =>
    special.some(
      (each) =>
        each.operation === 'refresh' && isAcceptedCall(each) && each.observation.sent?.renewWith?.value === value,
    );
  const [first, again] = special.filter(({ observation }) => {
    const value = observation.sent?.renewWith?.value;
    return value !== undefined && isRenewed(value);
  });
  return first && again ? { renewsAgain: { value: isAcceptedCall(again), calls: [first.id, again.id] } } : {};
}

/** Whether a call without the header against forged requests is refused: its answer is none of the usual ones of a login. */
export function inferForgeries(
  special: readonly AnalyzedCall[],
  regular: readonly AnalyzedCall[],
): Pick<MockRules, 'refusesForged'> {
  const forged = special.filter(
    ({ specialRequest }) => specialRequest === 'forged-missing' || specialRequest === 'forged-wrong',
  );
  if (forged.length === 0) return {};
  const usual = new Set(regular.filter(({ operation }) => operation === 'login').map((each) => answerSignature(each)));
  const isRefused = (each: AnalyzedCall): boolean => !isAcceptedCall(each) && !usual.has(answerSignature(each));
  return { refusesForged: { value: forged.some((each) => isRefused(each)), calls: forged.map(({ id }) => id) } };
}
