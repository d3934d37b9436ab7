/** An API description as JSON. The form edits the members that it knows, and preserves all others. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** The keys and indexes that lead to a value. */
export type Place = readonly (string | number)[];

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined if the text is no JSON object. */
export function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const writeObject = (value: JsonObject): string => `${JSON.stringify(value, undefined, 2)}\n`;

export function valueAt(value: Json | undefined, place: Place): Json | undefined {
  const [name, ...rest] = place;
  if (name === undefined) return value;
  if (Array.isArray(value)) return typeof name === 'number' ? valueAt(value[name], rest) : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : undefined;
}

export function textAt(value: Json | undefined, place: Place): string | undefined {
  const found = valueAt(value, place);
  return typeof found === 'string' ? found : undefined;
}

/** Copy with another value at a path: undefined removes it, and missing parents are created. */
function withValue(value: Json | undefined, place: Place, next: Json | undefined): Json | undefined {
  const [name, ...rest] = place;
  if (name === undefined) return next;
  if (Array.isArray(value) && typeof name === 'number') {
    const changed = withValue(value[name], rest, next);
    return value.flatMap((each, index) => (index === name ? (changed === undefined ? [] : [changed]) : [each]));
  }
  const before = isObject(value) ? value : {};
  const changed = withValue(Object.hasOwn(before, name) ? before[name] : undefined, rest, next);
  if (changed === undefined) return Object.fromEntries(Object.entries(before).filter(([key]) => key !== name));
  return { ...before, [name]: changed };
}

/** As `withValue`, but the root always stays an object. */
export function withAt(object: JsonObject, place: Place, next: Json | undefined): JsonObject {
  const changed = withValue(object, place, next);
  return isObject(changed) ? changed : object;
}

export const callNames = ['register', 'login', 'profile', 'logout', 'refresh'] as const;
export type CallName = (typeof callNames)[number];

/** A request of the imported text that may be a call, with its name there. */
export interface CallOption {
  call: JsonObject;
  from?: string | undefined;
  /** Outputs of a description, read from the response to this request. */
  outputs?: JsonObject | undefined;
}

/** Path of a call in a description. Of two paths to register, the first is edited. */
export function callPlace(description: JsonObject, name: CallName): Place {
  return Array.isArray(valueAt(description, ['calls', name])) ? ['calls', name, 0] : ['calls', name];
}

export const methodOf = (description: JsonObject, name: CallName): string =>
  textAt(description, [...callPlace(description, name), 'method']) ?? (name === 'profile' ? 'GET' : 'POST');

const prefixOf = (description: JsonObject): string => textAt(description, ['prefix']) ?? '';

export const pathOf = (description: JsonObject, name: CallName): string =>
  prefixOf(description) + (textAt(description, [...callPlace(description, name), 'path']) ?? '');

/** Normalizes a typed path: the origin is removed, and a missing first slash is added. */
export function typedPath(typed: string): string {
  const path = typed.trim().replace(/^\/?https?:\/\/[^/?#]*/i, '');
  return path === '' || /^[/?]/.test(path) ? path : `/${path}`;
}

/** Moves the prefix into the paths, so that each is edited as it is sent. */
export function withoutPrefix(description: JsonObject): JsonObject {
  const prefix = prefixOf(description);
  if (prefix === '') return description;
  const moved = (call: Json): Json => {
    if (Array.isArray(call)) return call.map(moved);
    return isObject(call) && typeof call['path'] === 'string' ? { ...call, path: prefix + call['path'] } : call;
  };
  const { prefix: _prefix, ...rest } = description;
  const calls = Object.entries(isObject(rest['calls']) ? rest['calls'] : {});
  return { ...rest, calls: Object.fromEntries(calls.map(([name, call]) => [name, moved(call)])) };
}

export function withPath(description: JsonObject, name: CallName, path: string): JsonObject {
  const whole = withoutPrefix(description);
  return withAt(whole, [...callPlace(whole, name), 'path'], path);
}

export function withCall(description: JsonObject, name: CallName, call: Json | undefined): JsonObject {
  return withAt(withoutPrefix(description), ['calls', name], call);
}

/** Outputs that are detected in a response if the description has no path for them. */
const foundOutputs = ['token', 'refreshToken', 'user', 'message'];

/**
 * Replaces a call by another request of the text. With a login, its outputs are replaced too.
 * @param option the other request, with the outputs read from its response
 */
export function withOption(description: JsonObject, name: CallName, { call, outputs = {} }: CallOption): JsonObject {
  const next = withCall(description, name, call);
  const renews = name === 'refresh' && JSON.stringify(call).includes('{{refreshToken}}');
  if (renews && valueAt(next, ['outputs', 'refreshToken']) === undefined) {
    return withAt(next, ['outputs', 'refreshToken'], '$response.body#/refreshToken');
  }
  if (name !== 'login') return next;
  return foundOutputs.reduce((now, output) => withAt(now, ['outputs', output], outputs[output]), next);
}

/** Initial values of a call that the user adds. */
export const newCall: Readonly<Record<CallName, JsonObject>> = {
  register: { method: 'POST', path: '/', body: { email: '{{email}}', password: '{{password}}' } },
  login: { method: 'POST', path: '/', body: { email: '{{email}}', password: '{{password}}' } },
  profile: { method: 'GET', path: '/' },
  logout: { method: 'POST', path: '/' },
  refresh: { method: 'POST', path: '/', body: { refreshToken: '{{refreshToken}}' } },
};

/** A member of a body, with the names that lead to it. */
export interface Member {
  place: readonly string[];
  value: Json;
}

/** The leaf members of a body. An empty object is a leaf. */
export function membersOf(body: Json | undefined, place: readonly string[] = []): Member[] {
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const at = [...place, name];
    return isObject(value) && Object.keys(value).length > 0 ? membersOf(value, at) : [{ place: at, value }];
  });
}

/** Renames a member of a body. It keeps its position while it stays in the same object. */
export function renamed(body: Json | undefined, from: readonly string[], to: readonly string[]): JsonObject {
  const rest = withAt(isObject(body) ? body : {}, from, undefined);
  const isSibling = from.length === to.length && from.slice(0, -1).join('\n') === to.slice(0, -1).join('\n');
  const value = valueAt(body, from) ?? null;
  const parent = valueAt(body, from.slice(0, -1));
  if (!isSibling || !isObject(parent)) return withAt(rest, to, value);
  const names = Object.entries(parent).map(([name, each]) => [name === from.at(-1) ? to.at(-1)! : name, each] as const);
  const changed = Object.fromEntries(names);
  return from.length === 1 ? changed : withAt(isObject(body) ? body : {}, from.slice(0, -1), changed);
}

/** `field` is a form field or a variable, written as `{{name}}`. */
type Filling = { is: 'field'; name: string } | { is: 'constant'; text: string };

export function fillingOf(value: Json): Filling {
  const name = typeof value === 'string' ? /^\{\{([A-Za-z]\w*)\}\}$/.exec(value)?.[1] : undefined;
  if (name !== undefined) return { is: 'field', name };
  return { is: 'constant', text: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** A string or null becomes a string. Any other value is parsed as JSON where that is possible. */
export function typedConstant(typed: string, before: Json): Json {
  if (typeof before === 'string' || before === null) return typed;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What is parsed is JSON.
    return JSON.parse(typed) as Json;
  } catch {
    return typed;
  }
}

/** Removes the variables whose last use was removed, not those that were unused before. */
export function withoutUnused(before: JsonObject, after: JsonObject): JsonObject {
  const names = (description: JsonObject) => {
    const { variables: _variables, ...rest } = description;
    return new Set(JSON.stringify(rest).match(/\{\{[A-Za-z]\w*\}\}/g));
  };
  const [named, stillNamed] = [names(before), names(after)];
  const variables = Object.entries(isObject(after['variables']) ? after['variables'] : {});
  const kept = variables.filter(([name]) => stillNamed.has(`{{${name}}}`) || !named.has(`{{${name}}}`));
  return kept.length === variables.length ? after : { ...after, variables: Object.fromEntries(kept) };
}

/** A variable named after the member that it fills. `secret` is guessed from the name, and hides the value. */
export function variableFor(place: readonly string[]): { name: string; secret: boolean } {
  const words = (place.at(-1) ?? '').split(/[^A-Za-z0-9]+/).filter(Boolean);
  const camel = words
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  const name = camel.replace(/^[^A-Za-z]+/, '').slice(0, 40) || 'value';
  return {
    name: taken.has(name) ? `${name}Given` : name,
    secret: /secret|password|token|(?:api|access|private)_?key/i.test(name),
  };
}

const taken = new Set([
  'name',
  'email',
  'password',
  'cpassword',
  'username',
  'origin',
  'token',
  'refreshToken',
  'user',
]);

/** Where a value is in a response. `path` is separated by dots, or is a JSON pointer if a name contains a dot. */
export type AnswerPlace = { in: 'found' } | { in: 'body'; path: string } | { in: 'header'; name: string };

export function answerPlaceOf(expression: string | undefined): AnswerPlace {
  if (expression === undefined) return { in: 'found' };
  const header = /^\$response\.header\.(.*)$/.exec(expression)?.[1];
  if (header !== undefined) return { in: 'header', name: header };
  const pointer = /^\$response\.body#?(.*)$/.exec(expression)?.[1] ?? '';
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const isPlain = names.every((name) => name !== '' && !name.includes('.'));
  return { in: 'body', path: isPlain ? names.join('.') : pointer };
}

export function expressionOf(place: AnswerPlace): string | undefined {
  if (place.in === 'found') return undefined;
  if (place.in === 'header') return `$response.header.${place.name}`;
  if (place.path === '') return '$response.body';
  if (place.path.startsWith('/')) return `$response.body#${place.path}`;
  const names = place.path.split('.').map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `$response.body#/${names.join('/')}`;
}

/** Path of the security scheme of a session. Of several, the first is edited. */
function securityPlace(description: JsonObject): Place {
  return Array.isArray(description['security']) ? ['security', 0] : ['security'];
}

export type SentAs =
  | { in: 'header'; name: string; scheme: string | undefined }
  | { in: 'cookie'; name: string }
  | { in: 'body' };

export const sentAsOf = (description: JsonObject): SentAs => readSentAs(description, securityPlace(description));

function readSentAs(description: JsonObject, place: Place): SentAs {
  const said = (name: string) => textAt(description, [...place, name]);
  const type = said('type');
  if (type === 'none') return { in: 'body' };
  if (type !== 'apiKey') return { in: 'header', name: 'Authorization', scheme: said('scheme') ?? 'Bearer' };
  const name = said('name') ?? '';
  return said('in') === 'cookie' ? { in: 'cookie', name } : { in: 'header', name, scheme: undefined };
}

export function withSentAs(description: JsonObject, sentAs: SentAs): JsonObject {
  return withAt(description, securityPlace(description), securityOf(sentAs));
}

function securityOf(sentAs: SentAs): JsonObject {
  if (sentAs.in === 'body') return { type: 'none' };
  if (sentAs.in === 'cookie') return { type: 'apiKey', in: 'cookie', name: sentAs.name };
  if (sentAs.scheme !== undefined && /^authorization$/i.test(sentAs.name))
    return { type: 'http', scheme: sentAs.scheme };
  return { type: 'apiKey', in: 'header', name: sentAs.name };
}

const renewalPlace = (description: JsonObject): Place => {
  const place = [...callPlace(description, 'refresh'), 'security'];
  return Array.isArray(valueAt(description, place)) ? [...place, 0] : place;
};

/** How a renewal sends its credential: undefined if like all other calls, and the first of several schemes. */
export function renewalSentAsOf(description: JsonObject): SentAs | undefined {
  const place = renewalPlace(description);
  return isObject(valueAt(description, place)) ? readSentAs(description, place) : undefined;
}

const theRefreshToken = '{{refreshToken}}';

/** Where a header or cookie carries the refresh token, its member of the body is removed. */
export function withRenewalSentAs(description: JsonObject, sentAs: SentAs | undefined): JsonObject {
  const place = renewalPlace(description);
  const value = valueAt(description, [...place, 'value']);
  if (!sentAs) return withAt(description, [...callPlace(description, 'refresh'), 'security'], undefined);
  if (sentAs.in === 'body') return withAt(description, place, securityOf(sentAs));
  // A cookie that the server has set is sent as it is, without a `value`.
  const own = sentAs.in === 'cookie' ? {} : { value: value ?? theRefreshToken };
  return withoutRefreshMember(withAt(description, place, { ...securityOf(sentAs), ...own }));
}

function withoutRefreshMember(description: JsonObject): JsonObject {
  const place = [...callPlace(description, 'refresh'), 'body'];
  const body = valueAt(description, place);
  const filled = membersOf(body).filter(({ value }) => value === theRefreshToken);
  const rest = filled.reduce((now, member) => withAt(now, member.place, undefined), isObject(body) ? body : {});
  if (filled.length === 0) return description;
  return withAt(description, place, Object.keys(rest).length > 0 ? rest : undefined);
}

/** The redirects that mean an accepted login, such as `302 /dashboard`. */
export function redirectsOf(description: JsonObject): string[] {
  const success = valueAt(description, [...callPlace(description, 'login'), 'success']);
  if (!Array.isArray(success)) return [];
  return success.map((each) => `${JSON.stringify(valueAt(each, ['status']))} ${textAt(each, ['location']) ?? ''}`);
}

export interface DescriptionEditor {
  now: JsonObject;
  /** Replaces the description, and removes the variables that are no longer used. */
  change: (next: JsonObject) => void;
}

export const editorOf = (now: JsonObject, onChange: (next: JsonObject) => void): DescriptionEditor => ({
  now,
  change: (next) => onChange(withoutUnused(now, next)),
});
