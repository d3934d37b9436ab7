import { at, atPath, first, grow, isList, isObject, keyOf, type Json, type Located } from './json.ts';
import { header, type ReceivedHeaders } from './headers.ts';
import { words } from './words.ts';

export type FoundToken = { value: string; path: string; rule: string };

/** In this order at each level. */
const tokenNames = words(`
  access_token token plainTextToken auth_token jwt access key jwtToken bearerToken bearer api_token
  token_acceso sessionToken idToken
`);

/** Where a level below is looked for, in this order. */
const containers = words(`
  data datos result tokens token session user authorization access_token access jwt auth authorisation
  usuario resultado response payload attributes
`);

const tokenHeaders = ['access-token', 'set-auth-token', 'authorization', 'x-auth-token', 'x-access-token'];

/** Fields whose content renews, protects or resets something and never authenticates a request; `_token` is Laravel's. */
const neverToken =
  /^_token$|refresh|csrf|xsrf|authenticity_?token|^(?:remember|reset|verif|confirmation|device|fcm|push|invit|activation)/i;

/** `<id>|<opaque>` of the interface; ids are numbers, ObjectIds or UUIDs. */
const pipeToken = /^[0-9A-Za-z-]{1,36}\|[\w.~+/=-]{10,}$/;
const jsonWebToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

const maxDepth = 5;

/**
 * The bearer token of an answer: by name in the body, then in the response headers, last any text of the interface's own
 * form. It comes back as sent, without a `Bearer ` before it or quotes around it.
 */
export function findToken(body: Json, text: string, headers: ReceivedHeaders): FoundToken | undefined {
  return (
    byName({ path: 'body', value: body }, 0) ??
    inHeaders(headers) ??
    byForm({ path: 'body', value: body }) ??
    wholeText(typeof body === 'string' ? body : text)
  );
}

/**
 * The bearer token at the place a person gave, in the body or as `headers.<name>`, and nowhere else. A name that never
 * holds one stays refused.
 */
export function tokenAt(path: string, body: Json, headers: ReceivedHeaders): FoundToken | undefined {
  const lastName = /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  if (isNeverToken(lastName)) return undefined;
  const name = /^headers\.(.+)$/.exec(path)?.[1];
  const found = atPath({ path: 'body', value: body }, path)?.value ?? (name && header(headers, name.toLowerCase()));
  const value = found === undefined ? undefined : usable(found);
  return value === undefined ? undefined : { value, path, rule: 'the place pinned for this environment' };
}

export function isNeverToken(key: string): boolean {
  return neverToken.test(key);
}

/** Also used to mask: a text that would open the door if it were shown. */
export function looksLikeToken(text: string): boolean {
  const bare = strip(text);
  return pipeToken.test(bare) || jsonWebToken.test(bare);
}

function byName(place: Located, depth: number): FoundToken | undefined {
  const object = first(place);
  if (!object || !isObject(object.value) || depth > maxDepth) return undefined;
  for (const name of tokenNames) {
    const found = permitted(object, name);
    const value = found && usable(found.value);
    if (found && value !== undefined) return { value, path: found.path, rule: `a field named ${name}` };
  }
  for (const name of containers) {
    const inner = permitted(object, name);
    const found = inner && byName(inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** Look-ups are lenient about names: what they find may still be one that must not be used. */
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
    const bare = strip(value);
    return pipeToken.test(bare) ? { value: bare, path, rule: 'a text of the form <id>|<opaque>' } : undefined;
  }
  const inner: Located[] = isList(value)
    ? value.map((item, index) => ({ path: `${path}[${index}]`, value: item }))
    : isObject(value)
      ? [...value.values].flatMap(([key, item]) => (isNeverToken(key) ? [] : [{ path: grow(path, key), value: item }]))
      : [];
  for (const each of inner) {
    const found = byForm(each);
    if (found) return found;
  }
  return undefined;
}

/** Some servers answer with nothing but the token. */
function wholeText(text: string): FoundToken | undefined {
  return looksLikeToken(text) ? { value: strip(text), path: 'body', rule: 'the whole body is a token' } : undefined;
}

function usable(value: Json): string | undefined {
  if (typeof value !== 'string') return undefined;
  const bare = strip(value);
  return bare === '' || /^(?:null|undefined|none|false|true|bearer)$/i.test(bare) ? undefined : bare;
}

function strip(text: string): string {
  const unquoted = unquote(text.trim());
  return unquote(unquoted.replace(/^Bearer\s+/i, ''));
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  return quoted?.[2] ?? text;
}
