import type { Place } from '../service/double/model.ts';
import { isAccepted, type Observed, type Person, type PersonId } from './observed.ts';
import { segmentsOf } from './shapes.ts';

type Id = string | number;

const idName = /(?:^|_)(?:id|uid|uuid|guid|pk|sub)$|Id$|^(?:_id|userid|user|uuid|guid)$/i;
const deepest = 6;

/** Names of what is another one in each answer. */
export const requestIdName = /(?:request|trace|correlation|error|transaction|log|span|session)[-_]?id$/i;

/** Says whether a name is one of the ids of people. */
export const namesId = (name: string): boolean => idName.test(name) && !requestIdName.test(name);

/** Makes the form of ids: numbers, numbers in texts with noughts before them, or signs that are made up. */
export function idFormOf(ids: readonly Id[]): Extract<Place, { place: 'id' }>['form'] {
  const texts = ids.map(String);
  if (ids.every((id) => typeof id === 'number')) return { kind: 'number' };
  if (texts.every((id) => /^\d{1,9}$/.test(id))) {
    const [first = ''] = texts;
    const isPadded = texts.some((id) => id.startsWith('0')) && texts.every(({ length }) => length === first.length);
    return { kind: 'number-as-text', ...(isPadded && { width: first.length }) };
  }
  return { kind: 'made-up', segments: segmentsOf(texts) };
}

/** Collects what stands under names of ids, by the names on the way to it. */
function idsIn(value: unknown, way: string, depth: number, found: Map<string, Id>): void {
  if (depth > deepest || typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value).slice(0, 200)) {
    const itsWay = Array.isArray(value) ? `${way}[]` : `${way}.${name}`;
    if ((typeof inner === 'string' && inner !== '') || typeof inner === 'number') {
      if (namesId(name)) found.set(itsWay, inner);
    } else idsIn(inner, itsWay, depth + 1, found);
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
      byWay.set(way, known.set(person, known.has(person) && known.get(person) !== id ? undefined : id));
    }
  }
  const ids = new Map<Person, PersonId[]>();
  for (const people of byWay.values()) {
    const values = [...people.values()].flatMap((id) => id ?? []);
    const isOfOne = people.size === 1 && [...people].every(([{ id }, value]) => id !== undefined && id === value);
    if (values.length < people.size || new Set(values).size < values.length) continue;
    if (people.size < 2 && !isOfOne) continue;
    const form = idFormOf(values);
    for (const [person, id] of people) ids.set(person, [...(ids.get(person) ?? []), { text: String(id), form }]);
  }
  for (const [person, its] of ids) {
    person.ids = [...new Map(its.map((each) => [each.text, each])).values()];
  }
}
