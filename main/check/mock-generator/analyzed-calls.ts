import type { Handling } from '../../../preload/contract/report-cases.ts';
import { isCookieNamed } from '../../interface/cookies.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { PendingLogin } from '../../interface/second-factor.ts';
import { decodePercent } from '../../interface/decode-percent.ts';
import { beforeText } from '../../client/reading/body.ts';
import { isJsonObject, readJson, type JsonValue, type JsonObject } from '../../client/reading/json.ts';
import type { Observation } from '../observation.ts';
import type { MockOperation, Placeholder } from '../../service/mock/mock-definition.ts';

/** An account of the run. */
export type TestUser = {
  email: string;
  name: string;
  /** As the interface sends it, where its accounts have one. */
  username?: string | undefined;
  /** Undefined for an account that was there before the run. */
  createdMs: number | undefined;
  id?: string | number | undefined;
  /** All ids in answers about this person, with their formats. */
  ids?: readonly TestUserId[] | undefined;
};

export type TestUserId = { text: string; form: Extract<Placeholder, { place: 'id' }>['form'] };

/** What an answer's values may come from. */
export type CallContext = {
  person?: TestUser | undefined;
  token?: string | undefined;
  sent?: Record<string, JsonValue> | undefined;
  /** A refusal rather echoes what was sent. */
  isSuccess: boolean;
  atMs: number;
  lifetimeSeconds?: number | undefined;
  waitSeconds?: number | undefined;
  method: string;
  path: string;
  issued?: IssuedValues | undefined;
};

/** What an answer gave for a second factor: outputs of a pending login by name, or a new factor. */
export type IssuedValues = {
  pendingLogin?: Readonly<Record<string, string>>;
  /** In Base32. */
  factorSecret?: string | undefined;
  recoveryCodes?: readonly string[];
};

/** A call that tests user names or forged requests alone. */
type SpecialRequest = 'login-with-email' | 'username-again' | 'email-again' | 'forged-missing' | 'forged-wrong';

/** One call of a run, as the mock generator sees it. It contains secrets. */
export type AnalyzedCall = {
  id: string;
  observation: Observation;
  operation: MockOperation;
  method: string;
  /** Whether the interface has this method for the operation. */
  isRightMethod: boolean;
  /** Below the base URL. */
  path: string;
  /** The body as it was sent, where it was a JSON object. */
  sent?: Record<string, JsonValue> | undefined;
  body: 'object' | 'other-json' | 'no-json';
  sentBytes: number;
  token?: string | undefined;
  scheme?: string | undefined;
  hasAccept: boolean;
  isCrossOrigin: boolean;
  handling: Handling;
  status: number;
  /** When the answer came, by the server's own clock if it sends its time. */
  atMs: number;
  /** The body of the answer as text, and as JSON where it is some. */
  text: string;
  json?: JsonValue | undefined;
  headers: readonly (readonly [name: string, value: string])[];
  person?: TestUser | undefined;
  specialRequest?: SpecialRequest | undefined;
  /** Whether a case about second factors, passwords and deletion sent it, or the cleanup. */
  isAboutAccount: boolean;
};

/** Clocks that differ by less count as the same. */
const sameClockMs = 2500;

export const toEmailKey = (email: string): string => email.trim().toLowerCase();

export const isRegistrationCall = ({ operation }: AnalyzedCall): boolean =>
  operation === 'registro' || operation === 'register';

export const isAcceptedCall = ({ handling }: AnalyzedCall): boolean => handling === 'accepted';

/** Whether an answer is a refusal. Pages and texts are one by their status, which the application shows as faults. */
export const isRefusedCall = ({ handling, status }: AnalyzedCall): boolean =>
  handling === 'refused' || ((handling === 'page' || handling === 'fault') && status >= 400 && status < 500);

/** JSON as it was sent: a mock sends the same again, in the same digits. */
export const parseExactJson = (text: string): JsonValue | undefined =>
  readJson(text, { opensTexts: false, mostNodes: Infinity })?.json;

export const toRecord = ({ values }: JsonObject): Record<string, JsonValue> => Object.fromEntries(values);

function parseSentBody({ sent, call }: Observation): Pick<AnalyzedCall, 'sent' | 'body'> {
  const parsed = parseExactJson(
    typeof sent?.body === 'object' ? JSON.stringify(sent.body) : (call?.request.body ?? ''),
  );
  if (isJsonObject(parsed)) return { body: 'object', sent: toRecord(parsed) };
  return { body: parsed === undefined ? 'no-json' : 'other-json' };
}

function analyzeCall(observation: Observation, prefix: string, adapter: ApiAdapter): AnalyzedCall | undefined {
  const { call } = observation;
  if (!call?.response || observation.status === 0) return undefined;
  const { request, response, startedAt, timings } = call;
  const url = new URL(request.url);
  const path = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : url.pathname;
  const header = (name: string): string | undefined =>
    request.headers.find(([each]) => each.toLowerCase() === name)?.[1];
  const endedMs = Date.parse(startedAt) + timings.totalMs;
  const theirMs = Date.parse(response.rawHeaders.find(([name]) => name.toLowerCase() === 'date')?.[1] ?? '');
  // Their clock tells whole seconds only.
  const isOff = Math.abs(theirMs + 500 - endedMs) > sameClockMs;
  return {
    id: call.id,
    observation,
    operation: mockOperationOf(observation, adapter, request),
    method: request.method,
    isRightMethod: adapter.operationOf(request.method, request.url) !== undefined,
    path,
    ...parseSentBody(observation),
    sentBytes: Buffer.byteLength(request.body ?? ''),
    token: observation.sent?.renewWith ? undefined : observation.sent?.token,
    scheme: observation.sent?.token === undefined ? undefined : (observation.sent.scheme ?? 'Bearer'),
    hasAccept: header('accept') !== undefined,
    isCrossOrigin: ![undefined, url.origin].includes(header('origin')),
    handling: observation.handling,
    status: observation.status,
    atMs: isOff ? theirMs + 500 : endedMs,
    text: response.body,
    json: parseExactJson(response.body.slice(beforeText(response.body).length)),
    headers: response.rawHeaders,
    isAboutAccount: observation.isAboutAccount === true,
  };
}

/** Only a case that tests user names sends one beside the email itself; others leave that to the interface. */
function specialRequestOf(observed: AnalyzedCall, people: ReadonlyMap<string, TestUser>): SpecialRequest | undefined {
  const { operation, sent = {}, observation } = observed;
  if (observation.sent?.csrf) return `forged-${observation.sent.csrf}`;
  const { username, email } = sent;
  if (typeof username !== 'string') return undefined;
  if (operation === 'login') return 'login-with-email';
  if (!isRegistrationCall(observed)) return undefined;
  return typeof email === 'string' && people.has(email) && people.get(email)?.username !== username
    ? 'email-again'
    : 'username-again';
}

function mockOperationOf(
  { sent, call }: Observation,
  adapter: ApiAdapter,
  { method, url }: { method: string; url: string },
): MockOperation {
  if (sent?.account) return sent.account.call;
  if (sent?.renewWith) return 'refresh';
  const { pathname, search } = new URL(url);
  if (call && method === 'GET' && adapter.csrfPath !== undefined && (pathname + search).endsWith(adapter.csrfPath))
    return 'csrf';
  return adapter.operationOf(method, url) ?? adapter.operationAt(url) ?? 'other';
}

/** The CSRF token in a cookie of an answer, as its body has it. */
export function readCsrfToken({ headers, text }: AnalyzedCall, adapter: ApiAdapter): string | undefined {
  const { csrf } = adapter.description;
  for (const [name, value] of headers) {
    const [, itsName = '', itsValue = ''] = /^([^=;]+)=([^;]*)/.exec(value.trimStart()) ?? [];
    if (!csrf || name.toLowerCase() !== 'set-cookie' || !isCookieNamed(itsName, csrf.cookie) || itsValue === '')
      continue;
    return text.includes(itsValue) ? itsValue : decodePercent(itsValue);
  }
  return undefined;
}

/** The calls of a run that were answered, in order, each with its person. */
export function analyzeCalls(everything: readonly Observation[], adapter: ApiAdapter): AnalyzedCall[] {
  const prefix = new URL(adapter.baseUrl).pathname.replace(/\/$/, '');
  /** By email as sent; also by its normalized form, for the first person who sent one. */
  const people = new Map<string, TestUser>();
  const byToken = new Map<string, TestUser>();
  const byPending = new Map<PendingLogin, TestUser>();
  const all: AnalyzedCall[] = [];
  for (const seen of everything) {
    const observed = analyzeCall(seen, prefix, adapter);
    if (!observed) continue;
    all.push(observed);
    const { email: sentAsEmail, name, username: tried } = seen.sent?.account?.fields ?? observed.sent ?? {};
    const { user, token } = seen.reading.summary;
    // A log-in with the email as the user name has it there alone.
    const email = sentAsEmail ?? (observed.operation === 'login' ? tried : undefined);
    const sentEmail = typeof email === 'string' ? email : undefined;
    const find = (): TestUser | undefined =>
      sentEmail === undefined ? undefined : (people.get(sentEmail) ?? people.get(toEmailKey(sentEmail)));
    // Who is registered with an address in other letters is somebody else, where the server takes that.
    const isNew = isRegistrationCall(observed) ? !people.has(sentEmail ?? '') : !find();
    if (sentEmail !== undefined && !seen.sent?.account && isAcceptedCall(observed) && isNew) {
      const itsName = typeof name === 'string' ? name : (user?.name ?? '');
      const createdMs = isRegistrationCall(observed) ? observed.atMs : undefined;
      const username = adapter.identifiers.usernameOf(observed.sent ?? {});
      const person: TestUser = { email: sentEmail, name: itsName, username, createdMs };
      people.set(sentEmail, person);
      if (!people.has(toEmailKey(sentEmail))) people.set(toEmailKey(sentEmail), person);
    }
    observed.specialRequest = specialRequestOf(observed, people);
    const { token: held, renewWith } = seen.sent ?? {};
    const isOfToken = held !== undefined && (renewWith || observed.token !== undefined);
    const ofPending = seen.sent?.pending && byPending.get(seen.sent.pending);
    observed.person = (isOfToken ? byToken.get(held) : find()) ?? ofPending ?? (seen.sent?.account && find());
    if (observed.person && isAcceptedCall(observed)) observed.person.id ??= user?.id;
    const begun = seen.session ?? token;
    if (begun !== undefined && observed.person) byToken.set(begun, observed.person);
    if (seen.pending && observed.person) byPending.set(seen.pending, observed.person);
  }
  return all;
}

/**
 * Returns what tells two answers apart by their kind: all but numbers, times, ids, what was sent, and the order of what
 * they say, which is another one each time where a language keeps maps so.
 */
export function answerSignature({ status, text, sent = {}, person }: AnalyzedCall): string {
  let body = text;
  for (const value of [...Object.values(sent), person?.email, person?.name]) {
    if (typeof value === 'string' && value.length > 3) body = body.replaceAll(value, '…');
  }
  const parts = body
    .replaceAll(/[0-9a-f]{8,}/gi, '#')
    .replaceAll(/\d+/g, '#')
    .slice(0, 4000)
    .split(/[{}[\],]+/);
  return [status, ...parts.toSorted()].join(' ');
}
