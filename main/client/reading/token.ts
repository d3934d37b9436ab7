import { bareToken, isJsonWebToken, isPipeToken, looksLikeToken } from '../secrets/secret-forms.ts';
import { normalizeFieldName, isNeverToken, classifyName } from '../secrets/secret-names.ts';
import {
  childByName,
  atPath,
  firstElement,
  get,
  appendKey,
  isList,
  isJsonObject,
  findKey,
  nonEmptyText,
  rootNode,
  type JsonValue,
  type JsonNode,
} from './json.ts';
import { header, type ReceivedHeaders } from './headers.ts';
import { isInWordList, matchesPatterns, memoizeByKey, wordList } from './vocabulary.ts';

type FoundToken = { value: string; path: string; rule: string };

/** These names say by themselves that it is a token, wherever it stands. */
const plain = memoizeByKey((table: 'tokens') => wordList(table).filter((name) => /token|^jwt/i.test(name)));

/** A body that is one long word of letters and digits, and no UUID, which names a record. */
const opaqueToken = /^(?=\D{0,200}\d)(?=[^A-Za-z]{0,200}[A-Za-z])[\w.~+/=-]{32,}$/;
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const maxDepth = 5;

/** A longer one goes back in no header: servers refuse such a head. */
const longestToken = 32_768;

/**
 * Finds the bearer token of an answer: by name in the body, then in the response headers, then by name under any other
 * key, last any text of the interface's own form, or the one JSON Web Token there is. It comes back as sent, without a
 * `Bearer ` before it or quotes around it.
 */
export function findToken(body: JsonValue, text: string, headers: ReceivedHeaders): FoundToken | undefined {
  return (
    byName(rootNode(body)) ??
    inHeaders(headers) ??
    anywhere(rootNode(body)) ??
    byForm(rootNode(body)) ??
    onlyWebToken(body) ??
    wholeText(typeof body === 'string' ? body : text)
  );
}

/**
 * Returns the bearer token at the place a person gave, in the body or as `headers.<name>`, and nowhere else. A name
 * that never holds one stays refused.
 */
export function tokenAt(path: string, body: JsonValue, headers: ReceivedHeaders): FoundToken | undefined {
  const lastName = /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  if (isNeverToken(lastName)) return undefined;
  const name = /^headers\.(.+)$/.exec(path)?.[1];
  const found = atPath(rootNode(body), path)?.value ?? (name && header(headers, name.toLowerCase()));
  const value = found === undefined ? undefined : usable(found);
  return value === undefined ? undefined : { value, path, rule: 'the path pinned for this server' };
}

function byName(place: JsonNode, depth = 0): FoundToken | undefined {
  const object = firstElement(place);
  if (!object || !isJsonObject(object.value) || depth > maxDepth) return undefined;
  for (const name of wordList('tokens')) {
    const found = tokenUnder(object, name);
    if (found) return found;
  }
  // Adonis writes the token itself as `value`.
  const bearer = isBearer(object) ? tokenUnder(object, 'value', 'a value of type bearer') : undefined;
  if (bearer) return bearer;
  for (const name of wordList('around-tokens')) {
    const inner = permitted(object, name);
    const found = inner && byName(inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function tokenUnder(object: JsonNode, name: string, rule = `a field named ${name}`): FoundToken | undefined {
  const found = permitted(object, name);
  const value = found && usable(found.value);
  return found && value !== undefined ? { value, path: found.path, rule } : undefined;
}

function isBearer({ value }: JsonNode): boolean {
  return ['type', 'tokenType'].some((name) => /^bearer$/i.test(nonEmptyText(get(value, name)) ?? ''));
}

/** Looks under keys that nobody knows, such as the name of a GraphQL mutation or Cognito's AuthenticationResult. */
function anywhere(place: JsonNode, depth = 0): FoundToken | undefined {
  if (depth > maxDepth) return undefined;
  const inner = innerOf(place);
  for (const object of inner) {
    for (const name of plain('tokens')) {
      const found = tokenUnder(object, name);
      if (found) return found;
    }
  }
  for (const each of inner) {
    const found = anywhere(each, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** Returns what a list or an object holds, without what lies under names that never hold a token. */
function innerOf({ path, value }: JsonNode): JsonNode[] {
  if (isList(value)) return value.map((item, index) => ({ path: `${path}[${index}]`, value: item }));
  if (!isJsonObject(value)) return [];
  return [...value.values].flatMap(([key, item]) =>
    holdsNoToken(key) ? [] : [{ path: appendKey(path, key), value: item }],
  );
}

/** Finds a JSON Web Token under any name, if there is no second one to confuse it with. */
function onlyWebToken(body: JsonValue): FoundToken | undefined {
  if (typeof body === 'string') return undefined;
  const found: JsonNode[] = [];
  const waiting = innerOf(rootNode(body));
  for (const each of waiting) {
    if (typeof each.value !== 'string') waiting.push(...innerOf(each));
    else if (each.value.length <= longestToken && isJsonWebToken(bareToken(each.value)))
      found.push({ path: each.path, value: bareToken(each.value) });
  }
  const [only] = found;
  return only && typeof only.value === 'string' && found.every(({ value }) => value === only.value)
    ? { value: only.value, path: only.path, rule: 'the only JSON Web Token' }
    : undefined;
}

/** Keeps back what must not be used: look-ups are lenient about names, and may find it. */
function permitted(object: JsonNode, name: string): JsonNode | undefined {
  const key = isJsonObject(object.value) ? findKey(object.value, name) : undefined;
  return key === undefined || holdsNoToken(key) ? undefined : childByName(object, name);
}

/** Nothing that belongs to a step, or to what went wrong, lets anybody in: Synology sends a `token` in its error, for the second step. */
function holdsNoToken(key: string): boolean {
  const folded = normalizeFieldName(key);
  return isNeverToken(key) || isInWordList('never-around-tokens', folded) || matchesPatterns('tokens-of-steps', folded);
}

/**
 * A header that says `Bearer` is the one to send back: Devise Token Auth, since 1.2.1, has in `access-token` a part of what
 * it takes.
 */
const saysBearer = (headers: ReceivedHeaders): boolean => /^Bearer\s+\S/i.test(header(headers, 'authorization') ?? '');

function inHeaders(headers: ReceivedHeaders): FoundToken | undefined {
  const names = [...(saysBearer(headers) ? ['authorization'] : []), ...wordList('token-headers')];
  for (const name of names) {
    const sent = header(headers, name);
    const value = sent === undefined ? undefined : usable(sent);
    if (sent === undefined || value === undefined) continue;
    // Other schemes carry no bearer token.
    if (name === 'authorization' && !/^Bearer\s/i.test(sent) && !looksLikeToken(value)) continue;
    return { value, path: `headers.${name}`, rule: `the response header ${name}` };
  }
  return undefined;
}

function byForm({ path, value }: JsonNode): FoundToken | undefined {
  if (typeof value === 'string') {
    if (value.length > longestToken) return undefined;
    const bare = bareToken(value);
    return isPipeToken(bare) ? { value: bare, path, rule: 'a text of the form <id>|<opaque>' } : undefined;
  }
  for (const each of innerOf({ path, value })) {
    // Auth0's `sub` and `user_id` have this form.
    if (classifyName(each.path.split('.').at(-1) ?? '').says === 'identity') continue;
    const found = byForm(each);
    if (found) return found;
  }
  return undefined;
}

/** Some servers answer with nothing but the token. */
function wholeText(text: string): FoundToken | undefined {
  if (text.length > longestToken) return undefined;
  const bare = bareToken(text);
  return looksLikeToken(text) || (opaqueToken.test(bare) && !uuid.test(bare))
    ? { value: bare, path: 'body', rule: 'the whole body is a token' }
    : undefined;
}

/** Base64 in lines (RFC 2045, 6.8), of which the ends are no part of it. */
const inLines = /^[\w.~+/|-]+(?:\r?\n[ \t]*[\w.~+/|-]+)+={0,2}$/;

function usable(value: JsonValue): string | undefined {
  if (typeof value !== 'string' || value.length > longestToken) return undefined;
  const whole = bareToken(value);
  const bare = inLines.test(whole) ? whole.replace(/\r?\n[ \t]*/g, '') : whole;
  return bare === '' || /^(?:null|undefined|none|false|true|bearer)$/i.test(bare) ? undefined : bare;
}
