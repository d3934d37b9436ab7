import {
  ProfileLimits,
  type DisplayField,
  type ProfileField,
  type DisplayValue,
} from '../../../preload/contract/models.ts';
import type { Operation } from '../../../preload/contract/names.ts';
import { normalizeFieldName, nameless, classifyName, type NameClass } from '../secrets/secret-names.ts';
import { hiddenName, pointerOf, type SecretPredicate } from './json-text.ts';
import {
  isEmpty,
  isList,
  isNumber,
  isJsonObject,
  digitsOf,
  textOrDigits,
  type JsonValue,
  type JsonObject,
} from './json.ts';
import { pictureIn } from './picture.ts';
import { parseEpoch, parseDate, type ParsedDate } from './parse-date.ts';
import { isSentence } from './sentences.ts';
import { isSecretByName } from '../secrets/is-secret.ts';
import { innerFields, mayHold, type FoundUser, type UserFields, type UserFieldSource } from './user.ts';
import { isInWordList, matchesPatterns } from './vocabulary.ts';

/** What frameworks write for programs: links to other calls, versions of records, names of types. */
const isPlumbing = (name: string, value: JsonValue): boolean =>
  isInWordList('for-programs', name) || name.startsWith('@odata.') || (name === 'links' && areLinks(value));

/** The links of JSON:API and of Spring. A person may have pages of their own under the same name. */
function areLinks(value: JsonValue): boolean {
  if (isList(value)) return value.length > 0 && value.every((each) => isJsonObject(each) && each.values.has('rel'));
  return isJsonObject(value) && ['self', 'related', 'next'].some((name) => value.values.has(name));
}

/** What an object holds for people. One that has nothing else keeps what is for programs. */
function contentOf({ values }: Pick<JsonObject, 'values'>): (readonly [key: string, value: JsonValue])[] {
  const all = [...values];
  const content = all.filter(([key, inner]) => !isPlumbing(key, inner));
  return content.length > 0 ? content : all;
}

/** Under these names a whole answer that is the record of a person, or what is around the record, speaks of the answer. */
type Flags = 'flags-of-bare-answer' | 'flags-of-answer';

/** Whether a value is one word, a number or nothing. Sentences are for people. */
const isFlag = (value: JsonValue): boolean =>
  typeof value === 'string' ? !isSentence(value) : isEmpty(value) || !(isJsonObject(value) || isList(value));

/** A field of the answer: its value, the names that lead to it, and the object that holds it. */
type Field = { names: readonly (string | number)[]; holder: JsonValue; value: JsonValue };

/**
 * Yields the fields of a record, and in their place those of what it keeps its fields in.
 * @param flags names under which the answer speaks of itself
 * @param except the key of the record that was looked into already
 */
function* fieldsOf(
  record: JsonValue,
  names: Field['names'],
  flags?: Flags,
  except?: string | number,
): Generator<Field> {
  if (!isJsonObject(record)) return;
  for (const [name, value] of record.values) {
    if (
      name === except ||
      isPlumbing(name, value) ||
      (flags && isInWordList(flags, normalizeFieldName(name)) && isFlag(value))
    )
      continue;
    if (innerFields.includes(name) && isJsonObject(value)) yield* fieldsOf(value, [...names, name]);
    else yield { names: [...names, name], holder: record, value };
  }
}

/** Yields the fields of the record, then what the answer has around it. */
function* fieldsOfAnswer({ located }: FoundUser, isProfile: boolean): Generator<Field> {
  const names: (string | number)[] = [];
  for (let at = located.parent; at; at = at.outer.parent) names.unshift(at.key);
  yield* fieldsOf(located.value, [...names], names.length === 0 ? 'flags-of-bare-answer' : undefined);
  // A login says more than who somebody is.
  for (let at = isProfile ? located.parent : undefined; at; at = at.outer.parent) {
    const { key, outer } = at;
    names.pop();
    if (isList(outer.value) && outer.value.length > 1)
      yield { names: [...names], holder: outer.value, value: outer.value };
    yield* fieldsOf(outer.value, [...names], 'flags-of-answer', key);
  }
}

/** Says whether a text stands in another one as whole words. */
const isPartOf = (whole: string, text: string): boolean => ` ${whole} `.includes(` ${text} `);

/** Says whether a value has anything that is not shown as the name, the email or the id of the person. */
function hasMore(name: string, value: JsonValue, used: UserFieldSource | undefined, user: UserFields): boolean {
  if (isList(value)) return value.length === 0 || value.some((item) => hasMore(name, item, used, user));
  if (isJsonObject(value)) {
    return value.values.size === 0 || contentOf(value).some(([key, each]) => hasMore(key, each, used, user));
  }
  if (typeof value !== 'string' && !isNumber(value)) return true;
  const text = textOrDigits(value);
  if (used && isPartOf(used.text, text)) return false;
  return !userFields.some((field) => String(user[field]) === text && mayHold(field, normalizeFieldName(name)));
}

const userFields = ['id', 'name', 'email'] as const;

/** How many values there are in a value, what is empty counted as one. */
function countOf(value: JsonValue): number {
  const inner = isList(value) ? value : isJsonObject(value) ? [...value.values.values()] : [];
  return inner.length === 0 ? 1 : inner.reduce<number>((count, each) => count + countOf(each), 0);
}

/** Characters of a name that is shown. */
const longestName = 200;

type Leaf = Exclude<JsonValue, readonly JsonValue[] | JsonObject>;

/** Makes values as the screens show them, until they are too many, and counts those that are left then. */
class Showing {
  #values: number = ProfileLimits.values;
  #characters: number = ProfileLimits.characters;
  readonly #judge: SecretPredicate;
  left = 0;

  constructor(judge: SecretPredicate) {
    this.#judge = judge;
  }

  /** Shows the value of a row, which may be a picture. */
  showRow(name: string, value: JsonValue, naming: NameClass): DisplayValue | undefined {
    const picture = typeof value === 'string' && !isSecretByName(value, naming) ? pictureIn(value) : undefined;
    return picture ? this.#keep(picture) : this.show(name, value, naming);
  }

  /** @param naming what the names around the value say of it */
  show(name: string, value: JsonValue, naming: NameClass): DisplayValue | undefined {
    if (isEmpty(value) && typeof value === 'object') {
      return this.#keep(
        value === null ? { is: 'nothing' } : isList(value) ? { is: 'list', items: [] } : { is: 'fields', fields: [] },
      );
    }
    if (isList(value)) {
      const items = value.flatMap((item) => this.show(name, item, naming) ?? []);
      return items.length === 0 ? undefined : { is: 'list', items };
    }
    return isJsonObject(value) ? this.#object(name, value, naming) : this.#leaf(name, value, naming);
  }

  #object(name: string, { values }: JsonObject, naming: NameClass): DisplayValue | undefined {
    const [[key, only] = [], ...more] = values;
    // MongoDB writes the type of a value around it: `$oid`, `$date`, `$numberLong`.
    if (key?.startsWith('$') && only !== undefined && more.length === 0) {
      return this.show(key === '$date' ? key : name, only, naming);
    }
    const zoned = phpMoment(values);
    if (zoned) return this.#keep(zoned);
    const fields: DisplayField[] = [];
    for (const [key, inner] of contentOf({ values })) {
      const shown = this.show(key, inner, classifyName(key, naming));
      if (shown) fields.push({ name: this.#judge(key, nameless) ? hiddenName : key, value: shown });
      this.#characters -= shown ? key.length : 0;
    }
    return fields.length === 0 ? undefined : { is: 'fields', fields };
  }

  #leaf(name: string, value: Leaf, naming: NameClass): DisplayValue | undefined {
    if (this.#values === 0) return this.leave(1);
    if (value === null) return this.#keep({ is: 'nothing' });
    if (typeof value === 'boolean') return this.#keep({ is: 'flag', yes: value });
    const text = textOrDigits(value);
    if (text !== '' && this.#judge(text, naming, isNumber(value))) return this.#keep({ is: 'secret' });
    const moment = parseDateField(name, value);
    if (moment) return this.#keep(shownMoment(moment));
    const room = Math.min(ProfileLimits.charactersOfText, Math.max(0, this.#characters));
    if (text.length <= room) {
      return this.#keep(isNumber(value) ? { is: 'number', digits: text } : { is: 'text', text }, text.length);
    }
    // A sign of two characters is not cut.
    const shown = text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
    return this.#keep({ is: 'text', text: shown, left: text.length - shown.length }, shown.length);
  }

  #keep(value: DisplayValue, characters = 0): DisplayValue | undefined {
    if (this.#values === 0) return this.leave(1);
    this.#values -= 1;
    this.#characters -= characters;
    return value;
  }

  leave(count: number): undefined {
    this.left += count;
  }
}

const shownMoment = (moment: ParsedDate): DisplayValue =>
  moment.is === 'day' ? moment : { is: 'moment', at: new Date(moment.ms).toISOString(), isZoneSaid: moment.isZoneSaid };

/** A `DateTime` of PHP says its zone beside it. That of a city is not worked out: the date stays as it is. */
function phpMoment(values: JsonObject['values']): DisplayValue | undefined {
  const [date, zone] = [values.get('date'), values.get('timezone')];
  if (typeof date !== 'string' || typeof zone !== 'string' || !values.has('timezone_type')) return undefined;
  const moment = parseDate(`${date} ${zone}`);
  return moment && shownMoment(moment);
}

/** What the names that lead to a value say of it. */
const namingIn = (names: Field['names']): NameClass =>
  names.reduce<NameClass>((outer, name) => (typeof name === 'string' ? classifyName(name, outer) : outer), nameless);

/**
 * Makes the rows of a profile: all that the answer says of a person and the name, the email and the id do not show already,
 * without what is there for programs.
 * @param operation only of a profile does what stands around the record count
 * @param left how many values could not be read
 */
export function profileFields(
  found: FoundUser | undefined,
  { operation, left, judge }: { operation: Operation; left: number; judge: SecretPredicate },
): { rest: ProfileField[]; left: number } {
  if (!found) return { rest: [], left: 0 };
  const showing = new Showing(judge);
  const rest: ProfileField[] = [];
  for (const { names, holder, value } of fieldsOfAnswer(found, operation === 'profile')) {
    const name = names.findLast((each) => typeof each === 'string') ?? '';
    const used = found.uses.find((use) => use.holder === holder && use.key === name);
    if (!hasMore(name, value, used, found.user)) continue;
    const shownNames = names.map((each) => (typeof each === 'string' && judge(each, nameless) ? hiddenName : each));
    const place = pointerOf(shownNames);
    const shown =
      place.length > ProfileLimits.charactersOfPlace
        ? showing.leave(countOf(value))
        : showing.showRow(name, value, namingIn(names));
    if (shown) rest.push({ name: judge(name, nameless) ? hiddenName : name, place, value: shown });
  }
  return { rest, left: left + showing.left };
}

/** Shows all that an object says, field by field, as {@link profileFields} shows a profile. */
export function displayFields(
  object: JsonObject | undefined,
  judge: SecretPredicate,
): { fields: DisplayField[]; left: number } {
  const showing = new Showing(judge);
  const fields = [...(object?.values ?? [])].flatMap(([key, value]): DisplayField[] => {
    const name = judge(key, nameless) ? hiddenName : key.slice(0, longestName);
    const shown = showing.show(key, value, classifyName(key));
    return shown ? [{ name, value: shown }] : [];
  });
  return { fields, left: showing.left };
}

/** The words of a name such as `created_at` or `fechaVencimiento`. */
const wordsIn = (name: string): string[] =>
  name
    .slice(0, 200)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Whether a number under this name is a moment. */
export function tellsTime(name: string): boolean {
  const words = wordsIn(name);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  return (
    isInWordList('time-endings', last) ||
    (words.length > 1 && isInWordList('time-beginnings', first)) ||
    matchesPatterns('times', normalizeFieldName(name.slice(0, 200)))
  );
}

/** Reads a value of a record as a date: texts by their form, numbers and digits where their name tells a time. */
export function parseDateField(name: string, value: JsonValue): ParsedDate | undefined {
  const text = isNumber(value) ? digitsOf(value) : typeof value === 'string' ? value : '';
  const moment =
    (isNumber(value) ? undefined : parseDate(text)) ?? (tellsTime(name) ? parseEpoch(text.trim()) : undefined);
  const isMidnight = moment?.is === 'moment' && moment.ms % 86_400_000 === 0 && moment.form.kind === 'iso';
  return isMidnight && matchesPatterns('birthdays', normalizeFieldName(name.slice(0, 200)))
    ? // Laravel's `date` cast, and JavaScript, write a day so.
      { is: 'day', day: new Date(moment.ms).toISOString().slice(0, 10) }
    : moment;
}
