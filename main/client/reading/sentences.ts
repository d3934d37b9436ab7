import { STATUS_CODES } from 'node:http';
import { normalizeText } from '../../files/normalize-text.ts';
import { normalizeFieldName } from '../secrets/secret-names.ts';
import {
  genericSentences,
  groupsIn,
  isInWordList,
  matchesPatterns,
  wordList,
  phrases,
  type Topic,
} from './vocabulary.ts';

/** Longer texts are pages or traces. No pattern for sentences takes longer than a moment for what is left. */
const readWithin = 500;

/** So many texts of an answer are looked at: what it is about stands in the first ones. */
export const mostTexts = 50;

/** The beginning of a text with single spaces, for patterns that look for words in it. */
export function sentenceOf(text: string): string {
  return text.slice(0, readWithin).replace(/\s+/g, ' ');
}

/** Returns the sentences at the beginning of a text, each in one line. */
export function sentencesIn(text: string): string[] {
  return text
    .slice(0, readWithin)
    .split(/(?<=[.!?])\s|\n|; /)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
}

/** Says whether a text is more than one word, as a code or a flag is not. */
export const isSentence = (text: string): boolean => /\S\s+\S/.test(text);

const plain = (text: string): string => normalizeText(text, 'NFD').replace(/\p{M}/gu, '').toLowerCase();

/** It stands for an address such as `ana@example.test`, so that nothing of it is taken for a word. */
export const anAddress = '@';

/**
 * Returns the words of the beginning of a text, without accents and in lower case; a code such as `EMAIL_EXISTS` or
 * `emailTaken` has its own. What was sent and stands in the text as an address becomes {@link anAddress}.
 */
export function tokenizeText(text: string): string[] {
  return sentenceOf(text)
    .split(' ')
    .flatMap((piece) => (/[^\s@]@[^\s@]/.test(piece) ? [anAddress] : wordsIn(piece)));
}

const wordsIn = (piece: string): string[] =>
  plain(piece.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replaceAll('ß', 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/**
 * Returns the words of a name or a code, however it joins them: `is2FARequired`, `need_tfa`, `mfarequired`. A digit begins
 * a word of its own, with the letters behind it.
 */
export const splitIdentifier = (name: string): string[] =>
  wordsIn(name.replace(/(\p{L})(\d)/gu, '$1 $2').replace(/(\p{Lu}|\d)(\p{Lu}\p{Ll})/gu, '$1 $2')).flatMap((word) => {
    const parts = groupsIn('glued-steps', word).filter((part) => part !== undefined);
    return parts.length > 0 ? parts : [word];
  });

/** Says whether the words of a text are about a topic, in the languages seen so far. */
export function isAbout(topic: Topic, text: string | undefined): boolean {
  if (text === undefined) return false;
  const words = plain(sentenceOf(text))
    .replaceAll('’', "'")
    .replace(/[_.\-[\]"“”«»:;,!¡()]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return phrases(topic).some((pattern) => pattern.test(words));
}

/** Says whether the last part of a path is a login page, to which Laravel, Django, Rails and Spring send strangers. */
export function isLoginPage(location: string): boolean {
  const path = URL.canParse(location, 'http://x.test') ? new URL(location, 'http://x.test').pathname : location;
  return isInWordList('login-pages', normalizeFieldName(path.split('/').findLast((part) => part !== '') ?? ''));
}

/** Every answer of a status is called this, which says less than any code. */
const reasonPhrases: ReadonlySet<string> = new Set(
  Object.values(STATUS_CODES).map((phrase) => normalizeFieldName(phrase ?? '')),
);
const longestGeneric = 160;
let sentences: ReadonlySet<string> | undefined;

/** Says whether a text says only that something is wrong, which the status says too. */
export function isGeneric(text: string): boolean {
  if (text.length > longestGeneric) return false;
  const folded = normalizeFieldName(text);
  sentences ??= new Set(genericSentences().map(normalizeFieldName));
  return (
    folded === '' ||
    reasonPhrases.has(folded) ||
    sentences.has(folded) ||
    sentences.has(folded.replace(/(?:error|exception)$/, '')) ||
    matchesPatterns('generic', text.trim())
  );
}

/** Says whether a text is the name of a status, such as `Bad Request`. */
export const isReasonPhrase = (text: string): boolean =>
  text.length <= longestGeneric && reasonPhrases.has(normalizeFieldName(text));

const mostStarts = 3;

/** Returns a text without the generic words and the colon before what it says: `Validation failed: Email …`. */
export function withoutGenericStart(text: string): string {
  let rest = text.trim();
  for (let cut = 0; cut < mostStarts; cut += 1) {
    const colon = rest.slice(0, longestGeneric).search(/:\s/);
    if (colon <= 0 || !isGeneric(rest.slice(0, colon))) return rest;
    rest = rest.slice(colon + 1).trim();
  }
  return rest;
}

/** Returns a text with characters in the place of the entities of HTML; of the named ones, those that frameworks write. */
export const withoutEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));?/gi, (entity, decimal, hex, name) => {
    if (typeof name === 'string') return entities().get(name) ?? entity;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : entity;
  });

let namedEntities: ReadonlyMap<string, string> | undefined;

const entities = (): ReadonlyMap<string, string> =>
  (namedEntities ??= new Map(wordList('entities').map((each) => [each.slice(0, -1), each.slice(-1)])));
