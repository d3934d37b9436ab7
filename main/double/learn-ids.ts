import { isList, isNumber, isObject, textOrDigits, type Json, type LongNumber } from '../client/reading/json.ts';
import type { Place } from '../service/double/model.ts';
import { isAccepted, type Observed, type Person, type PersonId } from './observed.ts';
import { segmentsOf } from './shapes.ts';

type Id = string | number | LongNumber;

const idName = /(?:^|_)(?:id|uid|uuid|guid|pk|sub)$|Id$|^(?:_id|userid|user|uuid|guid)$/i;
const deepest = 6;
/** A number of so many digits counts nothing: the next one is no neighbour. A model has no form for more. */
const longNumber = /^\d{10,100}$/;

/** Names of what is another one in each answer. */
export const requestIdName = /(?:request|trace|correlation|error|transaction|log|span|session)[-_]?id$/i;

/** Says whether a name is one of the ids of people. */
export const namesId = (name: string): boolean => idName.test(name) && !requestIdName.test(name);

/** Makes the form of ids: numbers, numbers in texts with noughts before them, or signs that are made up. */
export function idFormOf(ids: readonly Id[]): Extract<Place, { place: 'id' }>['form'] {
  const texts = ids.map(textOrDigits);
  const [first = ''] = texts;
  if (ids.every(isNumber)) {
    const isLong = texts.every((id) => longNumber.test(id));
    return { kind: 'number', ...(isLong && { digits: first.length }) };
  }
  if (texts.every((id) => /^\d{1,9}$/.test(id))) {
    const isPadded = texts.some((id) => id.startsWith('0')) && texts.every(({ length }) => length === first.length);
    return { kind: 'number-as-text', ...(isPadded && { width: first.length }) };
  }
  // `auth0|` and `user_` are the same for everybody.
  const [prefix = ''] = /^[A-Za-z][A-Za-z\d]{0,11}[^A-Za-z\d]/.exec(texts[0] ?? '') ?? [];
  const isPrefixed = new Set(texts).size > 1 && texts.every((id) => id.startsWith(prefix));
  return { kind: 'made-up', segments: segmentsOf(texts, (at) => isPrefixed && at < prefix.length) };
}

/** Collects what stands under names of ids, by the names on the way to it. */
function idsIn(value: Json | undefined, way: string, depth: number, found: Map<string, Id>): void {
  if (depth > deepest) return;
  if (isList(value)) for (const inner of value.slice(0, 200)) idsIn(inner, `${way}[]`, depth + 1, found);
  if (!isObject(value)) return;
  for (const [name, inner] of [...value.values].slice(0, 200)) {
    if (!isNumber(inner) && (typeof inner !== 'string' || inner === ''))
      idsIn(inner, `${way}.${name}`, depth + 1, found);
    else if (namesId(name)) found.set(`${way}.${name}`, inner);
  }
}

/**
 * Finds the ids of the people of a run in what the server accepted: those of one person are always the same, and those
 * of two differ. Each person is told their own.
 */
export function learnIds(all: readonly Observed[]): void {
  const byWay = new Map<string, Map<Person, Id | undefined>>();
  for (const observed of all) {
    const { person, json, operation } = observed;
    if (!person || !isAccepted(observed)) continue;
    const found = new Map<string, Id>();
    idsIn(json, operation === 'perfil' ? 'profile' : 'other', 0, found);
    for (const [way, id] of found) {
      const known = byWay.get(way) ?? new Map<Person, Id | undefined>();
      const before = known.has(person) ? known.get(person) : id;
      const isSame = before !== undefined && textOrDigits(before) === textOrDigits(id);
      byWay.set(way, known.set(person, isSame ? id : undefined));
    }
  }
  const ids = new Map<Person, PersonId[]>();
  for (const people of byWay.values()) {
    const values = [...people.values()].flatMap((id) => id ?? []);
    const texts = new Set(values.map(textOrDigits));
    const isOfOne = people.size === 1 && [...people].every(([{ id }]) => id !== undefined && texts.has(String(id)));
    if (values.length < people.size || texts.size < values.length) continue;
    if (people.size < 2 && !isOfOne) continue;
    const form = idFormOf(values);
    for (const [person, id] of people) {
      if (id !== undefined) ids.set(person, [...(ids.get(person) ?? []), { text: textOrDigits(id), form }]);
    }
  }
  for (const [person, its] of ids) {
    person.ids = [...new Map(its.map((each) => [each.text, each])).values()];
  }
}
