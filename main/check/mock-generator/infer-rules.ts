import type { Report } from '../../../preload/contract/report.ts';
import type { CaseAnswer, CaseId, Question } from '../../../preload/contract/report-cases.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import { timesDiffer } from '../compare-times.ts';
import { MOST_BODY_BYTES } from '../../service/limits.ts';
import type { MockRules } from '../../service/mock/mock-definition.ts';
import type { LengthLimits } from '../../service/mock/input-violations.ts';
import { inferLengths, type UncertainLength, inferRateLimits } from './infer-limits.ts';
import { inferErrorReporting, inferLoginValidation, inferRegistrationValidation } from './infer-validation.ts';
import {
  isAcceptedCall,
  isRegistrationCall,
  toEmailKey,
  answerSignature,
  type AnalyzedCall,
} from './analyzed-calls.ts';

type Rule<T> = { value: T; calls: string[] };
type Value = CaseAnswer['value'];

const DAY_SECONDS = 86_400;
/** A double takes no larger body, where its original took all that were tried. */
const mostBytes = 4 * 1024 * 1024;
/** A body of this size and more is one that tries how large a body may be. */
export const LARGE_BODY_BYTES = 8 * 1024;

/** Whose calls these cases look at. */
const sources: Partial<Record<CaseId, CaseId>> = {
  'token.lifetime': 'login.right-credentials',
  'token.same-second': 'login.two-tokens',
  'registration.both-paths': 'registration.served',
};

/** Returns what a report answers to a question, with the calls of its case. */
const answersIn =
  ({ cases }: Report) =>
  (caseId: CaseId, question: Question, subject?: string): { value: Value; calls: string[] } | undefined => {
    const found = cases.find(({ id }) => id === caseId);
    if (found === undefined || found.outcome === 'not-measured') return undefined;
    const answer = found.answers.find(
      (each) => each.question === question && (subject === undefined || each.subject === subject),
    );
    // A case without calls of its own looks at those of another one.
    const source = sources[caseId];
    const its = found.calls.length > 0 ? found : cases.find(({ id }) => id === source);
    return answer && { value: answer.value, calls: (its ?? found).calls.slice(0, 50) };
  };
type Asked = ReturnType<typeof answersIn>;

/** Reads a rule out of an answer, or keeps the service's own choice. */
function ruleOf<T>(answer: ReturnType<Asked>, own: T, read: (value: Value) => T | undefined): Rule<T> {
  const value = answer && read(answer.value);
  return answer && value !== undefined ? { value, calls: answer.calls } : { value: own, calls: [] };
}

const accepts = (value: Value): boolean | undefined =>
  value.kind === 'reply' ? value.handling === 'accepted' : undefined;
const flag = (value: Value): boolean | undefined => (value.kind === 'flag' ? value.yes : undefined);

function tokensPerAccount(asked: Asked): MockRules['tokensPerAccount'] {
  const two = asked('login.two-tokens', 'two-logins-two-tokens');
  const first = asked('login.two-tokens', 'first-token-after-second-login');
  if (two && flag(two.value) === false) return { value: 'one', calls: two.calls };
  return ruleOf(first, 'many', (value) => (flag(value) === false ? 'newest' : 'many'));
}

function logoutEnds(asked: Asked): MockRules['logoutEnds'] {
  const own = asked('logout.same-token-afterwards', 'profile-after-logout');
  const others = asked('logout.other-tokens-afterwards', 'other-token-after-logout');
  const again = asked('logout.twice', 'logout-again');
  if (own && accepts(own.value)) {
    const isRefused = again?.value.kind === 'reply' && again.value.handling === 'refused';
    return isRefused
      ? { value: 'second-logout', calls: [...own.calls, ...again.calls] }
      : { value: 'nothing', calls: own.calls };
  }
  if (others?.value.kind === 'reply' && !accepts(others.value)) return { value: 'all-tokens', calls: others.calls };
  return { value: 'its-token', calls: own?.calls ?? [] };
}

const lifetime = (asked: Asked): MockRules['tokenSeconds'] =>
  ruleOf<number | null>(asked('token.lifetime', 'token-lifetime'), 30 * DAY_SECONDS, (value) => {
    if (value.kind === 'seconds') return Math.min(2_000_000_000, Math.max(1, Math.round(value.seconds)));
    return value.kind === 'choice' && value.choice === 'never-ends' ? null : undefined;
  });

function bodyMost(asked: Asked): MockRules['bodyMostBytes'] {
  const own = MOST_BODY_BYTES;
  const accepted = asked('limits.body-size', 'largest-body-accepted');
  const refused = asked('limits.body-size', 'smallest-body-refused');
  if (!accepted || !refused) return { value: mostBytes, calls: [] };
  const least = accepted.value.kind === 'bytes' ? accepted.value.bytes : LARGE_BODY_BYTES / 2;
  const most = refused.value.kind === 'bytes' ? refused.value.bytes - 1 : mostBytes;
  return { value: own >= least && own <= most ? own : least > own ? most : least, calls: accepted.calls };
}

/** Learns what two spellings of one email are to the server, where somebody registers. */
function learnSpelling(asked: Asked, all: readonly AnalyzedCall[]) {
  const registered = new Set<string>();
  const taken: AnalyzedCall[] = [];
  const respelt: { observed: AnalyzedCall; has: 'other-case' | 'spaces' }[] = [];
  for (const observed of all.filter(isRegistrationCall)) {
    const { email } = observed.sent ?? {};
    if (typeof email !== 'string' || observed.handling === 'throttled') continue;
    if (registered.has(email)) taken.push(observed);
    else if (registered.has(toEmailKey(email))) {
      respelt.push({ observed, has: email.trim() === email ? 'other-case' : 'spaces' });
    }
    if (isAcceptedCall(observed)) registered.add(email);
  }
  const takenSignatures = new Set(taken.map((each) => answerSignature(each)));
  const isSame = (has: 'other-case' | 'spaces', own: boolean): Rule<boolean> => {
    const found = respelt.find((each) => each.has === has);
    if (!found) return { value: own, calls: [] };
    return {
      value: takenSignatures.has(answerSignature(found.observed)) && !isAcceptedCall(found.observed),
      calls: [found.observed.id],
    };
  };
  const loginTrims = ruleOf(asked('login.email-spelling', 'login-with-spaces'), true, accepts);
  const rules = {
    registrationIgnoresCase: isSame('other-case', true),
    // Few servers trim at one operation only.
    registrationTrims: isSame('spaces', loginTrims.value),
    refusesTakenEmail: {
      value: taken.length === 0 || taken.some((each) => !isAcceptedCall(each)),
      calls: taken.map(({ id }) => id),
    },
    loginIgnoresCase: ruleOf(asked('login.email-spelling', 'login-with-other-case'), true, accepts),
    loginTrims,
  };
  const same = respelt
    .filter(({ observed }) => takenSignatures.has(answerSignature(observed)))
    .map(({ observed }) => observed);
  return { rules, takenCalls: new Set([...taken, ...same]) };
}

/** Learns what user names are to the server, where the run tried them by themselves. */
function learnUsernames(asides: readonly AnalyzedCall[]): Pick<MockRules, 'refusesTakenUsername' | 'loginTakesEmail'> {
  const again = asides.find(({ specialRequest }) => specialRequest === 'username-again');
  const withEmail = asides.find(({ specialRequest }) => specialRequest === 'login-with-email');
  return {
    ...(again && { refusesTakenUsername: { value: !isAcceptedCall(again), calls: [again.id] } }),
    ...(withEmail && { loginTakesEmail: { value: isAcceptedCall(withEmail), calls: [withEmail.id] } }),
  };
}

/** Learns whether a session can be renewed twice by the same. */
function learnRenewals(others: readonly AnalyzedCall[]): Pick<MockRules, 'renewsAgain'> {
  const [first, again] = others.filter(({ observation }) => {
    const value = observation.sent?.renewWith?.value;
    return (
      value !== undefined &&
      others.some((each) => isRenewalDone(each) && each.observation.sent?.renewWith?.value === value)
    );
  });
  return first && again ? { renewsAgain: { value: isAcceptedCall(again), calls: [first.id, again.id] } } : {};
}

const isRenewalDone = (each: AnalyzedCall): boolean => each.operation === 'refresh' && isAcceptedCall(each);

/** Learns whether the server minds a call without its header against forged requests: it answers it as any other, or not. */
function learnForgeries(
  others: readonly AnalyzedCall[],
  all: readonly AnalyzedCall[],
): Pick<MockRules, 'refusesForged'> {
  const forged = others.filter(
    ({ specialRequest }) => specialRequest === 'forged-missing' || specialRequest === 'forged-wrong',
  );
  if (forged.length === 0) return {};
  const usual = new Set(all.filter(({ operation }) => operation === 'login').map((each) => answerSignature(each)));
  const isMinded = (each: AnalyzedCall): boolean => !isAcceptedCall(each) && !usual.has(answerSignature(each));
  return { refusesForged: { value: forged.some((each) => isMinded(each)), calls: forged.map(({ id }) => id) } };
}

/** What was learned beside the answers. */
export type InferredRules = {
  rules: MockRules;
  lengths: LengthLimits;
  isTaken: (observed: AnalyzedCall) => boolean;
  /** What the run bounds and does not show. */
  uncertainLengths: UncertainLength[];
};

/** Learns the rules of a server from a report and its calls. */
export async function inferRules(
  report: Report,
  all: readonly AnalyzedCall[],
  { adapter: { identifiers }, others }: { adapter: ApiAdapter; others: readonly AnalyzedCall[] },
): Promise<InferredRules> {
  const asked = answersIn(report);
  const { rules: lengthRules, open: uncertainLengths } = await inferLengths(all);
  const lengths: LengthLimits = {
    nameMost: lengthRules.nameMost.value,
    emailMost: lengthRules.emailMost.value,
    passwordLeast: lengthRules.passwordLeast.value,
    passwordMost: lengthRules.passwordMost.value,
  };
  const spelling = learnSpelling(asked, all);
  const isTaken = (observed: AnalyzedCall): boolean => spelling.takenCalls.has(observed);
  const served = asked('registration.both-paths', 'paths-served');
  const serves = (path: 'registro' | 'register'): Rule<boolean> =>
    ruleOf(served, true, ({ ...value }) =>
      value.kind === 'choice' ? value.choice === 'both' || value.choice === path : undefined,
    );
  const registration = await inferRegistrationValidation(all, 'register', lengths, isTaken);
  const registrationAtRegistro = await inferRegistrationValidation(all, 'registro', lengths, isTaken, registration);
  const verdicts = { registration, registrationAtRegistro };
  const rules: MockRules = {
    ...lengthRules,
    ...spelling.rules,
    servesRegistro: serves('registro'),
    servesRegister: serves('register'),
    ...verdicts,
    ...learnUsernames(others),
    ...learnRenewals(others),
    ...learnForgeries(others, all),
    login: inferLoginValidation(all, lengths, identifiers.loginBy),
    passwordCutAt: ruleOf(asked('registration.long-password', 'password-cut-at-72'), 0, (value) =>
      accepts(value) ? 72 : 0,
    ),
    ...(await inferErrorReporting(all, verdicts, lengths)),
    unknownEmailAtOnce: ruleOf(asked('login.told-apart-by-time', 'told-apart-by-time'), false, (value) =>
      value.kind === 'times' ? timesDiffer(value) && value.unknownMedianMs < value.knownMedianMs : undefined,
    ),
    tokensPerAccount: tokensPerAccount(asked),
    sameTokenInOneSecond: ruleOf(asked('token.same-second', 'same-token-in-one-second'), false, flag),
    logoutEnds: logoutEnds(asked),
    tokenSeconds: lifetime(asked),
    schemeIgnoresCase: ruleOf(asked('token.scheme-case', 'scheme-in-lower-case'), true, accepts),
    bodyMostBytes: bodyMost(asked),
    ...inferRateLimits({ failures: asked('limits.throttling', 'failures-before-throttling'), all }),
  };
  return { rules, lengths, isTaken, uncertainLengths };
}
