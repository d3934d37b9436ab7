import { normalizeText } from '../../normalize-text.ts';
import { sentenceOf } from './sentences.ts';

/** A term found among the words of a text: where it begins, and how many words it has. */
export type FoundTerm<T> = { at: number; length: number; means: T };

type Term<T> = { words: readonly string[]; means: T };

/** So many letters of a term's first word choose the terms that are compared with a word. */
const indexedLetters = 3;
const key = (word: string): string => word.slice(0, indexedLetters);

/** Finds the terms of a dictionary in words, the longest first, none within another. Its time grows with the words. */
export type FindTerms<T> = (words: readonly string[]) => FoundTerm<T>[];

/**
 * Makes a dictionary. Each meaning has its terms as lines or between commas, in words as {@link wordsOf} makes them;
 * a `*` at the end of a word stands for any ending.
 */
export function dictionary<T extends string>(terms: readonly (readonly [means: T, terms: string])[]): FindTerms<T> {
  const index = new Map<string, Term<T>[]>();
  for (const [means, written] of terms) {
    for (const term of written.split(/[,\n]/)) {
      const words = term.trim().split(/\s+/);
      const [first = ''] = words;
      if (first === '') continue;
      const at = key(first.replace('*', ''));
      index.set(at, [...(index.get(at) ?? []), { words, means }]);
    }
  }
  for (const list of index.values()) list.sort((one, other) => other.words.length - one.words.length);
  return (words) => {
    const found: FoundTerm<T>[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const term = index.get(key(words[at] ?? ''))?.find((each) => stands(each.words, words, at));
      if (!term) continue;
      found.push({ at, length: term.words.length, means: term.means });
      at += term.words.length - 1;
    }
    return found;
  };
}

function stands(term: readonly string[], words: readonly string[], at: number): boolean {
  return term.every((part, index) => {
    const word = words[at + index] ?? '';
    return part.endsWith('*') ? word.startsWith(part.slice(0, -1)) : word === part;
  });
}

/** It stands for an address such as `ana@example.test`, so that nothing of it is taken for a word. */
export const anAddress = '@';

/**
 * Returns the words of the beginning of a text, without accents and in lower case; a code such as `EMAIL_EXISTS` or
 * `emailTaken` has its own. What was sent and stands in the text as an address becomes {@link anAddress}.
 */
export function wordsOf(text: string): string[] {
  return sentenceOf(text)
    .split(' ')
    .flatMap((piece) => (/[^\s@]@[^\s@]/.test(piece) ? [anAddress] : plainWords(piece)));
}

function plainWords(piece: string): string[] {
  return normalizeText(piece.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'), 'NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
