import { readJsonWebToken } from '../../client/reading/json-web-token.ts';
import type { LoginBy } from '../../interface/identifiers.ts';
import { isEndpointMissing } from '../observation.ts';
import { invalidRefreshToken } from '../test-values.ts';
import type { MockOperation, Scenario } from '../../service/mock/mock-definition.ts';
import {
  findLoginViolations,
  findRegistrationViolations,
  lengthLimitsOf,
} from '../../service/mock/input-violations.ts';
import { rejectedViolations } from '../../service/mock/rejected-violations.ts';
import { LARGE_BODY_BYTES } from './infer-rules.ts';
import type { MatchedScenario, MockInference, ScenarioMatch } from './mock-inference.ts';
import { isAcceptedCall, toEmailKey, type AnalyzedCall } from './analyzed-calls.ts';

type Rules = Pick<MockInference, 'rules' | 'repeatedEmails'>;

const scenarioOfBody = { 'other-json': 'not-object', 'no-json': 'not-json' } as const;

/** The tokens that the server issued: whose they are, when they expire, and which were ended. */
function createIssuedTokens({ rules }: Rules) {
  const live = new Map<string, { email: string; endsMs: number }>();
  const ended = new Set<string>();
  const payloads = new Set<string>();
  const loggedOut = new Set<string>();
  const lifetimeMs = (rules.tokenSeconds.value ?? 3_155_760_000) * 1000;

  function issue(token: string, email: string, atMs: number): void {
    if (rules.tokensPerAccount.value === 'newest') {
      for (const [other, { email: its }] of live) if (its === email && other !== token) ended.add(other);
    }
    ended.delete(token);
    loggedOut.delete(token);
    live.set(token, { email, endsMs: atMs + lifetimeMs });
    const payload = readJsonWebToken(token)?.payload;
    if (payload !== undefined) payloads.add(payload);
  }

  function logOut(token: string): void {
    const email = live.get(token)?.email;
    loggedOut.add(token);
    if (rules.logoutEnds.value === 'nothing' || rules.logoutEnds.value === 'second-logout') return;
    ended.add(token);
    if (rules.logoutEnds.value !== 'all-tokens') return;
    for (const [other, { email: its }] of live) if (its === email) ended.add(other);
  }

  function scenarioOf(token: string, atMs: number, operation: 'profile' | 'logout'): Scenario {
    const known = live.get(token);
    const isSecond = operation === 'logout' && rules.logoutEnds.value === 'second-logout' && loggedOut.has(token);
    if (known) return ended.has(token) || isSecond ? 'token-ended' : known.endsMs <= atMs ? 'token-expired' : 'done';
    const [any] = live.keys();
    const jwt = readJsonWebToken(token);
    if (jwt && readJsonWebToken(any ?? '')) {
      if (jwt.signature === '') return jwt.algorithm === 'none' ? 'token-unsigned' : 'token-signature-cut';
      return payloads.has(jwt.payload) ? 'token-altered' : 'token-claim-changed';
    }
    // The run changes one character of a token that works.
    if ([...live.keys()].some((each) => differsInOne(each, token))) return 'token-altered';
    return token.includes('|') && (any?.includes('|') ?? true) ? 'token-foreign' : 'token-malformed';
  }

  return { issue, logOut, scenarioOf };
}

const differsInOne = (one: string, other: string): boolean =>
  one.length === other.length && Array.from(one).filter((sign, at) => sign !== other[at]).length === 1;

async function matchRegistration(
  call: AnalyzedCall,
  { rules, repeatedEmails }: Rules,
): Promise<ScenarioMatch | undefined> {
  const { operation, sent = {} } = call;
  if (operation !== 'registro' && operation !== 'register') return undefined;
  if (isEndpointMissing(call.observation)) return { operation, situation: 'unknown-path' };
  if (isAcceptedCall(call)) return { operation, situation: 'done' };
  if (call.body !== 'object') return { operation, situation: scenarioOfBody[call.body] };
  const violations = await findRegistrationViolations(sent, operation, lengthLimitsOf(rules));
  const problems = rejectedViolations(rules, operation, violations);
  if (repeatedEmails.isTaken(call) && problems.length === 0) return { operation, situation: 'taken' };
  return problems.length === 0 ? undefined : { operation, situation: 'invalid', problems };
}

/** A registration with a taken email or a taken user name alone, or a forged request. */
function matchSpecialRequest(
  { operation, specialRequest, handling }: AnalyzedCall,
  { rules }: Rules,
): ScenarioMatch | undefined {
  if (specialRequest === 'forged-missing' || specialRequest === 'forged-wrong')
    return rules.refusesForged?.value && handling !== 'accepted' ? { operation, situation: specialRequest } : undefined;
  if (handling !== 'refused' || (operation !== 'registro' && operation !== 'register')) return undefined;
  return { operation, situation: specialRequest === 'email-again' ? 'taken' : 'username-taken' };
}

function matchLogin(call: AnalyzedCall, { rules }: Rules, loginBy: LoginBy): ScenarioMatch {
  const operation = 'login';
  const { sent = {}, sentBytes } = call;
  if (isAcceptedCall(call)) return { operation, situation: 'done' };
  if (call.body !== 'object') return { operation, situation: scenarioOfBody[call.body] };
  if (sentBytes >= LARGE_BODY_BYTES) return { operation, situation: 'too-large' };
  const problems = rejectedViolations(rules, operation, findLoginViolations(sent, lengthLimitsOf(rules), loginBy));
  if (problems.length > 0) return { operation, situation: 'invalid', problems };
  // Where letters or blanks count, another spelling is somebody else.
  const normalized = (email: unknown): string => {
    const text = rules.loginTrims.value ? String(email).trim() : String(email);
    return rules.loginIgnoresCase.value ? text.toLowerCase() : text;
  };
  const isKnown = call.person !== undefined && normalized(sent['email']) === normalized(call.person.email);
  return { operation, situation: isKnown ? 'wrong-password' : 'unknown-email' };
}

/** The run renews a session by nonsense, by nothing, or by what the server gave. */
function matchRenewal(call: AnalyzedCall): ScenarioMatch {
  const { operation, observation } = call;
  const value = observation.sent?.renewWith?.value;
  if (isAcceptedCall(call)) return { operation, situation: 'done' };
  if (value === undefined) return { operation, situation: 'renewal-missing' };
  return { operation, situation: value === invalidRefreshToken ? 'renewal-unknown' : 'renewal-used' };
}

/** What the other calls of the run show. */
type World = {
  tokens: ReturnType<typeof createIssuedTokens>;
  /** The operations that worked at all. */
  worked: ReadonlySet<MockOperation>;
  /** Whether a taken email was tried with a user name that nobody has. */
  triesEmailAlone: boolean;
};

/** The scenario of each call: the one in which the mock would see the same call. */
export async function matchScenarios(all: readonly AnalyzedCall[], mock: MockInference): Promise<MatchedScenario[]> {
  const world: World = {
    tokens: createIssuedTokens(mock),
    worked: new Set(all.filter(isAcceptedCall).map(({ operation }) => operation)),
    triesEmailAlone: all.some(({ specialRequest }) => specialRequest === 'email-again'),
  };
  const { tokens, worked } = world;
  const found: MatchedScenario[] = [];
  for (const call of all) {
    const match = call.specialRequest ? matchSpecialRequest(call, mock) : await matchCall(call, mock, world);
    const { token } = call.observation.reading.summary;
    const { email } = call.person ?? {};
    if (token !== undefined && email !== undefined) tokens.issue(token, toEmailKey(email), call.atMs);
    // Where no logout is accepted, such as one that leads elsewhere, it counts for what the server says it is.
    const isDone = isAcceptedCall(call) || (!worked.has('logout') && call.status < 400);
    if (call.operation === 'logout' && call.token !== undefined && isDone) tokens.logOut(call.token);
    if (match && !call.isCrossOrigin) found.push({ call, match });
  }
  return found;
}

async function matchCall(
  call: AnalyzedCall,
  mock: MockInference,
  { tokens, worked, triesEmailAlone }: World,
): Promise<ScenarioMatch | undefined> {
  const { operation, method, path } = call;
  if (operation === 'csrf') return { operation, situation: 'done' };
  if (operation === 'refresh') return matchRenewal(call);
  if (operation === 'other') return { operation, situation: 'unknown-path', path, method };
  if (call.handling === 'throttled') return { operation, situation: 'throttled' };
  if (!call.isRightMethod) return { operation, situation: 'wrong-method' };
  if (operation === 'login') return matchLogin(call, mock, mock.run.adapter.identifiers.loginBy);
  if (operation !== 'profile' && operation !== 'logout') {
    const match = await matchRegistration(call, mock);
    // There the user name was taken, too, and may be what was refused.
    return match?.situation === 'taken' && triesEmailAlone ? undefined : match;
  }
  const { token, scheme, hasAccept } = call;
  if (token === undefined)
    return { operation, situation: hasAccept ? 'token-missing' : 'token-missing-without-accept' };
  const situation = tokens.scenarioOf(token, call.atMs, operation);
  if (situation === 'done' && scheme !== 'Bearer' && !mock.rules.schemeIgnoresCase.value) {
    return { operation, situation: 'scheme-in-other-case' };
  }
  if (situation !== 'done' || isAcceptedCall(call)) return { operation, situation };
  if (isEndpointMissing(call.observation)) return { operation, situation: 'unknown-path' };
  // Where it worked elsewhere, a mock could not do this again; where it never did, this is what the server does.
  return worked.has(operation) ? undefined : { operation, situation };
}
