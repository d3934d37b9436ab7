import data from './vocabulary.json' with { type: 'json' };

/** Words or terms, where they are of one language by its code. */
type Written = string | readonly string[] | { readonly [group: string]: Written };

const linesOf = (written: Written): readonly string[] =>
  typeof written === 'string' ? [written] : Object.values(written).flatMap(linesOf);

/** Makes what is made of a table when it is first asked for, and keeps it. */
export function memoizeByKey<Table extends string, Made extends object>(
  make: (table: Table) => Made,
): (table: Table) => Made {
  const made = new Map<Table, Made>();
  return (table) => {
    const known = made.get(table) ?? make(table);
    made.set(table, known);
    return known;
  };
}

export type WordList = keyof typeof data.names;
type Patterns = keyof typeof data.patterns;

/** Returns the words of a table in their order. */
export const wordList = memoizeByKey((table: WordList): readonly string[] =>
  linesOf(data.names[table]).flatMap((line) => line.split(' ')),
);

const sets = memoizeByKey((table: WordList): ReadonlySet<string> => new Set(wordList(table)));

/** Says whether a word is in a table. */
export const isInWordList = (table: WordList, word: string): boolean => sets(table).has(word);

/** Returns the patterns of a table, to which capitals are small letters. */
export const patterns = memoizeByKey((table: Patterns): readonly RegExp[] =>
  linesOf(data.patterns[table]).map((source) => new RegExp(source, 'i')),
);

/** Says whether a text is like one of the patterns of a table. */
export const matchesPatterns = (table: Patterns, text: string): boolean =>
  patterns(table).some((pattern) => pattern.test(text));

/** Returns the groups of the first pattern of a table that a text is like; none where it is like none. */
export function groupsIn(table: Patterns, text: string): readonly (string | undefined)[] {
  for (const pattern of patterns(table)) {
    const found = pattern.exec(text);
    if (found) return found.slice(1);
  }
  return [];
}

/** What a sentence of a server may be about, whatever field it names. */
export type Topic = keyof typeof data.phrases;

/** Returns the patterns for what is said of a topic: in small letters, without accents, with `_`, `-` and `.` as blanks. */
export const phrases = memoizeByKey((topic: Topic): readonly RegExp[] =>
  data.phrases[topic].map((source) => new RegExp(source)),
);

/** Returns what frameworks and their tutorials say of any form that was refused. */
export const genericSentences = (): readonly string[] => linesOf(data.generic);

/** A term found among the words of a text: where it begins, and how many words it has. */
export type FoundTerm<T> = { at: number; length: number; means: T };

type Term<T> = { words: readonly string[]; means: T };

/**
 * What a sentence is about. `user` is the owner of an account, who at a registration is known by the email. `username` may
 * be the name or the email, and so is never decided. `unsent` is a field that the interface does not have, and `aside`
 * only holds the word of one that it has.
 */
export type SentenceSubject = keyof typeof data.subjects;

/**
 * What is wrong, so that a sentence is about its field and does not only speak of it. Of `program`, the server's program
 * failed over a field, and nobody refused what is in it.
 */
export type Complaint = keyof typeof data.complaints;

/** What a name or a code says of a second step of a login: that there is one, that it is asked for, or what else. */
type StepTerm = keyof typeof data.steps;

export const findSteps = finderIn<StepTerm>(data.steps);
export const findSubjects = finderIn<SentenceSubject>(data.subjects);
export const findComplaints = finderIn<Complaint>(data.complaints);

/** So many letters of a term's first word choose the terms that are compared with a word. */
const indexedLetters = 3;
const key = (word: string): string => word.slice(0, indexedLetters);

/**
 * Finds the terms of a dictionary in words, the longest first, none within another. Its time grows with the words. Terms are
 * words as `wordsOf` makes them; a `*` at the end of a word stands for any ending.
 */
function finderIn<T extends string>(dictionary: Record<T, Written>): (words: readonly string[]) => FoundTerm<T>[] {
  let index: ReadonlyMap<string, readonly Term<T>[]> | undefined;
  return (words) => {
    index ??= indexOf(dictionary);
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

function indexOf<T extends string>(dictionary: Record<T, Written>): Map<string, Term<T>[]> {
  const index = new Map<string, Term<T>[]>();
  for (const means in dictionary) {
    for (const term of linesOf(dictionary[means]).flatMap((line) => line.split(', '))) {
      const words = term.split(' ');
      const at = key((words[0] ?? '').replace('*', ''));
      index.set(at, [...(index.get(at) ?? []), { words, means }]);
    }
  }
  for (const terms of index.values()) terms.sort((one, other) => other.words.length - one.words.length);
  return index;
}

function stands(term: readonly string[], words: readonly string[], at: number): boolean {
  return term.every((part, index) => {
    const word = words[at + index] ?? '';
    return part.endsWith('*') ? word.startsWith(part.slice(0, -1)) : word === part;
  });
}
