import { isDeepStrictEqual } from 'node:util';
import { isPasswordHash } from '../secrets/secret-forms.ts';
import { namesSecret } from '../secrets/secret-names.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import { ModelField, type Place, type Template, type TextTemplate } from '../service/double/model.ts';
import { isActiveMarkup, withoutActiveMarkup } from '../service/double/read-model.ts';
import type { Person } from './observed.ts';
import { isUuid, readEpoch, readTime, segmentsOf, segmentsOfHash } from './shapes.ts';
import { placesIn } from './text-places.ts';

/** What is known of the call that an answer came to. */
export type Known = {
  person?: Person | undefined;
  token?: string | undefined;
  sent?: Record<string, unknown> | undefined;
  /** Whether the answer says yes. A refusal rather echoes what was sent. */
  isSuccess: boolean;
  atMs: number;
  lifetimeSeconds?: number | undefined;
  waitSeconds?: number | undefined;
  method: string;
  path: string;
};

export type Inference = {
  references: SecretReferences;
  /** Takes a sentence about what could not be told apart, or was left out. */
  remark: (sentence: string) => void;
};

const nearMs = 5000;
const idName = /(?:^|_)(?:id|uid|uuid|pk|sub)$|Id$|^(?:_id|userid|user)$/i;
const requestIdName = /(?:request|trace|correlation|error|transaction|log|span)[-_]?id$/i;
const methodName = /method|verb|m[eé]todo/i;
const fields = ModelField.options;

/** Finds places in one text, whole or in it; secrets that are left are cut out, and pages that run something are too. */
export function inferText(text: string, known: Known, { references, remark }: Inference): TextTemplate {
  return placesIn(text, known).map((part) => {
    if (typeof part !== 'string') return part;
    const inert = isActiveMarkup(part) ? withoutActiveMarkup(part) : part;
    if (inert !== part) remark('HTML that a browser would run or load was left out of a text.');
    const hidden = references.hide(inert ?? '');
    if (hidden !== inert) remark('A secret that the server sent in a text was left out.');
    return hidden;
  });
}

const idFormOf = (ids: readonly (string | number)[]): Extract<Place, { place: 'id' }>['form'] => {
  const texts = ids.map(String);
  if (ids.every((id) => typeof id === 'number')) return { kind: 'number' };
  if (texts.every((id) => /^\d{1,9}$/.test(id))) return { kind: 'number-as-text' };
  return { kind: 'made-up', segments: segmentsOf(texts) };
};

/** Says whose id the values are: those of one person agree, and those of two differ. Whom nobody knows says nothing. */
function isOfPerson(name: string, values: readonly unknown[], knowns: readonly Known[]): boolean {
  const told = values.flatMap((value, at) => {
    const person = knowns[at]?.person;
    return person ? [{ value, person }] : [];
  });
  if (told.length === 0) return false;
  const isIts = told.every(({ value, person }) => value === person.id || String(value) === String(person.id));
  if (isIts && (idName.test(name) || String(values[0]).length >= 8)) return true;
  const byPerson = new Map<Person, unknown>();
  for (const { value, person } of told) {
    if (byPerson.has(person) && byPerson.get(person) !== value) return false;
    byPerson.set(person, value);
  }
  return byPerson.size > 1 && new Set(byPerson.values()).size === byPerson.size && idName.test(name);
}

const updateName = /updat|modif|actuali/i;
const creationName = /creat|crea(?:do|ted|cion)|regist|join|since|alta/i;

function timePlace(name: string, values: readonly (string | number)[], knowns: readonly Known[]): Place | undefined {
  const read = values.map((value) => (typeof value === 'string' ? readTime(value) : undefined) ?? readEpoch(value));
  const [first] = read;
  if (!first) return undefined;
  const isNear = (momentOf: (known: Known) => number | undefined): boolean =>
    read.every((each, at) => {
      const known = knowns[at];
      const moment = known && momentOf(known);
      return each !== undefined && moment !== undefined && Math.abs(each.ms - moment) <= nearMs;
    });
  /** Of somebody whom the run did not register, nobody knows when that was, and the others tell what the time is. */
  const isCreated = (): boolean => {
    const ours = knowns.flatMap(({ person }, at) => (person?.createdMs === undefined ? [] : [{ at, ...person }]));
    const isNamed = creationName.test(name) || updateName.test(name);
    return (
      knowns.every(({ person }) => person !== undefined) &&
      ours.every(({ at, createdMs = 0 }) => Math.abs((read[at]?.ms ?? 0) - createdMs) <= nearMs) &&
      (ours.length > 0 || isNamed)
    );
  };
  const fitting = {
    expires: isNear(({ atMs, lifetimeSeconds }) =>
      lifetimeSeconds === undefined ? undefined : atMs + lifetimeSeconds * 1000,
    ),
    created: isCreated(),
    now: isNear(({ atMs }) => atMs),
  };
  const { form } = first;
  const isEnd = /exp|venc|cadu|until|end/i.test(name);
  if (fitting.expires && (isEnd || !fitting.now)) return { place: 'time', of: 'expires', form };
  if (fitting.created && updateName.test(name)) return { place: 'time', of: 'updated', form };
  if (fitting.created && (creationName.test(name) || !fitting.now)) return { place: 'time', of: 'created', form };
  return fitting.now ? { place: 'time', of: 'now', form } : undefined;
}

function lifetimePlace(name: string, value: number, { lifetimeSeconds }: Known): Place | undefined {
  if (lifetimeSeconds === undefined || !/exp|ttl|life|valid|dura|venc|cadu/i.test(name)) return undefined;
  for (const [unit, perSecond] of [
    ['s', 1],
    ['ms', 1000],
    ['min', 1 / 60],
  ] as const) {
    if (Math.abs(value / perSecond - lifetimeSeconds) <= 2) return { place: 'lifetime', unit };
  }
  return undefined;
}

const firstWord = (name: string): string => name.split(' ', 1)[0] ?? '';

function placeOfText(name: string, values: readonly string[], knowns: readonly Known[]): Place | undefined {
  const areAll = (valueOf: (known: Known) => string | undefined): boolean =>
    values.every((value, at) => value !== '' && knowns[at] !== undefined && valueOf(knowns[at]) === value);
  if (areAll(({ token }) => token)) return { place: 'token' };
  const ofPerson: (readonly [Place, (known: Known) => string | undefined])[] = [
    [{ place: 'email' }, ({ person }) => person?.email],
    [{ place: 'email' }, ({ person }) => person?.email.toLowerCase()],
    [{ place: 'name' }, ({ person }) => person?.name],
    [{ place: 'first-name' }, ({ person }) => firstWord(person?.name ?? '')],
    [{ place: 'rest-of-name' }, ({ person }) => person?.name.slice(firstWord(person.name).length + 1)],
  ];
  const isSuccess = knowns.every((known) => known.isSuccess);
  if (isSuccess) for (const [place, valueOf] of ofPerson) if (areAll(valueOf)) return place;
  for (const field of fields) {
    if (areAll(({ sent }) => (typeof sent?.[field] === 'string' ? sent[field] : undefined)))
      return { place: 'sent', field };
  }
  if (!isSuccess) for (const [place, valueOf] of ofPerson.slice(0, 3)) if (areAll(valueOf)) return place;
  const path = timePlace(name, values, knowns);
  if (path) return path;
  if (areAll((known) => known.path)) return { place: 'path' };
  if (methodName.test(name) && areAll((known) => known.method)) return { place: 'method' };
  return undefined;
}

const isSentence = (text: string): boolean => /\s/.test(text.trim()) || text.length < 6;

/** Finds what one text of an answer is, in all answers of its kind. */
function inferString(
  name: string,
  values: readonly string[],
  knowns: readonly Known[],
  inference: Inference,
): Template {
  const [value = ''] = values;
  const [known] = knowns;
  if (!known || value === '') return { constant: value };
  if (isPasswordHash(value)) return { value: { place: 'random', segments: segmentsOfHash(value) } };
  const place = placeOfText(name, values, knowns);
  if (place) return { value: place };
  if (isOfPerson(name, values, knowns)) return { value: { place: 'id', form: idFormOf(idsOf(values, knowns)) } };
  const differ = new Set(values).size > 1;
  const isOneWord = readTime(value) === undefined && values.every((each) => /^[\w.:-]{6,}$/.test(each));
  if (isOneWord && (isUuid(value) || requestIdName.test(name) || (differ && sameLength(values)))) {
    return { value: { place: 'random', segments: segmentsOf(values) } };
  }
  if (namesSecret(name) && !isSentence(value)) {
    inference.remark('A value under the name of a secret is made up.');
    return { value: { place: 'random', segments: segmentsOf(values) } };
  }
  const text = inferText(value, known, inference);
  if (differ && text.every((part) => typeof part === 'string')) {
    inference.remark(`What "${name.slice(0, 60)}" says differs from answer to answer; it is kept as it was once.`);
  }
  const [only, ...more] = text;
  return more.length === 0 && (only === undefined || typeof only === 'string') ? { constant: only ?? '' } : { text };
}

const sameLength = (values: readonly string[]): boolean => new Set(values.map(({ length }) => length)).size === 1;

/** Returns the ids of the people, as the answers write them. */
const idsOf = (values: readonly (string | number)[], knowns: readonly Known[]): (string | number)[] =>
  values.filter((_each, at) => knowns[at]?.person !== undefined);

function inferNumber(
  name: string,
  values: readonly number[],
  knowns: readonly Known[],
  { remark }: Inference,
): Template {
  const [value = 0] = values;
  const [known] = knowns;
  if (!known) return { constant: value };
  if (isOfPerson(name, values, knowns)) return { value: { place: 'id', form: { kind: 'number' } } };
  const place = lifetimePlace(name, value, known) ?? timePlace(name, values, knowns);
  if (place) return { value: place };
  if (values.every((each, at) => each === knowns[at]?.waitSeconds)) return { value: { place: 'wait' } };
  const field = fields.find((each) => value > 99 && known.sent?.[each] === value);
  if (field) return { value: { place: 'sent', field } };
  if (new Set(values).size > 1)
    remark(`The number "${name.slice(0, 60)}" differs from answer to answer; it is kept as it was once.`);
  return { constant: value };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Says whether every call got back what it had sent for a field, or its whole body. */
function echoOf(values: readonly unknown[], knowns: readonly Known[]): Place | undefined {
  const [value] = values;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return undefined;
  const areAll = (sentOf: (known: Known) => unknown): boolean =>
    values.every((each, at) => knowns[at] !== undefined && isDeepStrictEqual(each, sentOf(knowns[at])));
  if (areAll(({ sent }) => sent)) return { place: 'sent-body' };
  const field = fields.find((name) => areAll(({ sent }) => sent?.[name]));
  return field && { place: 'sent', field };
}

/**
 * Finds the places in the bodies of answers of one kind. What is the same in all of them stays as it is, and so does
 * what cannot be told apart, which is said.
 *
 * @param name the name that the value stands under
 */
export function inferTemplate(
  name: string,
  values: readonly unknown[],
  knowns: readonly Known[],
  inference: Inference,
): Template {
  const [value] = values;
  const echo = echoOf(values, knowns);
  if (echo) return { value: echo };
  if (values.every((each) => typeof each === 'string')) return inferString(name, values, knowns, inference);
  if (values.every((each) => typeof each === 'number')) return inferNumber(name, values, knowns, inference);
  const inner = (each: string, of: (outer: unknown) => unknown, innerName = each): Template => {
    const having = values.flatMap((outer, at) => (of(outer) === undefined ? [] : [{ outer, at }]));
    const itsKnowns = having.flatMap(({ at }) => knowns[at] ?? []);
    return inferTemplate(
      innerName,
      having.map(({ outer }) => of(outer)),
      itsKnowns,
      inference,
    );
  };
  if (Array.isArray(value)) {
    return {
      list: value
        .slice(0, 2000)
        .map((_each, at) =>
          inner(String(at), (outer) => (Array.isArray(outer) ? (outer[at] as unknown) : undefined), ''),
        ),
    };
  }
  if (isRecord(value)) {
    return {
      fields: Object.keys(value)
        .slice(0, 2000)
        .map((key) => [
          inference.references.hide(key),
          inner(key, (outer) => (isRecord(outer) && Object.hasOwn(outer, key) ? outer[key] : undefined)),
        ]),
    };
  }
  return {
    constant: typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null,
  };
}
