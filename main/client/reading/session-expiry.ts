import { normalizeFieldName } from '../secrets/secret-names.ts';
import type { Operation } from '../../../preload/contract/names.ts';
import { header, type ReceivedHeaders } from './headers.ts';
import {
  digitsOf,
  appendKey,
  isList,
  isNumber,
  isJsonObject,
  rootNode,
  rootPath,
  type JsonValue,
  type JsonObject,
  type JsonNode,
} from './json.ts';
import { parseEpoch, parseDate } from './parse-date.ts';
import { isInWordList, matchesPatterns } from './vocabulary.ts';

/** When a token stops working, as an answer says it. `name` is the server's own spelling of a name from our tables. */
export type FoundExpiry = { name: string; path: string; rule: string } & End;

type End = { seconds: number } | { atMs: number };

const secondsIn = { seconds: 1, minutes: 60, hours: 3600, days: 86_400, weeks: 7 * 86_400 } as const;
/** The names of fields may have one of these units, as in `expires_in_minutes`. */
const unitsOfNames = ['seconds', 'minutes', 'hours', 'days'] as const;
const units = [...unitsOfNames, 'weeks'] as const;

const deepest = 6;
/** Nobody's session is longer; a greater number is no length of time. */
const longestSeconds = 100 * 365 * secondsIn.days;

type Places = {
  json: JsonValue;
  headers: ReceivedHeaders;
  tokenPath: string | undefined;
  userPath: string | undefined;
};

/**
 * Finds when the token of an answer stops working: beside the token first, then in what lies around it, then in the
 * other objects, but not in the record of the person. Of a profile, only what is called a session or a token counts.
 * Undefined when the answer does not say it.
 */
export function findSessionExpiry(
  operation: Operation,
  { json, headers, tokenPath, userPath }: Places,
): FoundExpiry | undefined {
  if (tokenPath === undefined && operation !== 'profile') return undefined;
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
  outer === rootPath || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);

/** Returns the objects of an answer, the outer before the inner, without those that are about something else. */
function objectsIn(json: JsonValue, isPerson: (path: string) => boolean): Place[] {
  const found: Place[] = [];
  function look({ path, value }: JsonNode, underSession: boolean, level: number): void {
    if (level > deepest) return;
    if (isList(value)) {
      const [item] = value;
      if (item !== undefined) look({ path: `${path}[0]`, value: item }, underSession, level + 1);
    }
    if (!isJsonObject(value)) return;
    found.push({ path, value, underSession });
    for (const [key, inner] of value.values) {
      const name = normalizeFieldName(key);
      const below = underSession || isInWordList('sessions', name);
      if (!isPerson(appendKey(path, key)) && !matchesPatterns('ends-of-others', name))
        look({ path: appendKey(path, key), value: inner }, below, level + 1);
    }
  }
  look(rootNode(json), false, 0);
  return found;
}

function inObject(path: string, { keys, values }: JsonObject): FoundExpiry | undefined {
  const first = (read: (name: string, value: JsonValue) => End | undefined): FoundExpiry | undefined => {
    for (const [folded, key] of keys) {
      const end = read(folded, values.get(key) ?? null);
      if (end) return { name: key, path: appendKey(path, key), rule: `a field named ${key}`, ...end };
    }
    return undefined;
  };
  return first(momentUnder) ?? first(lengthUnder);
}

/** `devise_token_auth` says it beside its `access-token`. */
function inHeaders(headers: ReceivedHeaders): FoundExpiry | undefined {
  const name = 'expiry';
  const end = momentOf(header(headers, name) ?? null);
  return end && { name, path: `headers.${name}`, rule: `the response header ${name}`, ...end };
}

/** Under these names is a moment. */
const momentUnder = (name: string, value: JsonValue): End | undefined =>
  isInWordList('ends', name) ? momentOf(value) : undefined;

/**
 * Reads a moment in milliseconds since 1970. Smaller numbers are lengths of time in a unit that nobody knows, such as
 * Directus's milliseconds.
 */
function momentOf(value: JsonValue): End | undefined {
  const text = textOrDigits(value);
  const moment = (typeof value === 'string' ? parseDate(text) : undefined) ?? parseEpoch(text);
  return moment && { atMs: moment.is === 'day' ? Date.parse(moment.day) : moment.ms };
}

const textOrDigits = (value: JsonValue): string =>
  isNumber(value) ? digitsOf(value) : typeof value === 'string' ? value.trim() : '';

/** Reads a length of time: a number in the unit of its name, or `1h` and `7 days`, as jsonwebtoken is told them. */
function lengthUnder(name: string, value: JsonValue): End | undefined {
  const ofName = unitsOfNames.find((unit) => isInWordList(`lengths-in-${unit}`, name));
  if (!ofName) return undefined;
  const text = textOrDigits(value).toLowerCase();
  const [, number, named] = /^(\d{1,12}(?:\.\d{1,6})?)\s?(\p{L}{0,8})$/u.exec(text) ?? [];
  const unit = named ? units.find((each) => isInWordList(each, named)) : ofName;
  const seconds = Number(number) * (unit ? secondsIn[unit] : 0);
  return seconds > 0 && seconds <= longestSeconds ? { seconds } : undefined;
}
