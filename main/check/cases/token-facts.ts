import type { CaseAnswer, ObservedValue } from '../../../preload/contract/report-cases.ts';
import { parseBody } from '../../client/reading/body.ts';
import { isList, isJsonObject, numberOf, type JsonValue } from '../../client/reading/json.ts';
import { normalizeFieldName } from '../../client/secrets/secret-names.ts';
import { toLocalClock } from '../../client/reading/parse-date.ts';
import type { FoundExpiry } from '../../client/reading/session-expiry.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';
import { readJsonWebToken, type JsonWebToken } from '../../client/reading/json-web-token.ts';

const scopeNames = new Set(['scope', 'scopes', 'abilities', 'permissions', 'permisos', 'alcance', 'alcances']);
/** In an answer these are the user's. In a token they say what it is good for. */
const scopeClaims = new Set([...scopeNames, 'scp', 'role', 'roles', 'authorities', 'groups']);

/** Two clocks may differ by so many seconds where a lifetime was meant to be of whole minutes. */
const offMinute = 2;
const mostScopes = 50;
const mostClaims = 60;

/**
 * A token, and the call that gave it: the body of its answer, when that says the token ends, what the server's clock was
 * then in milliseconds since 1970 if it says so, and when the call began in ISO 8601.
 */
type GivenToken = {
  token: string;
  body: string;
  end: FoundExpiry | undefined;
  dateMs?: number | undefined;
  startedAt: string;
};

/** Says what a token is said to be good for, and for how long, by the answer that gave it and by the token itself. */
export function tokenFacts(given: GivenToken, secretRegistry: SecretRegistry): CaseAnswer[] {
  const token = readJsonWebToken(given.token);
  const { json } = parseBody(given.body);
  return [
    { question: 'token-lifetime', value: lifetimeOf(given, token) },
    { question: 'token-scopes', value: listOf(scopesOf(json, token), secretRegistry, mostScopes) },
    ...(token ? factsOf(token, secretRegistry) : []),
  ];
}

function factsOf({ algorithm, claims }: JsonWebToken, secretRegistry: SecretRegistry): CaseAnswer[] {
  const names = claims ? [...claims.values.keys()] : [];
  return [
    { question: 'token-algorithm', value: { kind: 'text', text: [secretRegistry.mask(algorithm).slice(0, 100)] } },
    { question: 'token-claims', value: listOf(names, secretRegistry, mostClaims) },
    { question: 'token-issued', value: dateOf(claims?.values.get('iat')) },
    { question: 'token-ends', value: dateOf(claims?.values.get('exp')) },
  ];
}

const listOf = (items: readonly string[], secretRegistry: SecretRegistry, most: number): ObservedValue =>
  items.length === 0
    ? { kind: 'none' }
    : { kind: 'list', items: items.slice(0, most).map((each) => secretRegistry.mask(each).slice(0, 100)) };

/** Returns how many seconds the token will work, as far as the answer or the token itself says. */
function lifetimeOf({ end, dateMs, startedAt }: GivenToken, token: JsonWebToken | undefined): ObservedValue {
  const startedMs = Date.parse(startedAt);
  const secondsUntil = (ms: number): number => (toLocalClock(ms, dateMs, startedMs) - startedMs) / 1000;
  if (end) return { kind: 'seconds', seconds: 'seconds' in end ? end.seconds : wholeMinutes(secondsUntil(end.atMs)) };
  if (!token?.claims) return { kind: 'none' };
  const endsMs = claimedMs(token.claims.values.get('exp'));
  if (endsMs === undefined) return { kind: 'choice', choice: 'never-ends' };
  const issuedMs = claimedMs(token.claims.values.get('iat'));
  const seconds = issuedMs === undefined ? wholeMinutes(secondsUntil(endsMs)) : Math.round((endsMs - issuedMs) / 1000);
  return { kind: 'seconds', seconds };
}

/** Takes the difference of two clocks for whole minutes if it nearly is. */
function wholeMinutes(seconds: number): number {
  const minutes = Math.round(seconds / 60) * 60;
  return minutes > 0 && Math.abs(seconds - minutes) <= offMinute ? minutes : Math.round(seconds);
}

/** Reads seconds or milliseconds since 1970, as a number or in digits. It is undefined for what is no moment. */
function claimedMs(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : numberOf(value);
  if (number === undefined) return undefined;
  const ms = number < 1e12 ? number * 1000 : number;
  return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

function dateOf(value: JsonValue | undefined): ObservedValue {
  const ms = claimedMs(value);
  return ms === undefined ? { kind: 'none' } : { kind: 'date', date: new Date(ms).toISOString() };
}

function scopesOf(json: JsonValue, token: JsonWebToken | undefined): string[] {
  const found = [...valuesNamed(scopeNames, json), ...valuesNamed(scopeClaims, token?.claims ?? null)].flatMap(
    (value) => (typeof value === 'string' ? value.split(/[\s,]+/) : isList(value) ? value : []),
  );
  return [...new Set(found.filter((each): each is string => typeof each === 'string' && each !== ''))];
}

/** All values under one of some folded names. */
function valuesNamed(names: ReadonlySet<string>, value: JsonValue): JsonValue[] {
  const found: JsonValue[] = [];
  function walk(value: JsonValue): void {
    if (isList(value)) for (const each of value) walk(each);
    if (!isJsonObject(value)) return;
    for (const [key, inner] of value.values) {
      if (names.has(normalizeFieldName(key))) found.push(inner);
      walk(inner);
    }
  }
  walk(value);
  return found;
}
