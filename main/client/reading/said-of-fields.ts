import { fold } from '../../secrets/secret-names.ts';
import type { Operation } from '../base-url.ts';
import { fieldsInWords, isOfEither, type SaidOfField } from './about-field.ts';
import type { Body } from './body.ts';
import { findComplaints } from './complaint-terms.ts';
import { findDuplicate, type Duplicate } from './duplicate.ts';
import type { FoundFieldErrors } from './field-errors.ts';
import { findSubjects } from './field-terms.ts';
import { formFieldNamed } from './form-fields.ts';
import { isGeneric } from './generic.ts';
import { fieldsNamedIn } from './named-in-text.ts';
import { fieldBeside, textsIn } from './refusal-texts.ts';
import { mostTexts } from './sentences.ts';
import { wordsOf } from './terms.ts';
import { words } from './words.ts';

type Refusal = {
  operation: Operation;
  body: Body;
  /** What the server says in its own words, if it says anything. */
  message: { value: string; path: string } | undefined;
};

/** The errors of an answer, and what is there already where a database says so. */
type SaidErrors = { errors: FoundFieldErrors | undefined; duplicate: Duplicate | undefined };

/** Only these operations send what a person entered. */
const withForm: ReadonlySet<Operation> = new Set(['register', 'registro', 'login']);

/**
 * Puts what a refusal says in words under the field that it is about, beside what the answer has by fields itself. A text
 * that may be about two fields stays where it was.
 */
export function sayOfFields(found: FoundFieldErrors | undefined, refusal: Refusal): SaidErrors {
  const { operation, body } = refusal;
  if (!withForm.has(operation)) return { errors: found, duplicate: undefined };
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
  const ofEither = entries.flatMap(([, texts]) => texts.filter(isOfEither));
  const { placed, rest } = place(operation, found.form);
  const named = entries.flatMap(([name, all], index) => {
    const texts = all.filter((text) => !ofEither.includes(text));
    const field = index < mostTexts && isNoField(name) ? onlyField(operation, name, texts) : undefined;
    return texts.map((text) => ({ field: field ?? name, text }));
  });
  return { ...found, fields: byField([...named, ...placed]), form: [...new Set([...rest, ...ofEither])] };
}

/** These are whatever an error was filed under, and no field that was sent. */
const filedUnder = new Set(
  words(
    'error message msg general auth user usuario account credentials registration register signup server form info problems',
  ),
);

/** Says whether a key is a code such as `PasswordTooShort`, or a word such as `user`, that only files an error. */
function isNoField(name: string): boolean {
  return formFieldNamed(name) === undefined && (filedUnder.has(fold(name)) || wordsOf(name).length > 1);
}

function onlyField(operation: Operation, name: string, texts: readonly string[]): string | undefined {
  const { placed, rest } = place(operation, texts);
  const fields = new Set(placed.map(({ field }) => field));
  const [only] = fields;
  if (only === undefined || fields.size > 1 || rest.length > 0) return undefined;
  const inName = findSubjects(wordsOf(name)).map(({ means }) => means);
  const fits = inName.length === 0 ? filedUnder.has(fold(name)) : inName.every((each) => canBe(each, only));
  return fits ? only : undefined;
}

/** A name may call the email a username. */
const canBe = (subject: string, field: string): boolean =>
  subject === field || (field === 'email' && (subject === 'user' || subject === 'username'));

/** Reads the one field that stands beside the message: `validation.keys`, `meta.target`, `keyPattern`. */
function beside({ body, message }: Refusal): FoundFieldErrors | undefined {
  if (!message || isOfEither(message.value)) return undefined;
  const found = fieldBeside(body.json);
  return (
    found && {
      fields: { [found.field]: [message.value] },
      form: [],
      path: found.path,
      rule: 'one field beside the message',
    }
  );
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
    rule: 'what a database says of a duplicate',
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

const isOfProgram = (text: string): boolean => findComplaints(wordsOf(text)).some(({ means }) => means === 'program');

/** Says whether a text speaks of fields although none could be told. A code beside it would say less, and not decide. */
const namesOtherField = (text: string): boolean =>
  findSubjects(wordsOf(text)).some(({ means }) => means !== 'user' && means !== 'aside');

/** Sorts texts by whether each is about a field. */
function place(operation: Operation, texts: readonly string[]): { placed: SaidOfField[]; rest: string[] } {
  const placed: SaidOfField[] = [];
  const rest: string[] = [];
  for (const [index, text] of texts.entries()) {
    const said = index < mostTexts ? fieldsSaid(operation, text) : [];
    if (said.length > 0) placed.push(...said);
    else rest.push(text);
  }
  return { placed, rest };
}

function fieldsSaid(operation: Operation, text: string): SaidOfField[] {
  if (isGeneric(text) || isOfProgram(text) || isOfEither(text)) return [];
  const named = fieldsNamedIn(text);
  return named.length > 0 ? named : fieldsInWords(operation, text);
}

/** A server may call its field `__proto__`. */
function byField(said: readonly SaidOfField[]): Record<string, string[]> {
  const fields = new Map<string, Set<string>>();
  for (const { field, text } of said) fields.set(field, (fields.get(field) ?? new Set()).add(text));
  return Object.fromEntries([...fields].map(([field, texts]) => [field, withoutCodes([...texts])]));
}

/** A code such as `EMAIL_EXISTS` goes where a sentence says the same. */
function withoutCodes(texts: readonly string[]): string[] {
  const sentences = texts.filter((text) => !/^[A-Z\d]+(?:[_.-][A-Z\d]+)+$/.test(text));
  return sentences.length > 0 ? sentences : [...texts];
}
