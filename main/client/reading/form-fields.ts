import type { Operation } from '../../../preload/contract/names.ts';
import { normalizeFieldName } from '../secrets/secret-names.ts';
import { anAddress, isAbout, sentencesIn, withoutGenericStart, tokenizeText } from './sentences.ts';
import {
  findComplaints,
  findSubjects,
  groupsIn,
  isInWordList,
  type Complaint,
  type FoundTerm,
  type SentenceSubject,
} from './vocabulary.ts';

/** The fields of our forms, as the interface names them. */
export type FormField = (typeof formFields)[number];

const formFields = ['name', 'email', 'password', 'cpassword'] as const;
const isField = (subject: string): subject is FormField => formFields.some((field) => field === subject);

/** Returns the field of our forms that a server's own name stands for: `user.email`, `Correo`, `body/password`. */
export function formFieldNamed(serverName: string): FormField | undefined {
  const [whole, last] = [normalizeFieldName(serverName), normalizeFieldName(lastPart(serverName))];
  return (
    formFields.find((field) => isInWordList(`form-${field}`, whole)) ??
    formFields.find((field) => isInWordList(`form-${field}`, last))
  );
}

/** Returns the name at the end of a path. */
export const lastPart = (serverName: string): string => serverName.split(/[./]/).at(-1) ?? '';

/** Puts the server's name of the field before a text that left its subject to that: `has already been taken`. */
export function wholeSentence(serverName: string, text: string): string {
  const [first = '', second = ''] = text.slice(0, 100).trim().split(/\s+/);
  const isPart = isInWordList('verbs', first) || (first === 'no' && isInWordList('verbs-after-no', second));
  const name = isPart ? readable(serverName) : '';
  return name === '' ? text : `${name} ${text.trim()}`;
}

/** Makes `password_confirmation` and `passwordConfirmation` words; other names than of words are left out. */
function readable(serverName: string): string {
  const name = lastPart(serverName);
  if (!/^[\p{L}\p{N}_-]{1,60}$/u.test(name)) return '';
  const spaced = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1);
}

/** A text and the field that it is about. */
export type FieldMessage = { field: string; text: string };

export const isRegistration = (operation: Operation): boolean => operation === 'register' || operation === 'registro';

/**
 * Returns the fields that a text of a refused form is about, each with its sentences; none where a sentence may be about
 * two fields, or only speaks of one.
 */
export function findFieldsInText(operation: Operation, text: string): FieldMessage[] {
  if (operation === 'login' && (isAbout('credentials', text) || isAbout('tokenRefused', text))) return [];
  if (isAbout('throttled', text)) return [];
  const parts: FieldMessage[] = [];
  let before = '';
  for (const sentence of sentencesIn(withoutGenericStart(text))) {
    const found = inSentence(operation, sentence);
    if (found === 'unclear') return [];
    const last = parts.at(-1);
    if (found.length > 0) parts.push(...found);
    else if (last && isOfAnother(sentence, last.field)) return [];
    else if (last) last.text += ` ${sentence}`;
    else before += `${sentence} `;
  }
  const [first] = parts;
  if (!first) return [];
  // A text about one field is left as it was sent.
  if (parts.every(({ field }) => field === first.field)) return [{ field: first.field, text }];
  return [{ field: first.field, text: before + first.text }, ...parts.slice(1)];
}

const ofLogin: ReadonlySet<SentenceSubject> = new Set(['email', 'password', 'name', 'username', 'user']);

/** Returns the first two different subjects that a sentence names one after the other, and the words between them. */
function firstTwo(sentence: string): { between: readonly string[] } | undefined {
  const words = tokenizeText(sentence);
  const [first, second] = findSubjects(words).filter(({ means }) => ofLogin.has(means));
  return first && second && first.means !== second.means
    ? { between: words.slice(first.at + first.length, second.at) }
    : undefined;
}

/** Says whether a sentence of a text leaves open which of two fields it is about: `Invalid email or password`. */
export function mentionsEitherField(text: string): boolean {
  return sentencesIn(text).some((sentence) => {
    const { between } = firstTwo(sentence) ?? {};
    if (!between?.every((word) => isInWordList('joins', word))) return false;
    return between.some((word) => isInWordList('either', word)) || (between.length === 0 && sentence.includes('/'));
  });
}

/** Returns the one field that a refused login speaks of: `Wrong password`. None where it may be either. */
export function fieldOfRefusedLogin(text: string): 'email' | 'password' | undefined {
  const named = new Set(
    findSubjects(tokenizeText(text)).flatMap(({ means }) => (ofLogin.has(means) && means !== 'user' ? means : [])),
  );
  const [only] = named;
  const isList = sentencesIn(text).some((sentence) =>
    firstTwo(sentence)?.between.every((word) => isInWordList('joins', word)),
  );
  return named.size === 1 && !isList && (only === 'email' || only === 'password') ? only : undefined;
}

/** Passwords have such a length, and names and emails have no such shortest one. */
const shortestPassword = 6;
const mostWords = 12;

/** Says whether a sentence asks for so many characters and names nothing: `at least 8 characters`. */
function asksLength(words: readonly string[]): boolean {
  const [length] = groupsIn('asks-length', words.join(' '));
  return length !== undefined && Number(length) >= shortestPassword && words.length <= mostWords;
}

/** Reads a sentence, and where it names several fields, each of its clauses. */
function inSentence(operation: Operation, sentence: string): FieldMessage[] | 'unclear' {
  const whole = fieldOf(operation, sentence);
  if (whole === undefined) return [];
  if (whole !== 'unclear') return hasOtherHalf(sentence, whole) ? 'unclear' : [{ field: whole, text: sentence }];
  const said: FieldMessage[] = [];
  for (const clause of clausesIn(sentence)) {
    if (clause === sentence) return 'unclear';
    const field = fieldOf(operation, clause);
    const last = said.at(-1);
    if (field === 'unclear' || (field === undefined && (!last || findSubjects(tokenizeText(clause)).length > 0)))
      return 'unclear';
    if (field !== undefined) said.push({ field, text: clause });
    else if (last) last.text += `, ${clause}`;
  }
  return said;
}

/** Rails joins its messages so, and so does a server that joins a list. */
const clausesIn = (sentence: string): string[] =>
  sentence
    .split(/[,|/•]| (?:and|y|e|et|und) /)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');

/** Says whether a text joins messages of which one names its field and another does not: `Email inválido, Muy corta`. */
function hasOtherHalf(sentence: string, field: FormField): boolean {
  const [, ...others] = sentence.split(/[,|•]/).map((piece) => piece.trim());
  return others.some((piece) => {
    const words = tokenizeText(piece);
    if (isInWordList('pleases', words[0] ?? '') || findComplaints(words).length === 0) return false;
    return (/^\p{Lu}/u.test(piece) && findSubjects(words).length === 0) || isOfAnother(piece, field);
  });
}

/** Says whether a complaint without a field is one that nobody has of an email: it is too short, or too weak. */
function isOfAnother(text: string, field: string): boolean {
  const words = tokenizeText(text);
  return (
    field === 'email' && findSubjects(words).length === 0 && words.some((word) => isInWordList('of-passwords', word))
  );
}

/**
 * Says whether an email is taken, or a user name, which the usual form does not ask for: Strapi's `Email or Username are
 * already taken`.
 */
export function isTakenEmail(text: string): boolean {
  const words = tokenizeText(text);
  const named = new Set(findSubjects(words).map(({ means }) => means));
  const isTaken = findComplaints(words).some(({ means }) => means === 'taken' || means === 'registered');
  return isTaken && named.size === 2 && named.has('email') && named.has('username');
}

/** Says which field a sentence is about. */
function fieldOf(operation: Operation, sentence: string): FormField | 'unclear' | undefined {
  const words = tokenizeText(sentence);
  // A comparison may be with a pattern, and not with another field.
  const isOfForm = (at: number): boolean => words.slice(at, at + 6).some((word) => isInWordList('compares-form', word));
  const complaints = findComplaints(words).filter(
    ({ means, at }) => (means !== 'mismatch' && means !== 'comparison') || !isOfForm(at),
  );
  const complains = (complaint: Complaint): boolean => complaints.some(({ means }) => means === complaint);
  const subjects = findSubjects(words).filter((subject) => isPersonal(words, subject));
  const speaksOf = (subject: SentenceSubject): boolean => subjects.some(({ means }) => means === subject);
  if (complains('process') || (complaints.length === 0 && !isBrief(words, subjects))) return undefined;
  const named = [...new Set(subjects.map(({ means }) => means))].filter(isField);
  const isTaken = complains('taken') || complains('registered');

  const isCompared = named.length > 1 || words.some((word) => isInWordList('several-passwords', word));
  const differs = complains('mismatch') || (complains('comparison') && isCompared);
  if (differs && named.length > 0 && named.every((field) => field === 'password' || field === 'cpassword'))
    return operation === 'register' ? 'cpassword' : undefined;
  if (speaksOf('username'))
    return isTaken && words.includes(anAddress) ? 'email' : (comparedField(words, subjects) ?? 'unclear');
  // What was not sent cannot be taken.
  if (!isTaken && named.length > 0 && speaksOf('unsent')) return 'unclear';
  const [only] = named;
  if (only === 'name' && isTaken && !isAllSmall(words, subjects)) return undefined;
  if (named.length === 1 && only) return only === 'cpassword' && operation !== 'register' ? undefined : only;
  if (named.length > 1) return comparedField(words, subjects) ?? 'unclear';
  if (subjects.length === 0 && isRegistration(operation) && asksLength(words)) return 'password';
  if (!isTaken || complains('absent') || !isRegistration(operation) || speaksOf('unsent')) return undefined;
  return isExistingUser(words, subjects) || isRegisteredAlready(words, complaints) ? 'email' : undefined;
}

/** A refusal such as `Email gone` complains of the email, whatever the word is. */
function isBrief(words: readonly string[], [first]: readonly FoundTerm<SentenceSubject>[]): boolean {
  if (first?.at !== 0 || (first.means !== 'email' && first.means !== 'password')) return false;
  return words.slice(first.length).filter((word) => !isInWordList('fillers', word)).length === 1;
}

/** A bare `name` may be a company's or a table's. */
function isPersonal(words: readonly string[], { at, length, means }: FoundTerm<SentenceSubject>): boolean {
  const before = words[at - 1];
  return (
    means !== 'name' ||
    length > 1 ||
    words[at] !== 'name' ||
    before === undefined ||
    isInWordList('before-name', before)
  );
}

/** Returns the first field where a sentence compares it with another. */
function comparedField(
  words: readonly string[],
  subjects: readonly FoundTerm<SentenceSubject>[],
): FormField | undefined {
  const mentions = subjects.filter(({ means }) => isField(means) || means === 'username');
  const [first] = mentions;
  const next = mentions.find(({ means }) => means !== first?.means);
  if (!first || !next || !isField(first.means)) return undefined;
  const between = words.slice(first.at + first.length, next.at);
  const isList = between.every((word) => isInWordList('joins', word));
  const isSaidAfter = words.slice(next.at + next.length).some((word) => isInWordList('compares-at-end', word));
  return !isList && (isSaidAfter || between.some((word) => isInWordList('compares', word))) ? first.means : undefined;
}

/** Says whether a sentence tells that an account exists, and nothing of what it knows it by. */
function isExistingUser(words: readonly string[], subjects: readonly FoundTerm<SentenceSubject>[]): boolean {
  const isNamed = words.includes(anAddress) || subjects.some(({ means }) => means === 'user');
  return isNamed && isAllSmall(words, subjects);
}

/** Says whether nothing else is spoken of: what exists may be a project with that name. */
const isAllSmall = (words: readonly string[], subjects: readonly FoundTerm<SentenceSubject>[]): boolean =>
  restOf(words, subjects).every((word) => word === anAddress || isInWordList('fillers', word));

function isRegisteredAlready(words: readonly string[], complaints: readonly FoundTerm<Complaint>[]): boolean {
  const registered = complaints.filter(({ means }) => means === 'registered');
  return registered.length > 0 && restOf(words, registered).every((word) => isInWordList('you', word));
}

/** Returns the words that are in none of the terms, nor in a complaint. */
function restOf(words: readonly string[], terms: readonly FoundTerm<unknown>[]): string[] {
  const taken = [...terms, ...findComplaints(words)];
  return words.filter((_word, index) => !taken.some(({ at, length }) => index >= at && index < at + length));
}

/** What these validators write has the field's own name at a certain place. The name is the first group. */
const byValidators: readonly RegExp[] = [
  // ajv, as Fastify gives it: `body/password must NOT have fewer than 8 characters`; before ajv 8, `body.password`.
  /^"?(?:body|data|payload|instance|params|request|requestBody|querystring|input)[./]([A-Za-z_][\w./-]{0,80}) \S/,
  // ajv's missing properties, JSON Schema's and OpenAPI's.
  /\brequired property:? ['"`]([\w.-]{1,80})['"`]/,
  /\brequires property ['"`]([\w.-]{1,80})['"`]/,
  /^['"`]([\w.-]{1,80})['"`] is a required property/,
  /^object has missing required properties \(\["([\w.-]{1,80})"\]\)/,
  // Joi: `"password" length must be at least 8 characters long`.
  /^['"`]{1,2}([A-Za-z_][\w.]{0,80})['"`]{1,2} [a-z]/,
  // Joi before 16: `child "password" fails because ["password" is required]`.
  /^child "([\w.]{1,80})" fails because/,
  // Go's validator: `Key: 'User.Email' Error:Field validation for 'Email' failed on the 'email' tag`.
  /\bField validation for '([\w.]{1,80})' failed/,
  // Spring: `Field error in object 'user' on field 'email': rejected value [x]`.
  /\bon field '([\w.]{1,80})'/,
  // Mongoose: "Path `password` is required."
  /^Path `([\w.]{1,80})`/,
  // Flask-RESTful, Parse, Meteor, Laminas and others name a field, a parameter, a key or a column.
  /\b(?:field|parameter|param|property|attribute|argument|key|campo|champ|feld|parametro|parámetro)s?:? ['"`“«„]([A-Za-z_][\w.-]{0,80})['"`”»“]/i,
  /^([a-z_][\w.]{0,80}) (?:must|should|is|has|have|can|cannot|may|does|debe|es|no|tiene)\b/,
];

/** A field's own name and a colon before what is wrong with it. */
const beforeColon = /^([A-Za-z_][\w.[\]-]{0,80})(?: ?: |:$)(.{0,500})/s;

/**
 * Returns the fields that a text names by their own names at the places where validators put them, each with what is
 * said of it.
 */
export function fieldsNamedIn(text: string): FieldMessage[] {
  const specific = withoutGenericStart(text.slice(0, longest));
  const listed = listedIn(specific);
  if (listed.length > 0) return listed;
  const said = linesOf(specific).map((line) => ({ text: line, field: nameIn(line) }));
  const [first] = said;
  if (first?.field === undefined || said.some(({ field }) => field === undefined)) return [];
  // A text about one field is left as it was sent.
  return said.flatMap(({ field, text: line }) =>
    field === undefined ? [] : [{ field, text: said.length === 1 ? text : line }],
  );
}

const longest = 2000;
const mostLines = 20;

/** Joi joins its messages by a full stop, Go's validator by newlines, JSON Schema's validators by commas. */
const linesOf = (text: string): string[] =>
  text
    .split(/\n|\. (?=["'])|, (?=(?:body|data)[./])|; /)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, mostLines);

function nameIn(line: string): string | undefined {
  const name = byValidators.map((pattern) => pattern.exec(line)?.[1]).find((each) => each !== undefined);
  return name === undefined || formFieldNamed(name) === undefined ? undefined : name;
}

/** Reads `email: is taken, password: is too short`, in which only fields of ours and of the server stand before colons. */
function listedIn(text: string): FieldMessage[] {
  const said: FieldMessage[] = [];
  for (const piece of text.split(/\n|; |, |\. (?=[a-z_][\w.]{0,80}: )/).slice(0, mostLines)) {
    const [, name, rest] = beforeColon.exec(piece.trim()) ?? [];
    const last = said.at(-1);
    if (name !== undefined && rest !== undefined && formFieldNamed(name)) said.push({ field: name, text: rest.trim() });
    else if (!last) return [];
    else last.text += `, ${piece.trim()}`;
  }
  return said.filter(({ text: each }) => normalizeFieldName(each) !== '');
}
