import { emailEncoders } from '../../service/mock/email-encoders.ts';
import { EmailEncoding, MockField, type Placeholder, type TextTemplate } from '../../service/mock/mock-definition.ts';
import type { CallContext } from './analyzed-calls.ts';
import { inferSegments } from './value-formats.ts';

const codes = EmailEncoding.options;

/** An id of so many signs is nothing else by chance. */
const sureId = 8;

/** A value of a placeholder, and the pattern that finds it where it counts. */
type Needle = { text: string; place: Placeholder; pattern?: RegExp };

const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);

/** Finds a number only where it stands by itself, and not within another number, a time or a word. */
const wholeNumber = (text: string): RegExp =>
  new RegExp(String.raw`(?<![\w]|\d[.,:/-])${escaped(text)}(?![\w]|[.,:/-]\d)`);

/** Finds a method only between quotes, which are no part of it. */
const quoted = (text: string): RegExp => new RegExp(`(?<=")${escaped(text)}(?=")`);

/** Finds what is short, and may be a word by chance, between quotes only. */
const quotedAnyhow = (text: string): RegExp => new RegExp(`(?<=["'\`“‘«])${escaped(text)}(?=["'\`”’»])`);

function find({ text, pattern }: Needle, within: string, from: number): number {
  if (text === '') return -1;
  if (!pattern) return within.indexOf(text, from);
  // The whole text is looked at, since what stands before a value decides, too.
  const every = new RegExp(pattern.source, 'g');
  every.lastIndex = from;
  return every.exec(within)?.index ?? -1;
}

/** Replaces values by their placeholders: the earliest first, and of those the longest. */
function withPlaceholders(text: string, needles: readonly Needle[]): TextTemplate {
  const parts: TextTemplate = [];
  // Each is looked for again only behind its last occurrence, so that the time grows with the text alone.
  const sought = needles.map((needle) => ({ needle, at: find(needle, text, 0) }));
  let done = 0;
  while (done < text.length) {
    let found: { at: number; needle: Needle } | undefined;
    for (const each of sought) {
      if (each.at >= 0 && each.at < done) each.at = find(each.needle, text, done);
      const { needle, at } = each;
      if (at < 0) continue;
      if (found && (at > found.at || (at === found.at && needle.text.length <= found.needle.text.length))) continue;
      found = { at, needle };
    }
    if (!found) break;
    if (found.at > done) parts.push(text.slice(done, found.at));
    parts.push(found.needle.place);
    done = found.at + found.needle.text.length;
  }
  return done >= text.length ? parts : [...parts, text.slice(done)];
}

/** Finds an id only where it stands by itself, or behind a prefix such as `usr_`. */
const wholeWord = (text: string): RegExp =>
  text.length < sureId
    ? new RegExp(String.raw`(?<![A-Za-z\d-]|\d[.,:/])${escaped(text)}(?![\w-])`)
    : new RegExp(String.raw`(?<![A-Za-z\d])${escaped(text)}(?![A-Za-z\d])`);

/** Whether a text has the id of a person in it, beside something else. */
export const holdsId = (text: string, { person }: CallContext): boolean =>
  (person?.ids ?? []).some(({ text: id }) => text !== id && wholeWord(id).test(text));

const inOtherLetters = (place: 'email' | 'name', text: string): Needle[] => [
  { text: text.toLowerCase(), place: { place, letters: 'small' } },
  { text: text.toUpperCase(), place: { place, letters: 'capitals' } },
];

/** Finds an email also where it is not readable. */
const inCodes = (email: string): Needle[] =>
  codes.flatMap((code) => {
    const text = emailEncoders[code](email);
    return text.length < 6 ? [] : { text, place: { place: 'email', code } };
  });

/** The placeholder of a new factor's secret, in the lengths that a mock file allows. */
export const secretOf = (secret: string): Placeholder => ({
  place: 'factor-secret',
  count: Math.min(256, Math.max(16, secret.length)),
});

function needlesOf(
  { person, token, sent = {}, method, path, waitSeconds, isSuccess, issued = {} }: CallContext,
  leastId: number,
): Needle[] {
  const texts = MockField.options.flatMap((field): Needle[] => {
    const value = sent[field];
    if (typeof value !== 'string') return [];
    const needle: Needle = { text: value, place: { place: 'sent', field } };
    return [value.length >= 6 ? needle : { ...needle, pattern: quotedAnyhow(value) }];
  });
  const [email = '', name = ''] = [person?.email, person?.name];
  const { username = '' } = person ?? {};
  const itsOwn: Needle[] = [
    ...(username.length < 6 || username === email
      ? []
      : [{ text: username, place: { place: 'username' }, pattern: wholeWord(username) } as const]),
    { text: email.length >= 6 ? email : '', place: { place: 'email' } },
    ...(email.length < 6 ? [] : [...inOtherLetters('email', email), ...inCodes(email)]),
    { text: name.length >= 6 ? name : '', place: { place: 'name' } },
    ...(name.length < 6 ? [] : inOtherLetters('name', name)),
    ...(person?.ids ?? []).flatMap(({ text, form }): Needle[] =>
      text.length < leastId ? [] : [{ text, place: { place: 'id', form }, pattern: wholeWord(text) }],
    ),
  ];
  const wait = String(waitSeconds ?? '');
  return [
    { text: token ?? '', place: { place: 'token' } },
    { text: issued.factorSecret ?? '', place: secretOf(issued.factorSecret ?? '') },
    ...(isSuccess ? [...itsOwn, ...texts] : [...texts, ...itsOwn]),
    { text: path.length > 4 ? path : '', place: { place: 'path' } },
    { text: wait, place: { place: 'wait' }, pattern: wholeNumber(wait) },
    { text: method, place: { place: 'method' }, pattern: quoted(method) },
  ];
}

/**
 * Finds the placeholders in a text of an answer. A method counts between quotes, and where a text repeats a whole request.
 * @param leastId shorter ids are not looked for
 */
export function createTextTemplate(text: string, known: CallContext, leastId = sureId): TextTemplate {
  const { method, path } = known;
  const needles = needlesOf(known, leastId);
  const isRepeated = text.includes(path) && (text.startsWith(`${method} `) || text.includes(` ${method} `));
  if (!isRepeated) return withPlaceholders(text, needles);
  const at = text.startsWith(`${method} `) ? 0 : text.indexOf(` ${method} `) + 1;
  return [
    ...withPlaceholders(text.slice(0, at), needles),
    { place: 'method' },
    ...withPlaceholders(text.slice(at + method.length), needles),
  ];
}

/** Returns what the templates have in common; what differs in a form that can be made again is a placeholder, too. */
function commonOf(templates: readonly TextTemplate[]): TextTemplate | undefined {
  const [first = []] = templates;
  const parts = first.map((part, at): TextTemplate | undefined => {
    const all = templates.map((each) => each[at]);
    if (typeof part !== 'string') {
      return all.every((each) => JSON.stringify(each) === JSON.stringify(part)) ? [part] : undefined;
    }
    const texts = all.flatMap((each) => (typeof each === 'string' ? [each] : []));
    return texts.length === all.length ? withDrawnWords(texts) : undefined;
  });
  if (templates.some(({ length }) => length !== first.length)) return undefined;
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

/** Replaces words that differ from text to text, such as ids of requests: they have digits and one length. */
function withDrawnWords(texts: readonly string[]): TextTemplate | undefined {
  const [text = ''] = texts;
  if (texts.every((each) => each === text)) return [text];
  const cut = texts.map((each) => each.split(/([\w-]{6,})/));
  const parts = (cut[0] ?? []).map((word, at): TextTemplate | undefined => {
    const words = cut.map((each) => each[at] ?? '');
    if (words.every((each) => each === word)) return word === '' ? [] : [word];
    const isDrawn = at % 2 === 1 && words.every((each) => each.length === word.length && /\d/.test(each));
    return isDrawn ? [{ place: 'random', segments: inferSegments(words) }] : undefined;
  });
  if (cut.some(({ length }) => length !== parts.length) || parts.includes(undefined)) return undefined;
  return parts.flatMap((part) => part ?? []);
}

/**
 * Finds the placeholders in texts of answers of one kind. Short ids count where those of several people show them; where the
 * texts agree in nothing, the first one stands.
 */
export function createSharedTextTemplate(texts: readonly string[], knowns: readonly CallContext[]): TextTemplate {
  const people = new Set(knowns.map(({ person }) => person));
  const find = (leastId: number): TextTemplate[] =>
    texts.map((text, at) => {
      const known = knowns[at];
      return known ? createTextTemplate(text, known, leastId) : [text];
    });
  const withIds = people.size > 1 ? commonOf(find(1)) : undefined;
  const sure = find(sureId);
  return withIds ?? commonOf(sure) ?? sure[0] ?? [];
}
