import type { Operation } from '../../../preload/contract/names.ts';
import { normalizeFieldName } from '../secrets/secret-names.ts';
import type { Body } from './body.ts';
import type { FoundFieldErrors } from './field-errors.ts';
import {
  findFieldsInText,
  fieldsNamedIn,
  formFieldNamed,
  mentionsEitherField,
  isRegistration,
  type FieldMessage,
} from './form-fields.ts';
import { childByName, firstItems, follow, isList, isJsonObject, nonEmptyText, type JsonValue } from './json.ts';
import { isGeneric, mostTexts, withoutEntities, tokenizeText } from './sentences.ts';
import { findComplaints, findSubjects, isInWordList, matchesPatterns, wordList, patterns } from './vocabulary.ts';

type Refusal = {
  operation: Operation;
  body: Body;
  /** What the server says in its own words, if it says anything. */
  message: { value: string; path: string } | undefined;
};

/** The errors of an answer, and what is there already where a database says so. */
type SaidErrors = { errors: FoundFieldErrors | undefined; duplicate: Duplicate | undefined };

/**
 * Puts what a refusal says in words under the field that it is about, beside what the answer has by fields itself. A text
 * that may be about two fields stays where it was.
 */
export function assignFieldErrors(found: FoundFieldErrors | undefined, refusal: Refusal): SaidErrors {
  const { operation, body } = refusal;
  // Only these operations send what a person entered.
  if (operation !== 'login' && !isRegistration(operation)) return { errors: found, duplicate: undefined };
  const texts = textsIn(body);
  const duplicate = findDuplicate(operation, texts.join('\n'));
  if (found && Object.keys(found.fields).length > 0) return { errors: withFormPlaced(operation, found), duplicate };
  const said =
    duplicate === undefined
      ? (beside(refusal) ?? inWords(refusal, found, texts))
      : inDatabaseWords(refusal, texts, duplicate);
  return { errors: said ? { ...said, inWords: true } : found, duplicate };
}

/** What an answer has by fields, with its other texts under theirs, and its codes replaced by the field they are of. */
function withFormPlaced(operation: Operation, found: FoundFieldErrors): FoundFieldErrors {
  const entries = Object.entries(found.fields);
  // Whatever it was filed under, a sentence about one of two fields stands under neither.
  const ofEither = entries.flatMap(([, texts]) => texts.filter(mentionsEitherField));
  const { placed, rest } = place(operation, found.form);
  const named = entries.flatMap(([name, all], index) => {
    const texts = all.filter((text) => !ofEither.includes(text));
    const field = index < mostTexts && isNoField(name) ? onlyField(operation, name, texts) : undefined;
    return texts.map((text) => ({ field: field ?? name, text }));
  });
  return { ...found, fields: byField([...named, ...placed]), form: [...new Set([...rest, ...ofEither])] };
}

/** Says whether a key is a code such as `PasswordTooShort`, or a word such as `user`, that only files an error. */
function isNoField(name: string): boolean {
  return (
    formFieldNamed(name) === undefined &&
    (isInWordList('filed-under', normalizeFieldName(name)) || tokenizeText(name).length > 1)
  );
}

function onlyField(operation: Operation, name: string, texts: readonly string[]): string | undefined {
  const { placed, rest } = place(operation, texts);
  const fields = new Set(placed.map(({ field }) => field));
  const [only] = fields;
  if (only === undefined || fields.size > 1 || rest.length > 0) return undefined;
  const inName = findSubjects(tokenizeText(name)).map(({ means }) => means);
  const fits =
    inName.length === 0
      ? isInWordList('filed-under', normalizeFieldName(name))
      : inName.every((each) => canBe(each, only));
  return fits ? only : undefined;
}

/** A name may call the email a username. */
const canBe = (subject: string, field: string): boolean =>
  subject === field || (field === 'email' && (subject === 'user' || subject === 'username'));

/** Reads the one field of our forms that stands beside the message: `validation.keys`, `meta.target`, `keyPattern`. */
function beside({ body, message }: Refusal): FoundFieldErrors | undefined {
  if (!message || mentionsEitherField(message.value)) return undefined;
  for (const path of ['', ...wordList('beside-places')]) {
    const place = follow(body.json, path);
    for (const name of wordList('beside-message')) {
      const found = place && childByName(place, name);
      const field = found && onlyName(found.value);
      if (!found || field === undefined || !formFieldNamed(field)) continue;
      return { fields: { [field]: [message.value] }, form: [], path: found.path, rule: 'one field beside the message' };
    }
  }
  return undefined;
}

function onlyName(value: JsonValue): string | undefined {
  const names = isList(value)
    ? value.map(nonEmptyText)
    : isJsonObject(value)
      ? [...value.values.keys()]
      : [nonEmptyText(value)];
  const [only] = names;
  return names.length === 1 ? only?.replace(/^[#/.]+/, '').replaceAll('/', '.') : undefined;
}

function inDatabaseWords(
  { operation, body, message }: Refusal,
  texts: readonly string[],
  duplicate: Duplicate,
): FoundFieldErrors | undefined {
  // A page is no text for a person.
  if (duplicate === 'something' || (body.form !== 'json' && body.form !== 'text')) return undefined;
  const text = texts.find((each) => findDuplicate(operation, each) === duplicate) ?? message?.value;
  if (text === undefined) return undefined;
  return {
    fields: { [duplicate]: [text] },
    form: [],
    path: message?.path ?? 'body',
    rule: 'a database message about a duplicate',
  };
}

function inWords(
  { operation, message }: Refusal,
  found: FoundFieldErrors | undefined,
  texts: readonly string[],
): FoundFieldErrors | undefined {
  const form = found?.form ?? [];
  const said = [...new Set([...(message ? [message.value] : []), ...form])];
  const { placed, rest } = place(operation, said);
  const left = new Set(rest);
  const path = found?.path ?? message?.path ?? 'body';
  if (placed.length > 0)
    return {
      fields: byField(placed),
      form: form.filter((text) => left.has(text)),
      path,
      rule: 'words about one field',
    };
  if (message && namesOtherField(message.value)) return undefined;
  for (const text of texts) {
    const parts = fieldsSaid(operation, text);
    if (parts.length === 0) continue;
    // A code is no text for people where there is a message.
    const spoken = message && !isGeneric(message.value) && !/\s/.test(text) ? message.value : undefined;
    const fields = byField(parts.map(({ field, text: part }) => ({ field, text: spoken ?? part })));
    return { fields, form, path, rule: 'words about one field' };
  }
  return undefined;
}

/** Says whether a text speaks of fields although none could be told. A code beside it would say less, and not decide. */
const namesOtherField = (text: string): boolean =>
  findSubjects(tokenizeText(text)).some(({ means }) => means !== 'user' && means !== 'aside');

/** Sorts texts by whether each is about a field. */
function place(operation: Operation, texts: readonly string[]): { placed: FieldMessage[]; rest: string[] } {
  const placed: FieldMessage[] = [];
  const rest: string[] = [];
  for (const [index, text] of texts.entries()) {
    const said = index < mostTexts ? fieldsSaid(operation, text) : [];
    if (said.length > 0) placed.push(...said);
    else rest.push(text);
  }
  return { placed, rest };
}

function fieldsSaid(operation: Operation, text: string): FieldMessage[] {
  const isOfProgram = (): boolean => findComplaints(tokenizeText(text)).some(({ means }) => means === 'program');
  if (isGeneric(text) || isOfProgram() || mentionsEitherField(text)) return [];
  const named = fieldsNamedIn(text);
  return named.length > 0 ? named : findFieldsInText(operation, text);
}

/** A server may call its field `__proto__`. */
function byField(said: readonly FieldMessage[]): Record<string, string[]> {
  const fields = new Map<string, Set<string>>();
  for (const { field, text } of said) fields.set(field, (fields.get(field) ?? new Set()).add(text));
  return Object.fromEntries([...fields].map(([field, texts]) => [field, withoutCodes([...texts])]));
}

/** A code such as `EMAIL_EXISTS` goes where a sentence says the same. */
function withoutCodes(texts: readonly string[]): string[] {
  const sentences = texts.filter((text) => !/^[A-Z\d]+(?:[_.-][A-Z\d]+)+$/.test(text));
  return sentences.length > 0 ? sentences : [...texts];
}

const deepest = 4;

/** Returns what an answer says anywhere under the names for it, sentences before codes. */
function textsIn({ form, json, text }: Body): string[] {
  if (form !== 'json') return text === '' ? [] : [text];
  if (typeof json === 'string') return [json];
  const texts: string[] = [];
  collect(json, 0, texts);
  const isCode = (each: string): boolean => !/\s/.test(each);
  return [...texts.filter((each) => !isCode(each)), ...texts.filter(isCode)];
}

function collect(value: JsonValue, depth: number, texts: string[]): void {
  if (depth > deepest || texts.length >= mostTexts) return;
  if (isList(value)) for (const item of firstItems(value)) collectUnder('message', item, depth, texts);
  else if (isJsonObject(value))
    for (const [name, inner] of value.values) collectUnder(normalizeFieldName(name), inner, depth, texts);
}

function collectUnder(name: string, value: JsonValue, depth: number, texts: string[]): void {
  const text = nonEmptyText(value);
  if (text === undefined) collect(value, depth + 1, texts);
  else if (texts.length < mostTexts && isInWordList('spoken', name)) texts.push(text);
}

/** What is there already: a field of the form, or something of which only that is known. */
export type Duplicate = 'email' | 'name' | 'something';

const longest = 20_000;

/** A primary key is made by the server: nothing that a person entered. */
const ownKey = /(?:^|[._])(?:pkey|primary|pk|_id_|id)(?:[._]|$)|^PK_/i;

/** Finds what a database says of a duplicate in an answer to a registration. */
function findDuplicate(operation: Operation, text: string): Duplicate | undefined {
  if (!isRegistration(operation)) return undefined;
  const plain = withoutEntities(text.slice(0, longest));
  const names = patterns('duplicates').flatMap((pattern) => pattern.exec(plain)?.[1] ?? []);
  if (names.length === 0 && !matchesPatterns('unnamed-duplicates', plain)) return undefined;
  const found = new Set(names.flatMap(namedIn));
  if (found.size > 1) return 'something';
  const [only] = found;
  if (only) return only;
  if (matchesPatterns('duplicate-addresses', plain)) return 'email';
  return names.length > 0 && names.every((name) => ownKey.test(name)) ? undefined : 'something';
}

/** An index is called `users_email_key`, `UK_email`, `IX_Users_NormalizedEmail`, `users.users_email_unique`. */
function namedIn(name: string): Duplicate[] {
  return findSubjects(tokenizeText(name.replaceAll(/[_.]/g, ' '))).flatMap(({ means }): Duplicate[] =>
    means === 'email' || means === 'name' ? [means] : means === 'username' ? ['something'] : [],
  );
}
