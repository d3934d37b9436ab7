import { readJsonWebToken } from '../../client/reading/json-web-token.ts';
import type { LoginBy } from '../../interface/identifiers.ts';
import { isEndpointMissing } from '../observation.ts';
import { invalidRefreshToken } from '../test-values.ts';
import type { MockOperation, FieldViolation, Scenario } from '../../service/mock/mock-definition.ts';
import { findLoginViolations, findRegistrationViolations } from '../../service/mock/input-violations.ts';
import { rejectedViolations } from '../../service/mock/rejected-violations.ts';
import { LARGE_BODY_BYTES, type InferredRules } from './infer-rules.ts';
import { isAcceptedCall, toEmailKey, type AnalyzedCall } from './analyzed-calls.ts';

/** What a call came to, in the words of a model. */
export type ScenarioMatch = {
  operation: MockOperation;
  situation: Scenario;
  problems?: FieldViolation[] | undefined;
  path?: string | undefined;
  method?: string | undefined;
};

const situationOfBody = { 'other-json': 'not-object', 'no-json': 'not-json' } as const;

/** Keeps which tokens the server gave, which ended, and when they were to end. */
function createTokenWorld({ rules }: InferredRules) {
  const live = new Map<string, { email: string; endsMs: number }>();
  const ended = new Set<string>();
  const payloads = new Set<string>();
  const loggedOutOnce = new Set<string>();
  const lifetimeMs = (rules.tokenSeconds.value ?? 3_155_760_000) * 1000;

  function given(token: string, email: string, atMs: number): void {
    if (rules.tokensPerAccount.value === 'newest') {
      for (const [other, { email: its }] of live) if (its === email && other !== token) ended.add(other);
    }
    ended.delete(token);
    loggedOutOnce.delete(token);
    live.set(token, { email, endsMs: atMs + lifetimeMs });
    const payload = readJsonWebToken(token)?.payload;
    if (payload !== undefined) payloads.add(payload);
  }

  function loggedOut(token: string): void {
    const email = live.get(token)?.email;
    loggedOutOnce.add(token);
    if (rules.logoutEnds.value === 'nothing' || rules.logoutEnds.value === 'second-logout') return;
    ended.add(token);
    if (rules.logoutEnds.value !== 'all-tokens') return;
    for (const [other, { email: its }] of live) if (its === email) ended.add(other);
  }

  function situationOf(token: string, atMs: number, operation: 'perfil' | 'salir'): Scenario {
    const known = live.get(token);
    const isSecond = operation === 'salir' && rules.logoutEnds.value === 'second-logout' && loggedOutOnce.has(token);
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

  return { given, loggedOut, situationOf };
}

const differsInOne = (one: string, other: string): boolean =>
  one.length === other.length && Array.from(one).filter((sign, at) => sign !== other[at]).length === 1;

async function ofRegistration(observed: AnalyzedCall, learned: InferredRules): Promise<ScenarioMatch | undefined> {
  const { operation, sent = {} } = observed;
  if (operation !== 'registro' && operation !== 'register') return undefined;
  if (isEndpointMissing(observed.observation)) return { operation, situation: 'unknown-path' };
  if (isAcceptedCall(observed)) return { operation, situation: 'done' };
  if (observed.body !== 'object') return { operation, situation: situationOfBody[observed.body] };
  const problems = rejectedViolations(
    learned.rules,
    operation,
    await findRegistrationViolations(sent, operation, learned.lengths),
  );
  if (learned.isTaken(observed) && problems.length === 0) return { operation, situation: 'taken' };
  return problems.length === 0 ? undefined : { operation, situation: 'invalid', problems };
}

/** What a registration with a taken email or a taken user name alone came to, or a forged request. */
function placeAside(
  { operation, specialRequest, handling }: AnalyzedCall,
  { rules }: InferredRules,
): ScenarioMatch | undefined {
  if (specialRequest === 'forged-missing' || specialRequest === 'forged-wrong')
    return rules.refusesForged?.value && handling !== 'accepted' ? { operation, situation: specialRequest } : undefined;
  if (handling !== 'refused' || (operation !== 'registro' && operation !== 'register')) return undefined;
  return { operation, situation: specialRequest === 'email-again' ? 'taken' : 'username-taken' };
}

function ofLogin(
  observed: AnalyzedCall,
  { rules, lengths }: InferredRules,
  loginBy: LoginBy,
): ScenarioMatch | undefined {
  const operation = 'login';
  const { sent = {}, sentBytes } = observed;
  if (isAcceptedCall(observed)) return { operation, situation: 'done' };
  if (observed.body !== 'object') return { operation, situation: situationOfBody[observed.body] };
  if (sentBytes >= LARGE_BODY_BYTES) return { operation, situation: 'too-large' };
  const problems = rejectedViolations(rules, operation, findLoginViolations(sent, lengths, loginBy));
  if (problems.length > 0) return { operation, situation: 'invalid', problems };
  // Where letters or blanks count, another spelling is somebody else.
  const spelt = (email: unknown): string => {
    const text = rules.loginTrims.value ? String(email).trim() : String(email);
    return rules.loginIgnoresCase.value ? text.toLowerCase() : text;
  };
  const isKnown = observed.person !== undefined && spelt(sent['email']) === spelt(observed.person.email);
  return { operation, situation: isKnown ? 'wrong-password' : 'unknown-email' };
}

/** What the run sends to renew a session is nonsense, nothing, or what the server gave. */
function ofRenewal(observed: AnalyzedCall): ScenarioMatch {
  const { operation, observation } = observed;
  const value = observation.sent?.renewWith?.value;
  if (isAcceptedCall(observed)) return { operation, situation: 'done' };
  if (value === undefined) return { operation, situation: 'renewal-missing' };
  return { operation, situation: value === invalidRefreshToken ? 'renewal-unknown' : 'renewal-used' };
}

/** Says of each call what it came to, as the double will say it of the same call. */
export async function matchScenarios(
  all: readonly AnalyzedCall[],
  learned: InferredRules,
  loginBy: LoginBy,
): Promise<{ observed: AnalyzedCall; placed: ScenarioMatch }[]> {
  const world = createTokenWorld(learned);
  const asked = new Set(all.map(({ specialRequest }) => specialRequest));
  const worked = new Set(all.filter(isAcceptedCall).map(({ operation }) => operation));
  const found: { observed: AnalyzedCall; placed: ScenarioMatch }[] = [];
  for (const observed of all) {
    const placed = observed.specialRequest
      ? placeAside(observed, learned)
      : await placeOne(observed, learned, { world, worked, loginBy, hasAside: asked.has('email-again') });
    const { token } = observed.observation.reading.summary;
    const { email } = observed.person ?? {};
    if (token !== undefined && email !== undefined) world.given(token, toEmailKey(email), observed.atMs);
    // Where no logout is accepted, such as one that leads elsewhere, it counts for what the server says it is.
    const isDone = isAcceptedCall(observed) || (!worked.has('salir') && observed.status < 400);
    if (observed.operation === 'salir' && observed.token !== undefined && isDone) world.loggedOut(observed.token);
    if (placed && !observed.isCrossOrigin) found.push({ observed, placed });
  }
  return found;
}

async function placeOne(
  observed: AnalyzedCall,
  learned: InferredRules,
  {
    world,
    worked,
    loginBy,
    hasAside,
  }: {
    world: ReturnType<typeof createTokenWorld>;
    worked: ReadonlySet<MockOperation>;
    loginBy: LoginBy;
    /** Whether a taken email was tried beside a user name that nobody has. */
    hasAside: boolean;
  },
): Promise<ScenarioMatch | undefined> {
  const { operation, method, path } = observed;
  if (operation === 'csrf') return { operation, situation: 'done' };
  if (operation === 'refresh') return ofRenewal(observed);
  if (operation === 'other') return { operation, situation: 'unknown-path', path, method };
  if (observed.handling === 'throttled') return { operation, situation: 'throttled' };
  if (!observed.isRightMethod) return { operation, situation: 'wrong-method' };
  if (operation === 'login') return ofLogin(observed, learned, loginBy);
  if (operation !== 'perfil' && operation !== 'salir') {
    const placed = await ofRegistration(observed, learned);
    // There the user name was taken, too, and may be what was told.
    return placed?.situation === 'taken' && hasAside ? undefined : placed;
  }
  const { token, scheme, hasAccept } = observed;
  if (token === undefined)
    return { operation, situation: hasAccept ? 'token-missing' : 'token-missing-without-accept' };
  const situation = world.situationOf(token, observed.atMs, operation);
  if (situation === 'done' && scheme !== 'Bearer' && !learned.rules.schemeIgnoresCase.value) {
    return { operation, situation: 'scheme-in-other-case' };
  }
  if (situation !== 'done' || isAcceptedCall(observed)) return { operation, situation };
  if (isEndpointMissing(observed.observation)) return { operation, situation: 'unknown-path' };
  // Where it worked elsewhere, a double could not do this again; where it never did, this is what the server does.
  return worked.has(operation) ? undefined : { operation, situation };
}
