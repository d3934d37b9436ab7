import { createTrie, folded } from './text-trie.ts';

/** Where a wanted text stands in another one. */
export type Occurrence<T> = { from: number; to: number; of: T };

/** A text ends with the beginning of a wanted text, which has `depth` characters. */
type Beginning<T> = { depth: number; of: T } | undefined;

/** What a search found. */
type Search<T> = { found: Occurrence<T>[]; beginning: () => Beginning<T> };

/** Of a longer wanted text, its beginning is looked for, and the rest is compared where that stands. */
const longestKey = 512;

/**
 * So many characters at the end of a wanted text need no nodes, as soon as no other text begins like it: they are
 * compared where the beginning stands. Tokens come with every login, and a node of each of their characters was most of
 * what an hour of logins left in memory.
 */
const longestTail = 64;

/**
 * So many characters of removed texts may still take room: some 650 tokens in two forms each. All that may be watched
 * is a few times as much, so that building it anew now and then costs less for each text than adding it.
 */
const mostRemoved = 64_000;

/**
 * Many texts to be looked for at once, in one walk over the text that is searched, however many and however alike they
 * are (Aho and Corasick). The links that a mismatch follows are found when they are first needed, so that adding a text
 * costs its own length. A space and a `+` are the same. Wanted texts that are shorter than `shortest` are not taken in.
 * @param newTrie makes the trie, which is made anew when much of it is of texts that are gone
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one trie, whose functions are short and share its arrays.
export function createTextIndex<T>(shortest: number, newTrie = createTrie) {
  const texts = new Map<string, T>();
  let trie = newTrie(shortest);
  /** By node, the wanted text that ends there, or is too long to go on in the trie. */
  let ends: (string | undefined)[] = [];
  /** By node, the wanted text that alone goes on from there. */
  let tails: (string | undefined)[] = [];
  let removed = 0;
  /** Whether the trie is to be built anew before it is used: many texts may go in the meantime. */
  let isStale = false;

  /** Gives the text that alone goes on from a node one more node. */
  function lengthen(node: number): void {
    const wanted = tails[node];
    if (wanted === undefined) return;
    tails[node] = undefined;
    rest(wanted, trie.grow(node, wanted));
  }

  /** Ends the way of a text at a node, if it can end there. */
  function rest(wanted: string, node: number): boolean {
    const depth = trie.depth(node);
    if (depth === Math.min(wanted.length, longestKey)) {
      const there = ends[node];
      // Of several that begin alike, the longest is compared: it covers most.
      if (there === undefined || there.length < wanted.length) ends[node] = wanted;
      return true;
    }
    const isTail = depth >= shortest && wanted.length <= longestKey && wanted.length - depth <= longestTail;
    if (!isTail || !trie.isLeaf(node)) return false;
    tails[node] = wanted;
    return true;
  }

  function put(wanted: string): void {
    trie.mark(wanted);
    let node = 0;
    do {
      node = trie.childOf(node, wanted) || trie.grow(node, wanted);
      lengthen(node);
    } while (!rest(wanted, node));
  }

  /** Takes a text out of its node. */
  function takeOut(wanted: string): void {
    trie.changed();
    let node = 0;
    do {
      node = trie.childOf(node, wanted);
      if (tails[node] === wanted) tails[node] = undefined;
      if (ends[node] === wanted) ends[node] = undefined;
    } while (node !== 0 && trie.depth(node) < wanted.length);
  }

  /** Whether another text differs in spaces alone. */
  function hasTwin(wanted: string): boolean {
    if (!/[ +]/.test(wanted)) return false;
    for (const each of texts.keys()) {
      if (each.length === wanted.length && spaced(each) === spaced(wanted)) return true;
    }
    return false;
  }

  function rebuild(): void {
    trie = newTrie(shortest);
    ends = [];
    tails = [];
    removed = 0;
    isStale = false;
    for (const wanted of texts.keys()) put(wanted);
  }

  function find(text: Uint16Array | Uint8Array, length: number): Search<T> {
    let found: Occurrence<T>[] = [];
    if (texts.size === 0) return { found, beginning: () => undefined };
    if (isStale) rebuild();
    let node = 0;
    let covered = 0;
    let hasTail = false;
    /** The beginning of a wanted text that the text ends with. */
    let cut: Beginning<T>;
    /** Answers how far a wanted text goes on from a place. */
    const equalUntil = (wanted: string, from: number, at: number): number => {
      const most = Math.min(length, from + wanted.length);
      let to = at;
      while (to < most && folded(text[to]!) === folded(wanted.charCodeAt(to - from))) to++;
      return to;
    };
    for (let at = 0; at < length; at++) {
      if (node === 0) {
        at = text instanceof Uint16Array ? trie.nextStart(text, at, length) : trie.nextStartInBytes(text, at, length);
        if (at >= length) break;
      }
      node = trie.step(node, folded(text[at]!));
      if (node === 0) continue;
      for (let tail = trie.nearestTail(node, tails); tail !== 0; tail = trie.nearestTail(trie.linkOf(tail), tails)) {
        const wanted = tails[tail]!;
        const from = at + 1 - trie.depth(tail);
        const to = equalUntil(wanted, from, at + 1);
        hasTail ||= to - from === wanted.length;
        if (to - from === wanted.length) found.push({ from, to, of: texts.get(wanted)! });
        else if (to === length && to - from > (cut?.depth ?? 0)) cut = { depth: to - from, of: texts.get(wanted)! };
      }
      // The longest that ends here covers the others.
      const end = trie.nearestEnd(node, ends);
      const wanted = end === 0 ? undefined : ends[end];
      if (wanted === undefined) continue;
      const from = at + 1 - trie.depth(end);
      const to = wanted.length > longestKey && at + 1 > covered ? equalUntil(wanted, from, at + 1) : at + 1;
      covered = Math.max(covered, to);
      found.push({ from, to, of: texts.get(wanted)! });
    }
    if (hasTail) found = longestOf(found);
    const beginning = (): Beginning<T> => {
      const begun = beginningAt(node);
      return cut && cut.depth > (begun?.depth ?? 0) ? cut : begun;
    };
    return { found, beginning };
  }

  /** The longest beginning of a wanted text that stands at the end of what was read until a node. */
  function beginningAt(last: number): Beginning<T> {
    for (let node = last; node !== 0; node = trie.linkOf(node)) {
      const depth = trie.depth(node);
      const added = trie.ofNode(node);
      const beginning = spaced(added.slice(0, depth));
      const wanted = texts.has(added)
        ? added
        : [...texts.keys()].find((each) => spaced(each.slice(0, depth)) === beginning);
      if (wanted !== undefined) return { depth, of: texts.get(wanted)! };
    }
    return undefined;
  }

  return {
    add(wanted: string, of: T): void {
      if (wanted.length < shortest) return;
      const isNew = !texts.has(wanted);
      texts.set(wanted, of);
      if (isNew && !isStale) put(wanted);
    },

    remove(wanted: string): void {
      if (!texts.delete(wanted)) return;
      if (isStale) return;
      removed += wanted.length;
      // What is gone may have hidden another one that begins alike, and it still takes room.
      isStale = wanted.length > longestKey || removed > mostRemoved || hasTwin(wanted);
      if (!isStale) takeOut(wanted);
    },

    clear(): void {
      texts.clear();
      rebuild();
    },

    isEmpty: (): boolean => texts.size === 0,

    /** Whether bytes may hold a wanted text as a whole. */
    mayHold(bytes: Uint8Array, length: number): boolean {
      if (isStale) rebuild();
      return trie.nextStartInBytes(bytes, 0, length) <= length - shortest;
    },

    /** The places where wanted texts stand in bytes or in codes of characters; of those that end at one, the longest. */
    find,
  };
}

const spaced = (text: string): string => text.replaceAll('+', ' ');

/** Of those that end at the same place, the one that begins first. */
function longestOf<T>(found: Occurrence<T>[]): Occurrence<T>[] {
  const byEnd = new Map<number, Occurrence<T>>();
  for (const each of found) {
    const there = byEnd.get(each.to);
    if (!there || each.from < there.from) byEnd.set(each.to, each);
  }
  return [...byEnd.values()];
}
