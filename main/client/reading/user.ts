import { normalizeFieldName } from '../secrets/secret-names.ts';
import {
  childByName,
  atPath,
  digitsOf,
  firstElement,
  get,
  childNode,
  isEmpty,
  isList,
  isNumber,
  isJsonObject,
  findKey,
  nonEmptyText,
  textOrDigits,
  rootNode,
  rootPath,
  type JsonValue,
  type JsonObject,
  type JsonNode,
} from './json.ts';
import { isInWordList, memoizeByKey, wordList, type WordList } from './vocabulary.ts';

/** The three fields that the interface knows, as sent. An id has digits where JavaScript would change them. */
export type UserFields = { id?: string | number; name?: string; email?: string };

/** What stands under a key of an object and is one of the three, or a part of it. */
export type UserFieldSource = { holder: JsonObject; key: string; text: string };

export type FoundUser = { user: UserFields; uses: readonly UserFieldSource[]; located: JsonNode; rule: string };

/** JSON:API and Kratos keep what a record says in these. */
export const innerFields: readonly string[] = ['attributes', 'traits'];

/** A name may be spread over fields. The first way whose first part is there wins, with the later parts it has. */
const nameParts = [
  ['names', 'surnames'],
  ['full-names'],
  ['given-names', 'first-surnames', 'second-surnames', 'surnames'],
  ['names-in-spanish', 'first-surnames', 'second-surnames', 'surnames'],
  ['first-names', 'first-surnames', 'second-surnames', 'surnames'],
] as const;

const maxDepth = 4;

/** People log in with what `logins` names. An address there is their email, all else their name if they have no other. */
const tablesOf = {
  id: ['ids'],
  name: [...nameParts.map(([leading]) => leading), 'logins'],
  email: ['emails', 'logins'],
} as const;

const folded = memoizeByKey(
  (field: keyof UserFields) => new Set(tablesOf[field].flatMap((table) => wordList(table).map(normalizeFieldName))),
);

/** Says whether one of the three may stand once more under a name, folded. */
export const mayHold = (field: keyof UserFields, name: string): boolean => folded(field).has(name);

/**
 * Finds the user record of an answer that did not fail: under one of the usual names, through the usual wrappers, the
 * only element of a list, JSON:API's `attributes`, else the bare object. Of several candidates the one that tells most
 * wins, so that a small `profile` inside a user is not taken for the user. A list of several tells of who logged in only
 * where exactly one of them is known.
 * @param who emails, user names and ids that are known of the one who logged in
 */
export function findUser(body: JsonValue, who: readonly string[] = []): FoundUser | undefined {
  const one = oneBy(who);
  const best = richest(candidates(rootNode(body), one)) ?? richest(strangers(rootNode(body), one));
  return best && foundOf(best.parts, best.located);
}

/** Returns the user record at the place that a person gave, if one is there. */
export function userAt(path: string, body: JsonValue): FoundUser | undefined {
  const located = firstElement(atPath(rootNode(body), path));
  const parts = located && readRecord(located.value);
  return parts && { ...foundOf(parts, located), rule: 'the path pinned for this server' };
}

/**
 * Finds the record that says who logged in, under any name: one of its values is a text or a number of `who`, whole. A
 * number under a name such as `status` says how the call went, and a failure says nothing of a person.
 * @param who emails, user names and ids that are known of the one who logged in
 */
export function findKnownUser(body: JsonValue, who: readonly string[]): FoundUser | undefined {
  if (who.length === 0) return undefined;
  const known = new Set(who.map(spelled));
  for (const located of within(rootNode(body))) {
    const found = knownIn(located.value, known);
    if (found) return { ...found, located, rule: 'a value equal to the login name' };
  }
  return undefined;
}

type One = (located: JsonNode | undefined) => JsonNode | undefined;

/** Makes what returns the one record that a list stands for: its only element, or else the only one that is known. */
function oneBy(who: readonly string[]): One {
  // Any record may have the number of who logged in.
  const known = new Set(who.filter((each) => !/^\d+$/.test(each)).map(spelled));
  return (located) => {
    if (!located || !isList(located.value) || located.value.length <= 1) return firstElement(located);
    const [found, ...others] = located.value.flatMap((value, index) =>
      isJsonObject(value) && readRecord(value) && knownIn(value, known) ? [childNode(located, index, value)] : [],
    );
    return others.length === 0 ? found : undefined;
  };
}

/** Upper and lower case mean nothing in an email. */
const spelled = (text: string): string => (text.includes('@') ? text.trim().toLowerCase() : text.trim());

function knownIn(value: JsonValue, known: ReadonlySet<string>): Pick<FoundUser, 'user' | 'uses'> | undefined {
  const textIn = (each: JsonValue): string | undefined => {
    const text = typeof each === 'string' || isNumber(each) ? textOrDigits(each) : '';
    return text !== '' && known.has(spelled(text)) ? text : undefined;
  };
  const entries = isJsonObject(value) ? [...value.values] : [['', value] as const];
  for (const [key, each] of entries) {
    const text =
      isInWordList('failure-flags', normalizeFieldName(key)) ||
      (isNumber(each) && isInWordList('flags', normalizeFieldName(key)))
        ? undefined
        : textIn(each);
    if (text === undefined) continue;
    const isId = isNumber(each) || mayHold('id', normalizeFieldName(key));
    const user: UserFields = isEmail(text) ? { email: text } : isId ? { id: text } : { name: text };
    return { user, uses: isJsonObject(value) ? [{ holder: value, key, text }] : [] };
  }
  return undefined;
}

/** Yields an answer and the objects in it, those of lists of one, and none of what says a failure. */
function* within(place: JsonNode, depth = 0): Generator<JsonNode> {
  const one = isList(place.value) && place.value.length === 1 ? firstElement(place) : place;
  if (!one || isList(one.value)) return;
  yield one;
  if (!isJsonObject(one.value) || depth >= maxDepth) return;
  for (const [key, value] of one.value.values) {
    const isRecord = isJsonObject(value) || isList(value);
    if (isRecord && !isInWordList('failure-flags', normalizeFieldName(key)))
      yield* within(childNode(one, key, value), depth + 1);
  }
}

function foundOf({ id, name, email }: Parts, located: JsonNode): FoundUser {
  const user: UserFields = {
    ...(id && { id: id.value }),
    ...(name && { name: String(name.value) }),
    ...(email && { email: String(email.value) }),
  };
  const isBare = located.path === rootPath;
  return {
    user,
    uses: [id, name, email].flatMap((part) => part?.uses ?? []),
    located,
    rule: isBare ? 'the bare object has fields of a user' : 'an object with fields of a user',
  };
}

function richest(places: Iterable<JsonNode>): { parts: Parts; located: JsonNode } | undefined {
  let best: { parts: Parts; located: JsonNode } | undefined;
  for (const located of places) {
    const parts = readRecord(located.value);
    if (parts && (!best || weight(parts) > weight(best.parts))) best = { parts, located };
  }
  return best;
}

/** Yields objects under names that nobody knows, if they have an address. */
function* strangers(root: JsonNode, one: One, depth = 0): Generator<JsonNode> {
  const object = one(root);
  if (!object || !isJsonObject(object.value) || depth > maxDepth) return;
  if (depth > 0 && readRecord(object.value)?.email !== undefined) yield object;
  for (const [key, value] of object.value.values) yield* strangers(childNode(object, key, value), one, depth + 1);
}

const weight = (parts: Parts): number => Object.keys(parts).length;

function* candidates(place: JsonNode, one: One, depth = 0): Generator<JsonNode> {
  const object = one(place);
  if (!object || !isJsonObject(object.value) || depth > maxDepth) return;
  for (const name of wordList('users')) {
    const found = one(childByName(object, name));
    if (!found || isEmpty(found.value)) continue;
    yield* wrappedIn(found, one, depth);
    yield found;
  }
  yield* wrappedIn(object, one, depth);
  yield object;
}

/** Yields what an answer or a record wraps, as in `user.data.attributes`. */
function* wrappedIn(record: JsonNode, one: One, depth: number): Generator<JsonNode> {
  for (const name of wordList('around-users')) {
    const inner = childByName(record, name);
    if (inner) yield* candidates(inner, one, depth + 1);
  }
}

/** One of the three fields, and where what it says stands. */
type Part = { value: string | number; uses: readonly UserFieldSource[] };
type Parts = { [field in keyof UserFields]: Part };

type Read = (value: JsonValue) => string | number | undefined;
/** Reads the first of the names of a table that holds something. */
type Own = (table: WordList, read: Read) => Part | undefined;

function readRecord(value: JsonValue): Parts | undefined {
  if (typeof value === 'string') return { [isEmail(value) ? 'email' : 'name']: { value, uses: [] } };
  if (!isJsonObject(value)) return undefined;

  const own: Own = (table, read) => {
    for (const name of wordList(table)) {
      const key = findKey(value, name);
      const found = key === undefined ? undefined : read(value.values.get(key) ?? null);
      if (key !== undefined && found !== undefined) {
        return { value: found, uses: [{ holder: value, key, text: String(found) }] };
      }
    }
    return undefined;
  };

  const fields = innerFields.map((name) => get(value, name)).find((each) => each !== undefined);
  const inner = isJsonObject(fields) ? readRecord(fields) : undefined;
  const id = own('ids', (each) => readId(listed(each))) ?? inner?.id;
  const email =
    own('emails', (each) => nonEmptyText(listed(each))) ?? inner?.email ?? own('logins', (each) => emailIn(each));
  const name = nameOf(value, own) ?? inner?.name ?? innerName(value) ?? own('logins', (each) => plainName(each));
  const parts = { ...(id && { id }), ...(name && { name }), ...(email && { email }) };
  return weight(parts) === 0 ? undefined : parts;
}

function nameOf(value: JsonObject, own: Own): Part | undefined {
  for (const [leading, ...following] of nameParts) {
    const start = own(leading, (each) => nonEmptyText(listed(each)) ?? nameInParts(each));
    // An error's name is no person's.
    if (!start || (/(?:error|exception)$/i.test(String(start.value)) && findKey(value, 'message') !== undefined))
      continue;
    const said = [String(start.value)];
    const uses = [...start.uses];
    for (const table of following) {
      const part = own(table, nonEmptyText);
      if (part === undefined) continue;
      uses.push(...part.uses);
      if (!said.join(' ').endsWith(String(part.value))) said.push(String(part.value));
    }
    return { value: said.join(' '), uses };
  }
  return undefined;
}

/** Reads `name: {first, last}`, as SCIM and many samples have it. */
function nameInParts(value: JsonValue): string | undefined {
  const parts = ['first', 'last'].map((part) =>
    [part, `${part}_name`, part === 'first' ? 'given_name' : 'family_name']
      .map((name) => nonEmptyText(get(value, name)))
      .find((text) => text !== undefined),
  );
  return parts.some((part) => part !== undefined) ? parts.filter((part) => part !== undefined).join(' ') : undefined;
}

/** Returns the first of a list of values: `emails: [{address}]`, `mail: [{value}]`. */
function listed(value: JsonValue): JsonValue {
  if (!isList(value)) return value;
  const [one = null] = value;
  return isJsonObject(one) ? (['value', 'address', 'email'].map((name) => get(one, name)).find(Boolean) ?? null) : one;
}

function innerName(value: JsonObject): Part | undefined {
  for (const name of wordList('records-in-users')) {
    const inner = firstElement(childByName({ path: '', value }, name))?.value;
    const found = isJsonObject(inner) ? readRecord(inner)?.name : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reads numbers and texts. MongoDB's extended JSON wraps the text. */
function readId(value: JsonValue): string | number | undefined {
  if (isNumber(value)) return typeof value === 'number' ? value : digitsOf(value);
  return nonEmptyText(value) ?? nonEmptyText(get(value, '$oid'));
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);
const emailIn = (value: JsonValue): string | undefined =>
  typeof value === 'string' && isEmail(value) ? value : undefined;
const plainName = (value: JsonValue): string | undefined => {
  const text = nonEmptyText(value);
  return text !== undefined && !isEmail(text) ? text : undefined;
};

/** Whether a record has lists of texts alone: errors by field look so, and records of a directory (LDAP). */
export const hasListsAlone = (record: JsonValue): boolean =>
  isJsonObject(record) &&
  record.values.size > 0 &&
  [...record.values.values()].every((each) => isList(each) && each.every((one) => typeof one === 'string'));

/** Says whether an answer holds a record under a name for users, even one without any field that we know. */
export function hasUserRecord(body: JsonValue): boolean {
  return [body, get(body, 'data'), get(body, 'datos'), get(body, 'result')].some((place) =>
    wordList('users').some((name) => {
      const record = get(place, name);
      const single = isList(record) && record.length === 1 ? record[0] : record;
      return isJsonObject(single) && !isEmpty(single);
    }),
  );
}
