import type { Handling } from '../../../preload/contract/report-cases.ts';
import { isCookieNamed } from '../../interface/cookies.ts';
import type { Wire } from '../../interface/wire.ts';
import { beforeText } from '../../client/reading/body.ts';
import { isObject, readJson, type Json, type JsonObject } from '../../client/reading/json.ts';
import type { Observation } from '../observation.ts';
import type { MockOperation, Placeholder } from '../../service/double/model.ts';

/** Somebody whom the run knows at the server. */
export type Person = {
  email: string;
  name: string;
  /** As the interface sends it, where its accounts have one. */
  username?: string | undefined;
  /** It is unknown of an account that was there before the run. */
  createdMs: number | undefined;
  id?: string | number | undefined;
  /** All ids that answers give for this person, each with the form of its kind. */
  ids?: readonly PersonId[] | undefined;
};

export type PersonId = { text: string; form: Extract<Placeholder, { place: 'id' }>['form'] };

/** What is known of the call that an answer came to. */
export type Known = {
  person?: Person | undefined;
  token?: string | undefined;
  sent?: Record<string, Json> | undefined;
  /** Whether the answer says yes. A refusal rather echoes what was sent. */
  isSuccess: boolean;
  atMs: number;
  lifetimeSeconds?: number | undefined;
  waitSeconds?: number | undefined;
  method: string;
  path: string;
};

/** What a call asks of user names or of forged requests, for which others of its kind say nothing. */
type Aside = 'login-with-email' | 'username-again' | 'email-again' | 'forged-missing' | 'forged-wrong';

/** One call of a run, with what a model is learned of. It holds secrets. */
export type Observed = {
  id: string;
  seen: Observation;
  operation: MockOperation;
  method: string;
  /** Whether it is the one that the interface has for that operation. */
  isRightMethod: boolean;
  /** Below the base URL. */
  path: string;
  /** The body as it was sent, where it was a JSON object. */
  sent?: Record<string, Json> | undefined;
  body: 'object' | 'other-json' | 'no-json';
  sentBytes: number;
  token?: string | undefined;
  scheme?: string | undefined;
  hasAccept: boolean;
  isOfAnotherOrigin: boolean;
  handling: Handling;
  status: number;
  /** When the answer came, by the server's own clock as far as it tells it. */
  atMs: number;
  /** The body of the answer as text, and as JSON where it is some. */
  text: string;
  json?: Json | undefined;
  headers: readonly (readonly [name: string, value: string])[];
  person?: Person | undefined;
  aside?: Aside | undefined;
};

/** Clocks that differ by less are taken for the same. */
const sameClockMs = 2500;

export const keyOf = (email: string): string => email.trim().toLowerCase();

export const isRegistration = ({ operation }: Observed): boolean =>
  operation === 'registro' || operation === 'register';

export const isAccepted = ({ handling }: Observed): boolean => handling === 'accepted';

/**
 * Says whether an answer refuses what was asked. Pages and texts say so by their status: the application shows them as
 * faults, since they are no answers of an interface.
 */
export const isRefused = ({ handling, status }: Observed): boolean =>
  handling === 'refused' || ((handling === 'page' || handling === 'fault') && status >= 400 && status < 500);

/** JSON as it was sent: a double says the same again, in the same digits. */
export const jsonOf = (text: string): Json | undefined =>
  readJson(text, { opensTexts: false, mostNodes: Infinity })?.json;

export const recordOf = ({ values }: JsonObject): Record<string, Json> => Object.fromEntries(values);

/** What was sent, in the words of `interface.md`. */
function sentOf({ sent, call }: Observation): Pick<Observed, 'sent' | 'body'> {
  const parsed = jsonOf(typeof sent?.body === 'object' ? JSON.stringify(sent.body) : (call?.request.body ?? ''));
  if (isObject(parsed)) return { body: 'object', sent: recordOf(parsed) };
  return { body: parsed === undefined ? 'no-json' : 'other-json' };
}

function observe(seen: Observation, prefix: string, wire: Wire): Observed | undefined {
  const { call } = seen;
  if (!call?.response || seen.status === 0) return undefined;
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
    seen,
    operation: operationIn(seen, wire, request),
    method: request.method,
    isRightMethod: wire.operationOf(request.method, request.url) !== undefined,
    path,
    ...sentOf(seen),
    sentBytes: Buffer.byteLength(request.body ?? ''),
    token: seen.sent?.renewWith ? undefined : seen.sent?.token,
    scheme: seen.sent?.token === undefined ? undefined : (seen.sent.scheme ?? 'Bearer'),
    hasAccept: header('accept') !== undefined,
    isOfAnotherOrigin: ![undefined, url.origin].includes(header('origin')),
    handling: seen.handling,
    status: seen.status,
    atMs: isOff ? theirMs + 500 : endedMs,
    text: response.body,
    json: jsonOf(response.body.slice(beforeText(response.body).length)),
    headers: response.rawHeaders,
  };
}

/** A case that tries a user name sends it beside the email; others leave that to the interface. */
function asideOf(observed: Observed, people: ReadonlyMap<string, Person>): Aside | undefined {
  const { operation, sent = {}, seen } = observed;
  if (seen.sent?.csrf) return `forged-${seen.sent.csrf}`;
  const { username, email } = sent;
  if (typeof username !== 'string') return undefined;
  if (operation === 'login') return 'login-with-email';
  if (!isRegistration(observed)) return undefined;
  return typeof email === 'string' && people.has(email) && people.get(email)?.username !== username
    ? 'email-again'
    : 'username-again';
}

/** Which of the calls of a model a call of a run is. */
function operationIn(
  { sent, call }: Observation,
  wire: Wire,
  { method, url }: { method: string; url: string },
): MockOperation {
  if (sent?.renewWith) return 'refresh';
  const { pathname, search } = new URL(url);
  if (call && method === 'GET' && wire.csrfPath !== undefined && (pathname + search).endsWith(wire.csrfPath))
    return 'csrf';
  return wire.operationOf(method, url) ?? wire.operationAt(url) ?? 'other';
}

/** The value of the cookie against forged requests that an answer gives, as its body has it. */
export function csrfIn({ headers, text }: Observed, wire: Wire): string | undefined {
  const { csrf } = wire.description;
  for (const [name, value] of headers) {
    const [, itsName = '', itsValue = ''] = /^([^=;]+)=([^;]*)/.exec(value.trimStart()) ?? [];
    if (!csrf || name.toLowerCase() !== 'set-cookie' || !isCookieNamed(itsName, csrf.cookie) || itsValue === '')
      continue;
    if (text.includes(itsValue)) return itsValue;
    try {
      return decodeURIComponent(itsValue);
    } catch {
      return itsValue;
    }
  }
  return undefined;
}

/** Puts the calls of a run in order, each with the person whom it is about. */
export function observeAll(everything: readonly Observation[], wire: Wire): Observed[] {
  const prefix = new URL(wire.baseUrl).pathname.replace(/\/$/, '');
  /** By the address as it was sent, and by what is the same in any letters for whom it was sent first. */
  const people = new Map<string, Person>();
  const byToken = new Map<string, Person>();
  const all: Observed[] = [];
  for (const seen of everything) {
    const observed = observe(seen, prefix, wire);
    if (!observed) continue;
    all.push(observed);
    const { email: sentAsEmail, name, username: tried } = observed.sent ?? {};
    const { user, token } = seen.reading.meaning;
    // A log-in with the email as the user name has it there alone.
    const email = sentAsEmail ?? (observed.operation === 'login' ? tried : undefined);
    const sentEmail = typeof email === 'string' ? email : undefined;
    const find = (): Person | undefined =>
      sentEmail === undefined ? undefined : (people.get(sentEmail) ?? people.get(keyOf(sentEmail)));
    // Who is registered with an address in other letters is somebody else, where the server takes that.
    const isNew = isRegistration(observed) ? !people.has(sentEmail ?? '') : !find();
    if (sentEmail !== undefined && isAccepted(observed) && isNew) {
      const itsName = typeof name === 'string' ? name : (user?.name ?? '');
      const createdMs = isRegistration(observed) ? observed.atMs : undefined;
      const username = wire.identifiers.usernameOf(observed.sent ?? {});
      const person: Person = { email: sentEmail, name: itsName, username, createdMs };
      people.set(sentEmail, person);
      if (!people.has(keyOf(sentEmail))) people.set(keyOf(sentEmail), person);
    }
    observed.aside = asideOf(observed, people);
    const { token: held, renewWith } = seen.sent ?? {};
    observed.person = held !== undefined && (renewWith || observed.token !== undefined) ? byToken.get(held) : find();
    if (observed.person && isAccepted(observed)) observed.person.id ??= user?.id;
    if (token !== undefined && observed.person) byToken.set(token, observed.person);
  }
  return all;
}

/**
 * Returns what tells two answers apart by their kind: all but numbers, times, ids, what was sent, and the order of what
 * they say, which is another one each time where a language keeps maps so.
 */
export function signatureOf({ status, text, sent = {}, person }: Observed): string {
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
