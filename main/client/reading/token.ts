import { bareToken, isJsonWebToken, isPipeToken, looksLikeToken } from '../../secrets/secret-forms.ts';
import { isNeverToken } from '../../secrets/secret-names.ts';
import { at, atPath, first, get, grow, isList, isObject, keyOf, textOf, type Json, type Located } from './json.ts';
import { header, type ReceivedHeaders } from './headers.ts';
import { words } from './words.ts';

type FoundToken = { value: string; path: string; rule: string };

/** These are looked for in this order at each level. */
const tokenNames = words(`
  access_token token plainTextToken auth_token jwt access key jwtToken bearerToken bearer api_token
  token_acceso sessionToken idToken authentication_token user_token x_access_token x_auth_token jw_token
  api_key clave_api
`);

/** These names say by themselves that it is a token, wherever it stands. */
const plainTokenNames = tokenNames.filter((name) => /token|^jwt/i.test(name));

/** A level below is looked for in these, in this order. */
const containers = words(`
  data datos dados result tokens token session user authorization access_token access jwt auth authorisation
  usuario resultado response payload attributes
`);

const tokenHeaders = [
  'access-token',
  'set-auth-token',
  'authorization',
  'x-auth-token',
  'x-access-token',
  'x-subject-token',
  'x-session-token',
  'st-access-token',
];

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
export function findToken(body: Json, text: string, headers: ReceivedHeaders): FoundToken | undefined {
  return (
    byName({ path: 'body', value: body }, 0) ??
    inHeaders(headers) ??
    anywhere({ path: 'body', value: body }, 0) ??
    byForm({ path: 'body', value: body }) ??
    onlyWebToken(body) ??
    wholeText(typeof body === 'string' ? body : text)
  );
}

/**
 * Returns the bearer token at the place a person gave, in the body or as `headers.<name>`, and nowhere else. A name
 * that never holds one stays refused.
 */
export function tokenAt(path: string, body: Json, headers: ReceivedHeaders): FoundToken | undefined {
  const lastName = /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  if (isNeverToken(lastName)) return undefined;
  const name = /^headers\.(.+)$/.exec(path)?.[1];
  const found = atPath({ path: 'body', value: body }, path)?.value ?? (name && header(headers, name.toLowerCase()));
  const value = found === undefined ? undefined : usable(found);
  return value === undefined ? undefined : { value, path, rule: 'the place pinned for this server' };
}

function byName(place: Located, depth: number): FoundToken | undefined {
  const object = first(place);
  if (!object || !isObject(object.value) || depth > maxDepth) return undefined;
  for (const name of tokenNames) {
    const found = permitted(object, name);
    const value = found && usable(found.value);
    if (found && value !== undefined) return { value, path: found.path, rule: `a field named ${name}` };
  }
  // Adonis writes the token itself as `value`.
  const value = isBearer(object) ? permitted(object, 'value') : undefined;
  const bearer = value && usable(value.value);
  if (value && bearer !== undefined) return { value: bearer, path: value.path, rule: 'a value of type bearer' };
  for (const name of containers) {
    const inner = permitted(object, name);
    const found = inner && byName(inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function isBearer({ value }: Located): boolean {
  return ['type', 'tokenType'].some((name) => /^bearer$/i.test(textOf(get(value, name)) ?? ''));
}

/** Looks under keys that nobody knows, such as the name of a GraphQL mutation or Cognito's AuthenticationResult. */
function anywhere({ path, value }: Located, depth: number): FoundToken | undefined {
  if (depth > maxDepth) return undefined;
  const inner = innerOf({ path, value });
  for (const object of inner) {
    for (const name of plainTokenNames) {
      const found = permitted(object, name);
      const token = found && usable(found.value);
      if (found && token !== undefined) return { value: token, path: found.path, rule: `a field named ${name}` };
    }
  }
  for (const each of inner) {
    const found = anywhere(each, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** Returns what a list or an object holds, without what lies under names that never hold a token. */
function innerOf({ path, value }: Located): Located[] {
  if (isList(value)) return value.map((item, index) => ({ path: `${path}[${index}]`, value: item }));
  if (!isObject(value)) return [];
  return [...value.values].flatMap(([key, item]) =>
    isNeverToken(key) ? [] : [{ path: grow(path, key), value: item }],
  );
}

/** Finds a JSON Web Token under any name, if there is no second one to confuse it with. */
function onlyWebToken(body: Json): FoundToken | undefined {
  if (typeof body === 'string') return undefined;
  const found: Located[] = [];
  const waiting = innerOf({ path: 'body', value: body });
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
function permitted(object: Located, name: string): Located | undefined {
  const key = isObject(object.value) ? keyOf(object.value, name) : undefined;
  return key === undefined || isNeverToken(key) ? undefined : at(object, name);
}

function inHeaders(headers: ReceivedHeaders): FoundToken | undefined {
  for (const name of tokenHeaders) {
    const sent = header(headers, name);
    const value = sent === undefined ? undefined : usable(sent);
    if (sent === undefined || value === undefined) continue;
    // Other schemes carry no bearer token.
    if (name === 'authorization' && !/^Bearer\s/i.test(sent) && !looksLikeToken(value)) continue;
    return { value, path: `headers.${name}`, rule: `the response header ${name}` };
  }
  return undefined;
}

function byForm({ path, value }: Located): FoundToken | undefined {
  if (typeof value === 'string') {
    if (value.length > longestToken) return undefined;
    const bare = bareToken(value);
    return isPipeToken(bare) ? { value: bare, path, rule: 'a text of the form <id>|<opaque>' } : undefined;
  }
  for (const each of innerOf({ path, value })) {
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

function usable(value: Json): string | undefined {
  if (typeof value !== 'string' || value.length > longestToken) return undefined;
  const whole = bareToken(value);
  const bare = inLines.test(whole) ? whole.replace(/\r?\n[ \t]*/g, '') : whole;
  return bare === '' || /^(?:null|undefined|none|false|true|bearer)$/i.test(bare) ? undefined : bare;
}
