import type { UserField } from '../../../preload/contract/models.ts';
import { isPasswordHash, looksLikeToken } from '../../secrets/secret-forms.ts';
import { fold, isSecretName } from '../../secrets/secret-names.ts';
import {
  at,
  atPath,
  digitsOf,
  first,
  get,
  grow,
  isEmpty,
  isList,
  isNumber,
  isObject,
  keyOf,
  textOf,
  wholeBody,
  writeJson,
  type Json,
  type JsonObject,
  type Located,
} from './json.ts';
import { words } from './words.ts';

/** The three fields that the interface knows, as sent. */
export type ReadUser = { id?: string | number; name?: string; email?: string };

export type FoundUser = { user: ReadUser; rest: UserField[]; path: string; rule: string };

const userNames = words(
  'user usuario usuari auth_usuario record perfil profile account me current_user auth_user logged_user user_data user_info usuario_actual',
);
const wrappers = words('data datos dados result resultado response payload attributes');

const idNames = words('id _id idUsuario userId id_user usuario_id pk uuid uid sub localId objectId');
const emailNames = words(`
  email correo correo_electronico mail email_address user_email correo_usuario email_usuario emails
`);
/** People log in with these. An address in one is their email; anything else is their name if they have no other. */
const loginNames = words('username user_name nombre_usuario nickname nick usuario user login');

const surnames = words('apellido apellidos last_name last_names surname family_name sobrenome');
const firstSurnames = words('primer_apellido apellido_paterno');
const secondSurnames = words('segundo_apellido apellido_materno');

/** A name may be spread over fields. The first way whose first part is there wins, with the later parts it has. */
const nameParts: readonly (readonly (readonly string[])[])[] = [
  [['name'], surnames],
  [words('nombre_completo nombre_completo_usuario nome_completo full_name display_name user_display_name')],
  [['nombres'], firstSurnames, secondSurnames, surnames],
  [words('nombre nome'), firstSurnames, secondSurnames, surnames],
  [words('first_name given_name primer_nombre'), firstSurnames, secondSurnames, surnames],
];

/** The name of a record without one may be in these. */
const innerRecords = words('profile perfil persona person user_metadata attributes');

/** An error's name is no person's. */
const errorName = /(?:error|exception)$/i;

const maxDepth = 4;

/** These fields of a bare record speak about the answer, and not about the person. */
const envelopeNames = new Set(
  words('message mensaje msg success ok error errors token accesstoken tokentype expiresin'),
);

const maxRestFields = 200;

/**
 * Finds the user record of an answer that did not fail: under one of the usual names, through the usual wrappers, a
 * list's first element, JSON:API's `attributes`, else the bare object. Of several candidates the one that tells most
 * wins, so that a small `profile` inside a user is not taken for the user.
 */
export function findUser(body: Json): FoundUser | undefined {
  const root: Located = { path: wholeBody, value: body };
  const best = richest(candidates(root, 0)) ?? richest(strangers(root));
  return best && foundOf(best);
}

/** Returns the user record at the place that a person gave, if one is there. */
export function userAt(path: string, body: Json): FoundUser | undefined {
  const located = first(atPath({ path: wholeBody, value: body }, path));
  const record = located && readRecord(located.value);
  return record && { ...foundOf({ ...record, located }), rule: 'the place pinned for this server' };
}

function foundOf(best: Record & { located: Located }): FoundUser {
  const { located, user, used } = best;
  const isEnvelope = located.path === wholeBody;
  return {
    user,
    path: located.path,
    rule: isEnvelope ? 'the bare object has fields of a user' : 'an object with fields of a user',
    rest: restOf(located, used, isEnvelope),
  };
}

function richest(places: Iterable<Located>): (Record & { located: Located }) | undefined {
  let best: (Record & { located: Located }) | undefined;
  for (const located of places) {
    const record = readRecord(located.value);
    if (record && (!best || weight(record.user) > weight(best.user))) best = { ...record, located };
  }
  return best;
}

/** Yields objects under names that nobody knows, if they have an address. */
function* strangers(root: Located, depth = 0): Generator<Located> {
  const object = first(root);
  if (!object || !isObject(object.value) || depth > maxDepth) return;
  if (depth > 0 && readRecord(object.value)?.user.email !== undefined) yield object;
  for (const [key, value] of object.value.values) yield* strangers({ path: grow(object.path, key), value }, depth + 1);
}

const weight = (user: ReadUser): number => Object.keys(user).length;

function* candidates(place: Located, depth: number): Generator<Located> {
  const object = first(place);
  if (!object || !isObject(object.value) || depth > maxDepth) return;
  for (const name of userNames) {
    const found = first(at(object, name));
    if (!found || isEmpty(found.value)) continue;
    yield* candidatesInside(found, depth);
    yield found;
  }
  for (const name of wrappers) {
    const inner = at(object, name);
    if (inner) yield* candidates(inner, depth + 1);
  }
  yield object;
}

/** Yields what a record wraps, as in `user.data.attributes`. */
function* candidatesInside(record: Located, depth: number): Generator<Located> {
  for (const name of wrappers) {
    const inner = at(record, name);
    if (inner) yield* candidates(inner, depth + 1);
  }
}

type Record = { user: ReadUser; used: ReadonlySet<string> };

function readRecord(value: Json): Record | undefined {
  if (typeof value === 'string') {
    return { user: isEmail(value) ? { email: value } : { name: value }, used: new Set() };
  }
  if (!isObject(value)) return undefined;

  const used = new Set<string>();
  const own = (names: readonly string[], read: (value: Json) => string | number | undefined) => {
    for (const name of names) {
      const key = keyOf(value, name);
      const found = key === undefined ? undefined : read(value.values.get(key) ?? null);
      if (key !== undefined && found !== undefined) {
        used.add(key);
        return found;
      }
    }
    return undefined;
  };

  // `attributes` is JSON:API's, and `traits` Kratos's.
  const attributes = get(value, 'attributes') ?? get(value, 'traits');
  const inner = isObject(attributes) ? readRecord(attributes)?.user : undefined;
  const id = own(idNames, (each) => readId(listed(each))) ?? inner?.id;
  const email =
    own(emailNames, (each) => textOf(listed(each))) ?? inner?.email ?? own(loginNames, (each) => emailIn(each));
  const name = nameOf(value, own) ?? inner?.name ?? innerName(value) ?? own(loginNames, (each) => plainName(each));
  if (inner) for (const key of ['attributes', 'traits']) used.add(key);

  const user: ReadUser = {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name: String(name) }),
    ...(email !== undefined && { email: String(email) }),
  };
  return weight(user) === 0 ? undefined : { user, used };
}

type Own = (
  names: readonly string[],
  read: (value: Json) => string | number | undefined,
) => string | number | undefined;

function nameOf(value: JsonObject, own: Own): string | undefined {
  for (const [leading, ...following] of nameParts) {
    const start = own(leading ?? [], (each) => textOf(listed(each)) ?? nameInParts(each));
    if (start === undefined || isErrorName(value, String(start))) continue;
    const parts = [String(start)];
    for (const names of following) {
      const part = own(names, textOf);
      if (part !== undefined && !parts.join(' ').endsWith(String(part))) parts.push(String(part));
    }
    return parts.join(' ');
  }
  return undefined;
}

/** Reads `name: {first, last}`, as SCIM and many samples have it. */
function nameInParts(value: Json): string | undefined {
  const parts = ['first', 'last'].map((part) =>
    [part, `${part}_name`, part === 'first' ? 'given_name' : 'family_name']
      .map((name) => textOf(get(value, name)))
      .find((text) => text !== undefined),
  );
  return parts.some((part) => part !== undefined) ? parts.filter((part) => part !== undefined).join(' ') : undefined;
}

/** Returns the first of a list of values: `emails: [{address}]`, `mail: [{value}]`. */
function listed(value: Json): Json {
  if (!isList(value)) return value;
  const [one = null] = value;
  return isObject(one) ? (['value', 'address', 'email'].map((name) => get(one, name)).find(Boolean) ?? null) : one;
}

function isErrorName(value: JsonObject, name: string): boolean {
  return errorName.test(name) && keyOf(value, 'message') !== undefined;
}

function innerName(value: JsonObject): string | undefined {
  for (const name of innerRecords) {
    const inner = first(at({ path: '', value }, name))?.value;
    const found = isObject(inner) ? readRecord(inner)?.user.name : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reads numbers and texts. MongoDB's extended JSON wraps the text. */
function readId(value: Json): string | number | undefined {
  if (isNumber(value)) return typeof value === 'number' ? value : digitsOf(value);
  return textOf(value) ?? textOf(get(value, '$oid'));
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);
const emailIn = (value: Json): string | undefined => (typeof value === 'string' && isEmail(value) ? value : undefined);
const plainName = (value: Json): string | undefined => {
  const text = textOf(value);
  return text !== undefined && !isEmail(text) ? text : undefined;
};

function isSecretValue(value: Json): boolean {
  return typeof value === 'string' && (isPasswordHash(value) || looksLikeToken(value));
}

function restOf({ value }: Located, used: ReadonlySet<string>, isEnvelope: boolean): UserField[] {
  if (!isObject(value)) return [];
  const fields = [...value.values].filter(([key]) => !used.has(key) && !(isEnvelope && envelopeNames.has(fold(key))));
  return fields.slice(0, maxRestFields).map(([path, inner]) => fieldOf(path, inner));
}

function fieldOf(path: string, inner: Json): UserField {
  if (isSecretName(path) || isSecretValue(inner)) return { masked: true, path };
  const field = { masked: false, path, value: shown(inner) } as const;
  return typeof inner === 'string' ? field : { ...field, json: true };
}

/** Secrets can also be told by their form, inside lists and objects. */
const shown = (value: Json): string =>
  typeof value === 'string'
    ? value
    : writeJson(value, (text, isKey) => ((isKey ? isSecretName(text) : isSecretValue(text)) ? '•••' : undefined));

/** Says whether an answer holds a record under a name for users, even one without any field that we know. */
export function hasUserRecord(body: Json): boolean {
  return [body, get(body, 'data'), get(body, 'datos'), get(body, 'result')].some((place) =>
    userNames.some((name) => {
      const record = get(place, name);
      const single = isList(record) ? record[0] : record;
      return isObject(single) && !isEmpty(single);
    }),
  );
}
