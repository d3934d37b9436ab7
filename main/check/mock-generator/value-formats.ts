import { parseEpoch, parseDate } from '../../client/reading/parse-date.ts';
import {
  Alphabet,
  alphabets,
  type Segment,
  type TimeForm,
  type Placeholder,
} from '../../service/mock/mock-definition.ts';
import {
  textOrDigits,
  type LongNumber,
  isList,
  isNumber,
  isJsonObject,
  type JsonValue,
} from '../../client/reading/json.ts';
import { readByPatterns } from '../../service/mock/time-patterns.ts';
import {
  type CallContext,
  isAcceptedCall,
  type AnalyzedCall,
  type TestUser,
  type TestUserId,
} from './analyzed-calls.ts';

/** Alphabets that signs of a wider one may be of by chance, each with that. */
const within: Partial<Record<Alphabet, Alphabet>> = {
  'small-letters': 'small-letters-and-digits',
  capitals: 'capitals-and-digits',
  crockford: 'capitals-and-digits',
  'crockford-small': 'small-letters-and-digits',
  base32: 'capitals-and-digits',
  'base32-small': 'small-letters-and-digits',
  'capitals-and-digits': 'letters-and-digits',
  letters: 'letters-and-digits',
  base58: 'letters-and-digits',
};
/** What is drawn of too narrow an alphabet is an id to the original, too. */
const leastChance = 0.1;

/** The narrowest alphabet that has all these signs, and that so many signs of a wider one would rarely be of. */
function alphabetOf(signs: string): Alphabet {
  const used = new Set(signs);
  const isOf = (name: Alphabet): boolean => [...used].every((sign) => alphabets[name].includes(sign));
  const isShown = (name: Alphabet): boolean => {
    const wider = within[name];
    return wider === undefined || (alphabets[name].length / alphabets[wider].length) ** signs.length < leastChance;
  };
  return Alphabet.options.find((name) => isOf(name) && isShown(name)) ?? 'base64url';
}

/** Years in which a moment is one of an id. */
const [firstMoment, lastMoment] = [Date.UTC(2015, 0), Date.UTC(2100, 0)];
/** What a run makes is made within less. */
const longestRunMs = 86_400_000;

/** Ids that begin with the moment in which they were made: ULIDs, UUIDs of version 7 and MongoDB's. */
const timed: readonly { form: RegExp; moment: 'ms' | 's'; of: Alphabet; digits: number; rest: readonly Segment[] }[] = [
  {
    form: /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
    moment: 'ms',
    of: 'crockford',
    digits: 10,
    rest: [{ of: 'crockford', count: 16 }],
  },
  {
    form: /^[0-7][0-9a-hjkmnp-tv-z]{25}$/,
    moment: 'ms',
    of: 'crockford-small',
    digits: 10,
    rest: [{ of: 'crockford-small', count: 16 }],
  },
  { form: /^[0-9a-f]{24}$/, moment: 's', of: 'hex', digits: 8, rest: [{ of: 'hex', count: 16 }] },
];

const momentOfDigits = (digits: string, of: Alphabet, moment: 'ms' | 's'): number =>
  Array.from(digits, (sign) => alphabets[of].indexOf(sign)).reduce(
    (sum, each) => sum * alphabets[of].length + each,
    0,
  ) * (moment === 'ms' ? 1 : 1000);

/** Says whether moments are those of one run: it was just now, or they are near each other. */
function areOfARun(moments: readonly number[]): boolean {
  const [least, most] = [Math.min(...moments), Math.max(...moments)];
  const areNear = least > firstMoment && most < lastMoment && most - least < longestRunMs;
  return areNear && (new Set(moments).size > 1 || Math.abs(most - Date.now()) < longestRunMs);
}

function ofTimed(texts: readonly string[]): Segment[] | undefined {
  const found = timed.find(
    ({ form, of, digits, moment }) =>
      texts.every((text) => form.test(text)) &&
      areOfARun(texts.map((text) => momentOfDigits(text.slice(0, digits), of, moment))),
  );
  if (!found) return undefined;
  const { moment, of, digits, rest } = found;
  return [{ moment, of, digits, from: 0, count: digits }, ...rest];
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-([1-8])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuid.test(text);

function ofUuid(text: string): Segment[] {
  const [, version = '4'] = uuid.exec(text) ?? [];
  const of: Alphabet = text === text.toUpperCase() && /[A-F]/.test(text) ? 'hex-capitals' : 'hex';
  const isTimed = version === '7';
  const part = (from: number, count: number): Segment =>
    isTimed ? { moment: 'ms', of, digits: 12, from, count } : { of, count };
  return [
    part(0, 8),
    { text: '-' },
    part(8, 4),
    { text: `-${version}` },
    { of, count: 3 },
    { text: of === 'hex' ? '-a' : '-A' },
    { of, count: 3 },
    { text: '-' },
    { of, count: 12 },
  ];
}

/** Puts neighbours of one kind together. */
function joined(pieces: readonly ({ text: string } | { varies: string })[], of: Alphabet): Segment[] {
  const segments: Segment[] = [];
  for (const piece of pieces) {
    const last = segments.at(-1);
    if ('text' in piece) {
      if (last && 'text' in last) last.text += piece.text;
      else segments.push({ text: piece.text });
    } else if (last && 'of' in last && !('moment' in last)) last.count += 1;
    else segments.push({ of, count: 1 });
  }
  return segments;
}

/**
 * Returns the form of texts that differ from time to time: so many characters of an alphabet, with the signs between
 * them that never change. Nothing of the texts themselves is kept beside signs, and what `isKept` says.
 */
export function inferSegments(texts: readonly string[], isKept: (at: number) => boolean = () => false): Segment[] {
  const [first = ''] = texts;
  if (texts.every(isUuid) && first !== '') return ofUuid(first);
  const ofMoments = ofTimed(texts);
  if (ofMoments) return ofMoments;
  const same = texts.filter(({ length }) => length === first.length);
  const pieces = Array.from(first, (sign, at) => {
    const isSame = same.every((text) => text[at] === sign);
    const isSign = /[^A-Za-z0-9_-]/.test(sign);
    return isSame && (isSign || isKept(at)) ? { text: sign } : { varies: same.map((text) => text[at]).join('') };
  });
  const of = alphabetOf(pieces.map((piece) => ('varies' in piece ? piece.varies : '')).join(''));
  return joined(pieces, of).slice(0, 50);
}

/** A moment, and the form in which a mock writes it again. */
type ReadTime = { ms: number; form: TimeForm };

/** Reads a moment that is written as a text. Days alone, and forms that are read by patterns, are left out. */
export function parseTimeFormat(text: string): ReadTime | undefined {
  const moment = parseDate(text);
  if (moment?.is !== 'moment') return undefined;
  const { ms, form } = moment;
  if (form.kind === 'http') return { ms, form: { kind: 'http' } };
  if (form.kind !== 'iso' || !form.hasSeconds || !/^(?:Z|[+-]\d\d:?\d\d)?$/.test(form.zone)) return undefined;
  const { separator, digits, zone } = form;
  return { ms, form: { kind: 'iso', separator, digits, zone } };
}

/** Reads seconds or milliseconds since 1970, as a number or as a text of digits. */
function readEpoch(digits: string, isText: boolean): ReadTime | undefined {
  const moment = parseEpoch(digits);
  if (moment?.form.kind !== 'epoch' || (isText && moment.form.digits > 0)) return undefined;
  const { unit, digits: fraction } = moment.form;
  const rest = fraction === 0 ? {} : { digits: fraction > 3 ? 6 : 3 };
  return { ms: moment.ms, form: { kind: 'epoch', unit, isText, ...rest } };
}

/** Makes the form of a password's hash, whose salt and digest are made up. */
export function inferHashSegments(text: string): Segment[] {
  const parts = text.split('$');
  if (parts.length < 3) return inferSegments([text]);
  const isBcrypt = /^\$2[abxy]?\$/.test(text);
  const kept = isBcrypt ? 3 : parts.length - 2;
  const known = `${parts.slice(0, kept).join('$')}$`;
  const segments: Segment[] = [];
  for (const [at, part] of parts.slice(kept).entries()) {
    segments.push({ text: at === 0 ? known : '$' });
    if (part !== '') segments.push({ of: 'letters-and-digits', count: part.length });
  }
  return segments;
}

const nearMs = 5000;
const updateName = /updat|modif|actuali/i;
const creationName = /creat|crea(?:do|ted|cion)|regist|join|since|alta/i;
const endName = /exp|venc|cadu|until|end/i;

/** A moment that a value may tell, which is any within a step. */
type ReadMoment = { ms: number; stepMs: number; form: TimeForm };

/** Returns every moment that a value may tell: `01/02/2026` may be in January or in February. */
function momentsIn(value: string | number | LongNumber): ReadMoment[] {
  const isText = typeof value === 'string';
  const plain = (isText ? parseTimeFormat(value) : undefined) ?? readEpoch(textOrDigits(value), isText);
  if (plain) return [{ ...plain, stepMs: 0 }];
  if (!isText) return [];
  return readByPatterns(value).map(({ ms, stepMs, pattern }) => ({ ms, stepMs, form: { kind: 'pattern', pattern } }));
}

const patternOf = (form: TimeForm): string => (form.kind === 'pattern' ? form.pattern : form.kind);

const distance = ({ ms, stepMs }: ReadMoment, moment: number): number =>
  moment < ms ? ms - moment : Math.max(0, moment - ms - stepMs);

function placeOf(name: string, read: readonly ReadMoment[], knowns: readonly CallContext[]): Placeholder | undefined {
  const [first] = read;
  if (!first) return undefined;
  const isNear = (momentOf: (known: CallContext) => number | undefined): boolean =>
    read.every((each, at) => {
      const known = knowns[at];
      const moment = known && momentOf(known);
      return moment !== undefined && distance(each, moment) <= nearMs;
    });
  /** Of somebody whom the run did not register, nobody knows when that was, and the others tell what the time is. */
  const isCreated = (): boolean => {
    const ours = knowns.flatMap(({ person }, at) => (person?.createdMs === undefined ? [] : [{ at, ...person }]));
    const isNamed = creationName.test(name) || updateName.test(name);
    return (
      knowns.every(({ person }) => person !== undefined) &&
      ours.every(({ at, createdMs = 0 }) => distance(read[at] ?? first, createdMs) <= nearMs) &&
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
  if (fitting.expires && (endName.test(name) || !fitting.now)) return { place: 'time', of: 'expires', form };
  if (fitting.created && updateName.test(name)) return { place: 'time', of: 'updated', form };
  if (fitting.created && (creationName.test(name) || !fitting.now)) return { place: 'time', of: 'created', form };
  return fitting.now ? { place: 'time', of: 'now', form } : undefined;
}

/** Finds which moment the values of one name tell, in a form that all of them have. */
export function inferTimePlaceholder(
  name: string,
  values: readonly (string | number | LongNumber)[],
  knowns: readonly CallContext[],
): Placeholder | undefined {
  const read = values.map((value) => momentsIn(value));
  for (const first of read[0] ?? []) {
    const same = read.flatMap((moments) => moments.find(({ form }) => patternOf(form) === patternOf(first.form)) ?? []);
    const place = same.length === values.length ? placeOf(name, same, knowns) : undefined;
    if (place) return place;
  }
  return undefined;
}

type Id = string | number | LongNumber;

const idName = /(?:^|_)(?:id|uid|uuid|guid|pk|sub)$|Id$|^(?:_id|userid|user|uuid|guid)$/i;
const deepest = 6;
/** A number of so many digits counts nothing: the next one is no neighbour. A mock file has no form for more. */
const longNumber = /^\d{10,100}$/;

/** Names of what is another one in each answer. */
export const requestIdName = /(?:request|trace|correlation|error|transaction|log|span|session)[-_]?id$/i;

/** Says whether a name is one of the ids of people. */
export const isUserIdName = (name: string): boolean => idName.test(name) && !requestIdName.test(name);

/** Makes the form of ids: numbers, numbers in texts with noughts before them, or signs that are made up. */
export function inferIdFormat(ids: readonly Id[]): Extract<Placeholder, { place: 'id' }>['form'] {
  const texts = [...new Set(ids.map(textOrDigits))];
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
  const [prefix = ''] = /^[A-Za-z][A-Za-z\d]{0,11}[^A-Za-z\d]/.exec(first) ?? [];
  const isSure = new Set(texts).size > 1 || /^[a-z]{3,12}[_:|]$/.test(prefix);
  const isPrefixed = isSure && texts.every((id) => id.startsWith(prefix));
  if (!isPrefixed || prefix === '') return { kind: 'made-up', segments: inferSegments(texts) };
  return {
    kind: 'made-up',
    segments: [{ text: prefix }, ...inferSegments(texts.map((each) => each.slice(prefix.length)))],
  };
}

/** Collects what stands under names of ids, by the names on the way to it. */
function idsIn(value: JsonValue | undefined, way: string, depth: number, found: Map<string, Id>): void {
  if (depth > deepest) return;
  if (isList(value)) for (const inner of value.slice(0, 200)) idsIn(inner, `${way}[]`, depth + 1, found);
  if (!isJsonObject(value)) return;
  for (const [name, inner] of [...value.values].slice(0, 200)) {
    if (!isNumber(inner) && (typeof inner !== 'string' || inner === ''))
      idsIn(inner, `${way}.${name}`, depth + 1, found);
    else if (isUserIdName(name)) found.set(`${way}.${name}`, inner);
  }
}

/**
 * Finds the ids of the people of a run in what the server accepted: those of one person are always the same, and those
 * of two differ. Each person is told their own.
 */
export function assignUserIds(all: readonly AnalyzedCall[]): void {
  const byWay = new Map<string, Map<TestUser, Id | undefined>>();
  for (const observed of all) {
    const { person, json, operation } = observed;
    if (!person || !isAcceptedCall(observed)) continue;
    const found = new Map<string, Id>();
    idsIn(json, operation === 'profile' ? 'profile' : 'other', 0, found);
    for (const [way, id] of found) {
      const known = byWay.get(way) ?? new Map<TestUser, Id | undefined>();
      const before = known.has(person) ? known.get(person) : id;
      const isSame = before !== undefined && textOrDigits(before) === textOrDigits(id);
      byWay.set(way, known.set(person, isSame ? id : undefined));
    }
  }
  const ids = new Map<TestUser, TestUserId[]>();
  for (const people of byWay.values()) {
    const values = [...people.values()].flatMap((id) => id ?? []);
    const texts = new Set(values.map(textOrDigits));
    const isOfOne = people.size === 1 && [...people].every(([{ id }]) => id !== undefined && texts.has(String(id)));
    if (values.length < people.size || texts.size < values.length) continue;
    if (people.size < 2 && !isOfOne) continue;
    const form = inferIdFormat(values);
    for (const [person, id] of people) {
      if (id !== undefined) ids.set(person, [...(ids.get(person) ?? []), { text: textOrDigits(id), form }]);
    }
  }
  for (const [person, its] of ids) {
    person.ids = [...new Map(its.map((each) => [each.text, each])).values()];
  }
}
