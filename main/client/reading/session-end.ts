import { fold } from '../../secrets/secret-names.ts';
import type { Operation } from '../base-url.ts';
import { header, type ReceivedHeaders } from './headers.ts';
import {
  digitsOf,
  grow,
  isList,
  isNumber,
  isObject,
  numberOf,
  wholeBody,
  type Json,
  type JsonObject,
  type Located,
} from './json.ts';
import { readJsonWebToken } from './json-web-token.ts';
import { epochIn, momentIn } from './moments.ts';
import { words } from './words.ts';

/** When a token stops working, as an answer says it. `name` is the server's own spelling of a name from our tables. */
export type FoundEnd = { name: string; path: string; rule: string } & ({ seconds: number } | { atMs: number });

const second = 1;
const minute = 60;
const hour = 3600;
const day = 86_400;

/** Names of a length of time, folded, and the unit of a bare number there. */
const lengthNames: ReadonlyMap<string, number> = new Map([
  ...words('expiresin expirein expiraen tokenexpiresin accesstokenexpiresin accessexpiresin ttl tokenttl validfor').map(
    (name) => [name, second] as const,
  ),
  ...words('lifetime tokenlifetime expiresinseconds expiraensegundos').map((name) => [name, second] as const),
  ...words('expiresinminutes expiraenminutos').map((name) => [name, minute] as const),
  ...words('expiresinhours expiraenhoras').map((name) => [name, hour] as const),
  ...words('expiresindays expiraendias').map((name) => [name, day] as const),
]);

/** Names of a moment, folded. */
const momentNames: ReadonlySet<string> = new Set(
  words(`
    expire expiresat expireat expiraat expiration expiry expires expira expirationdate expirydate expirationtime expireson
    tokenexpiresat tokenexpires tokenexpiry tokenexpiration accesstokenexpiresat accesstokenexpires
    accesstokenexpiration accesstokenexpiry accessexpiration accessexpiresat validuntil expiraen
    fechaexpiracion fechaexpira fechadeexpiracion validohasta caduca vence
  `),
);

/** What lies under these ends something else: another token, a subscription, a password. */
const others = /refresh|refresco|password|contrasena|subscription|suscripcion|plan|trial|licen|cookie|cache|coupon/;

/** In a profile, only what lies under these is about the session. */
const sessionNames: ReadonlySet<string> = new Set(
  words('session sesion currentsession token accesstoken currentaccesstoken auth authorization authorisation'),
);

const deepest = 6;
/** Nobody's session is longer; a greater number is no length of time. */
const longestSeconds = 100 * 365 * day;

type Places = {
  json: Json;
  headers: ReceivedHeaders;
  tokenPath: string | undefined;
  userPath: string | undefined;
};

/**
 * Finds when the token of an answer stops working: beside the token first, then in what lies around it, then in the
 * other objects, but not in the record of the person. Of a profile, only what is called a session or a token counts.
 * Undefined when the answer does not say it.
 */
export function findSessionEnd(
  operation: Operation,
  { json, headers, tokenPath, userPath }: Places,
): FoundEnd | undefined {
  if (tokenPath === undefined && operation !== 'perfil') return undefined;
  const inHead = tokenPath?.startsWith('headers.') === true ? inHeaders(headers) : undefined;
  if (inHead) return inHead;
  const objects = objectsIn(json, (path) => path === userPath && !(tokenPath !== undefined && holds(path, tokenPath)));
  const around = tokenPath === undefined ? [] : objects.filter(({ path }) => holds(path, tokenPath)).toReversed();
  const elsewhere = objects.filter(
    ({ path, underSession }) => path !== userPath && (tokenPath !== undefined || underSession),
  );
  for (const { path, value } of [...around, ...elsewhere]) {
    const found = inObject(path, value);
    if (found) return found;
  }
  return undefined;
}

type Place = { path: string; value: JsonObject; underSession: boolean };

/** Says whether what lies at `inner` is a part of what lies at `outer`. */
const holds = (outer: string, inner: string): boolean =>
  outer === wholeBody || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);

/** Returns the objects of an answer, the outer before the inner, without those that are about something else. */
function objectsIn(json: Json, isPerson: (path: string) => boolean): Place[] {
  const found: Place[] = [];
  function look({ path, value }: Located, underSession: boolean, level: number): void {
    if (level > deepest) return;
    if (isList(value)) {
      const [item] = value;
      if (item !== undefined) look({ path: `${path}[0]`, value: item }, underSession, level + 1);
    }
    if (!isObject(value)) return;
    found.push({ path, value, underSession });
    for (const [key, inner] of value.values) {
      const name = fold(key);
      const below = underSession || sessionNames.has(name);
      if (!isPerson(grow(path, key)) && !others.test(name))
        look({ path: grow(path, key), value: inner }, below, level + 1);
    }
  }
  look({ path: wholeBody, value: json }, false, 0);
  return found;
}

function inObject(path: string, { keys, values }: JsonObject): FoundEnd | undefined {
  const named = (isOne: (folded: string) => boolean) =>
    [...keys].flatMap(([folded, key]) => (isOne(folded) ? [{ folded, key, value: values.get(key) ?? null }] : []));
  for (const { key, value } of named((folded) => momentNames.has(folded))) {
    const atMs = momentOf(value);
    if (atMs !== undefined) return { name: key, path: grow(path, key), rule: `a field named ${key}`, atMs };
  }
  for (const { folded, key, value } of named((folded) => lengthNames.has(folded))) {
    const seconds = secondsOf(value, lengthNames.get(folded) ?? second);
    if (seconds !== undefined) return { name: key, path: grow(path, key), rule: `a field named ${key}`, seconds };
  }
  return undefined;
}

/** `devise_token_auth` says it beside its `access-token`. */
function inHeaders(headers: ReceivedHeaders): FoundEnd | undefined {
  const name = 'expiry';
  const atMs = momentOf(header(headers, name) ?? null);
  return atMs === undefined ? undefined : { name, path: `headers.${name}`, rule: `the response header ${name}`, atMs };
}

/** Reads a moment in milliseconds since 1970. Smaller numbers are lengths of time in a unit that nobody knows, such as Directus's milliseconds. */
function momentOf(value: Json): number | undefined {
  const text = textOrDigits(value);
  const moment = (typeof value === 'string' ? momentIn(text) : undefined) ?? epochIn(text);
  return moment?.is === 'day' ? Date.parse(moment.day) : moment?.ms;
}

const textOrDigits = (value: Json): string =>
  isNumber(value) ? digitsOf(value) : typeof value === 'string' ? value.trim() : '';

const units: readonly (readonly [pattern: RegExp, seconds: number])[] = [
  [/^(?:s|secs?|seconds?|segundos?)$/, second],
  [/^(?:m|mins?|minutes?|minutos?)$/, minute],
  [/^(?:h|hrs?|hours?|horas?)$/, hour],
  [/^(?:d|days?|d[ií]as?)$/, day],
  [/^(?:w|weeks?|semanas?)$/, 7 * day],
];

/** Reads a length of time: a number in the unit of its name, or `1h` and `7 days`, as jsonwebtoken is told them. */
function secondsOf(value: Json, unit: number): number | undefined {
  const text = textOrDigits(value).toLowerCase();
  const [, number, named] = /^(\d{1,12}(?:\.\d{1,6})?)\s?(\p{L}{0,8})$/u.exec(text) ?? [];
  if (number === undefined) return undefined;
  const seconds = Number(number) * (named ? (units.find(([pattern]) => pattern.test(named))?.[1] ?? 0) : unit);
  return seconds > 0 && seconds <= longestSeconds ? seconds : undefined;
}

/** Returns the second since 1970 at which a JSON Web Token ends by its own claim `exp`. */
export function endClaimedBy(token: string): number | undefined {
  const ends = numberOf(readJsonWebToken(token)?.claims?.values.get('exp'));
  return ends !== undefined && ends > 0 && ends < 1e11 ? ends : undefined;
}
