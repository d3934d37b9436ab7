import type { Operation } from '../base-url.ts';
import { findComplaints, type Complaint } from './complaint-terms.ts';
import { findSubjects, type Subject } from './field-terms.ts';
import type { FormField } from './form-fields.ts';
import { withoutGenericStart } from './generic.ts';
import { isAbout } from './phrases.ts';
import {
  beforeName,
  compares,
  comparesAtEnd,
  comparesForm,
  either,
  fillers,
  joins,
  severalPasswords,
  you,
} from './small-words.ts';
import { sentencesIn } from './sentences.ts';
import { anAddress, wordsOf, type FoundTerm } from './terms.ts';

/** A text and the field that it is about. */
export type SaidOfField = { field: string; text: string };

const fields: ReadonlySet<Subject> = new Set(['email', 'password', 'cpassword', 'name']);
const isField = (subject: Subject): subject is FormField => fields.has(subject);

/** The operations whose forms have a field to repeat the password. */
const repeats: ReadonlySet<Operation> = new Set(['register']);
const registers: ReadonlySet<Operation> = new Set(['register', 'registro']);

/**
 * Returns the fields that a text of a refused form is about, each with its sentences; none where a sentence may be about
 * two fields, or only speaks of one.
 */
export function fieldsInWords(operation: Operation, text: string): SaidOfField[] {
  if (operation === 'login' && (isAbout('credentials', text) || isAbout('tokenRefused', text))) return [];
  if (isAbout('throttled', text)) return [];
  const parts: SaidOfField[] = [];
  let before = '';
  for (const sentence of sentencesIn(withoutGenericStart(text))) {
    const found = inSentence(operation, sentence);
    if (found === 'unclear') return [];
    const last = parts.at(-1);
    if (found.length > 0) parts.push(...found);
    else if (last) last.text += ` ${sentence}`;
    else before += `${sentence} `;
  }
  const [first] = parts;
  if (!first) return [];
  // A text about one field is left as it was sent.
  if (parts.every(({ field }) => field === first.field)) return [{ field: first.field, text }];
  return [{ field: first.field, text: before + first.text }, ...parts.slice(1)];
}

const ofLogin: ReadonlySet<Subject> = new Set(['email', 'password', 'name', 'username', 'user']);

/** Returns the first two different subjects that a sentence names one after the other, and the words between them. */
function firstTwo(sentence: string): { between: readonly string[] } | undefined {
  const words = wordsOf(sentence);
  const [first, second] = findSubjects(words).filter(({ means }) => ofLogin.has(means));
  return first && second && first.means !== second.means
    ? { between: words.slice(first.at + first.length, second.at) }
    : undefined;
}

/** Says whether a sentence of a text leaves open which of two fields it is about: `Invalid email or password`. */
export function isOfEither(text: string): boolean {
  return sentencesIn(text).some((sentence) => {
    const { between } = firstTwo(sentence) ?? {};
    if (!between?.every((word) => joins.has(word))) return false;
    return between.some((word) => either.has(word)) || (between.length === 0 && sentence.includes('/'));
  });
}

/** Returns the one field that a refused login speaks of: `Wrong password`. None where it may be either. */
export function fieldOfRefusedLogin(text: string): 'email' | 'password' | undefined {
  const named = new Set(
    findSubjects(wordsOf(text)).flatMap(({ means }) => (ofLogin.has(means) && means !== 'user' ? means : [])),
  );
  const [only] = named;
  const isList = sentencesIn(text).some((sentence) => firstTwo(sentence)?.between.every((word) => joins.has(word)));
  return named.size === 1 && !isList && (only === 'email' || only === 'password') ? only : undefined;
}

/** Passwords have such a length, and names and emails have no such shortest one. */
const shortestPassword = 6;
const shortest =
  /\b(?:at least|minimum|min|minimo|al menos|como minimo|pelo menos|au moins|mindestens|almeno)(?: (?:of|de|di))? (\d{1,3}) (?:characters?|chars?|caracteres?|zeichen|caratteri)\b/;
const mostWords = 12;

/** Says whether a sentence asks for so many characters and names nothing: `at least 8 characters`. */
function asksLength(words: readonly string[]): boolean {
  const [, length] = shortest.exec(words.join(' ')) ?? [];
  return length !== undefined && Number(length) >= shortestPassword && words.length <= mostWords;
}

/** Reads a sentence, and where it names several fields, each of its clauses. */
function inSentence(operation: Operation, sentence: string): SaidOfField[] | 'unclear' {
  const whole = fieldOf(operation, sentence);
  if (whole !== 'unclear') return whole === undefined ? [] : [{ field: whole, text: sentence }];
  const said: SaidOfField[] = [];
  for (const clause of clausesIn(sentence)) {
    if (clause === sentence) return 'unclear';
    const field = fieldOf(operation, clause);
    const last = said.at(-1);
    if (field === 'unclear' || (field === undefined && (!last || findSubjects(wordsOf(clause)).length > 0)))
      return 'unclear';
    if (field !== undefined) said.push({ field, text: clause });
    else if (last) last.text += `, ${clause}`;
  }
  return said;
}

/** Rails joins its messages so, and so does whoever joins a list. */
const clausesIn = (sentence: string): string[] =>
  sentence
    .split(/[,|/•]| (?:and|y|e|et|und) /)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');

/** Says which field a sentence is about. */
function fieldOf(operation: Operation, sentence: string): FormField | 'unclear' | undefined {
  const words = wordsOf(sentence);
  const complaints = findComplaints(words).filter(({ means, at }) => !comparing.has(means) || !isOfForm(words, at));
  const has = (complaint: Complaint): boolean => complaints.some(({ means }) => means === complaint);
  const subjects = findSubjects(words).filter((subject) => isPersonal(words, subject));
  if (has('process') || (complaints.length === 0 && !isBrief(words, subjects))) return undefined;
  const named = [...new Set(subjects.map(({ means }) => means))].filter(isField);
  const isTaken = has('taken') || has('registered');

  const isCompared = named.length > 1 || words.some((word) => severalPasswords.has(word));
  const differs = has('mismatch') || (has('comparison') && isCompared);
  if (differs && named.length > 0 && named.every((field) => field === 'password' || field === 'cpassword'))
    return repeats.has(operation) ? 'cpassword' : undefined;
  if (subjects.some(({ means }) => means === 'username'))
    return isTaken && words.includes(anAddress) ? 'email' : (comparedField(words, subjects) ?? 'unclear');
  // What was not sent cannot be taken.
  if (!isTaken && named.length > 0 && subjects.some(({ means }) => means === 'unsent')) return 'unclear';
  const [only] = named;
  if (only === 'name' && isTaken && !isAllSmall(words, subjects)) return undefined;
  if (named.length === 1 && only) return isRepeatElsewhere(only, operation) ? undefined : only;
  if (named.length > 1) return comparedField(words, subjects) ?? 'unclear';
  if (subjects.length === 0 && registers.has(operation) && asksLength(words)) return 'password';
  if (!isTaken || has('absent') || !registers.has(operation) || subjects.some(({ means }) => means === 'unsent'))
    return undefined;
  return isExistingUser(words, subjects) || isRegisteredAlready(words, complaints) ? 'email' : undefined;
}

/** Whoever refuses a form and says `Email gone` complains of the email, whatever the word is. */
function isBrief(words: readonly string[], [first]: readonly FoundTerm<Subject>[]): boolean {
  if (first?.at !== 0 || (first.means !== 'email' && first.means !== 'password')) return false;
  return words.slice(first.length).filter((word) => !fillers.has(word)).length === 1;
}

const comparing: ReadonlySet<Complaint> = new Set(['mismatch', 'comparison']);

const isRepeatElsewhere = (field: FormField, operation: Operation): boolean =>
  field === 'cpassword' && !repeats.has(operation);

/** Says whether a comparison is with a pattern, and not with another field. */
const isOfForm = (words: readonly string[], at: number): boolean =>
  words.slice(at, at + 6).some((word) => comparesForm.has(word));

/** `name` alone may be that of a company or of a table. */
function isPersonal(words: readonly string[], { at, length, means }: FoundTerm<Subject>): boolean {
  const before = words[at - 1];
  return means !== 'name' || length > 1 || words[at] !== 'name' || before === undefined || beforeName.has(before);
}

/** Returns the first field where a sentence compares it with another. */
function comparedField(words: readonly string[], subjects: readonly FoundTerm<Subject>[]): FormField | undefined {
  const mentions = subjects.filter(({ means }) => isField(means) || means === 'username');
  const [first] = mentions;
  const next = mentions.find(({ means }) => means !== first?.means);
  if (!first || !next || !isField(first.means)) return undefined;
  const between = words.slice(first.at + first.length, next.at);
  const isList = between.every((word) => joins.has(word));
  const isSaidAfter = words.slice(next.at + next.length).some((word) => comparesAtEnd.has(word));
  return !isList && (isSaidAfter || between.some((word) => compares.has(word))) ? first.means : undefined;
}

/** Says whether a sentence tells that an account exists, and nothing of what it knows it by. */
function isExistingUser(words: readonly string[], subjects: readonly FoundTerm<Subject>[]): boolean {
  const isNamed = words.includes(anAddress) || subjects.some(({ means }) => means === 'user');
  return isNamed && isAllSmall(words, subjects);
}

/** Says whether nothing else is spoken of: what exists may be a project with that name. */
const isAllSmall = (words: readonly string[], subjects: readonly FoundTerm<Subject>[]): boolean =>
  restOf(words, subjects).every((word) => word === anAddress || fillers.has(word));

function isRegisteredAlready(words: readonly string[], complaints: readonly FoundTerm<Complaint>[]): boolean {
  const registered = complaints.filter(({ means }) => means === 'registered');
  return registered.length > 0 && restOf(words, registered).every((word) => you.has(word));
}

/** Returns the words that are in none of the terms, nor in a complaint. */
function restOf(words: readonly string[], terms: readonly FoundTerm<unknown>[]): string[] {
  const taken = [...terms, ...findComplaints(words)];
  return words.filter((_word, index) => !taken.some(({ at, length }) => index >= at && index < at + length));
}
