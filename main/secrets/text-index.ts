/** Where a wanted text stands in another one. */
export type Occurrence<T> = { from: number; to: number; of: T };

/** What a search found. */
type Search<T> = {
  found: Occurrence<T>[];
  /** The text ends with the beginning of a wanted text, which has `depth` characters. */
  beginning?: { depth: number; of: T } | undefined;
};

/** Of a longer wanted text, its beginning is looked for, and the rest is compared where that stands. */
const longestKey = 512;

/** So many characters of removed texts may still take room. */
const mostRemoved = 500_000;

const plus = 43;
const space = 32;

/** Forms write a space as `+`. */
const folded = (code: number): number => (code === plus ? space : code);

/**
 * Many texts to be looked for at once, in one walk over the text that is searched, however many and however alike they
 * are (Aho and Corasick). The links that a mismatch follows are found when they are first needed, so that adding a text
 * costs its own length. A space and a `+` are the same. Wanted texts that are shorter than `shortest` are not taken in.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one trie, whose functions are short and share its arrays.
export function createTextIndex<T>(shortest: number) {
  const texts = new Map<string, T>();
  let trie = createTrie(shortest);
  /** By node, the wanted text that ends there. */
  let ends: (string | undefined)[] = [];
  let removed = 0;

  function put(wanted: string): void {
    const key = wanted.slice(0, longestKey);
    const node = trie.add(key, wanted);
    const there = ends[node];
    // Of several that begin alike, the longest is compared: it covers most.
    if (there === undefined || there.length < wanted.length) ends[node] = wanted;
  }

  function rebuild(): void {
    trie = createTrie(shortest);
    ends = [];
    removed = 0;
    for (const wanted of texts.keys()) put(wanted);
  }

  function find(text: Uint16Array | Uint8Array, length: number): Search<T> {
    const found: Occurrence<T>[] = [];
    if (texts.size === 0) return { found };
    let node = 0;
    let covered = 0;
    for (let at = 0; at < length; at++) {
      if (node === 0) {
        at = text instanceof Uint16Array ? trie.nextStart(text, at, length) : trie.nextStartInBytes(text, at, length);
        if (at >= length) break;
      }
      node = trie.step(node, folded(text[at]!));
      if (node === 0) continue;
      // The longest that ends here covers the others.
      const end = trie.nearest(node, ends);
      const wanted = end === 0 ? undefined : ends[end];
      if (wanted === undefined) continue;
      const from = at + 1 - trie.depth(end);
      let to = at + 1;
      if (wanted.length > longestKey && to > covered) {
        while (to < length && to - from < wanted.length && folded(text[to]!) === folded(wanted.charCodeAt(to - from)))
          to++;
      }
      covered = Math.max(covered, to);
      found.push({ from, to, of: texts.get(wanted)! });
    }
    return { found, beginning: beginningAt(node) };
  }

  function beginningAt(node: number): Search<T>['beginning'] {
    if (node === 0) return undefined;
    const depth = trie.depth(node);
    const added = trie.ofNode(node);
    const beginning = added.slice(0, depth);
    const wanted = texts.has(added) ? added : [...texts.keys()].find((each) => each.startsWith(beginning));
    return wanted === undefined ? undefined : { depth, of: texts.get(wanted)! };
  }

  return {
    add(wanted: string, of: T): void {
      if (wanted.length < shortest) return;
      texts.set(wanted, of);
      put(wanted);
    },

    remove(wanted: string): void {
      if (!texts.delete(wanted)) return;
      removed += wanted.length;
      ends[trie.add(wanted.slice(0, longestKey), wanted)] = undefined;
      // What is gone may have hidden another one that begins alike, and it still takes room.
      if (wanted.length > longestKey || removed > mostRemoved) rebuild();
    },

    clear(): void {
      texts.clear();
      rebuild();
    },

    isEmpty: (): boolean => texts.size === 0,

    /** Whether bytes may hold a wanted text as a whole. */
    mayHold: (bytes: Uint8Array, length: number): boolean =>
      trie.nextStartInBytes(bytes, 0, length) <= length - shortest,

    /** The places where wanted texts stand in bytes or in codes of characters; of those that end at one, the longest. */
    find,
  };
}

/** A trie with the links of Aho and Corasick. Node 0 is its root. */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one trie, whose functions are short and share its arrays.
function createTrie(shortest: number) {
  const parents = [0];
  const codes = [0];
  const depths = [0];
  /** A wanted text that goes through a node. */
  const through = [''];
  /** Where a mismatch leads, and for which version of the trie that was found. */
  const links = [0];
  const linkVersions = [0];
  /** The node of the longest wanted text that ends at a node. */
  const nearests = [0];
  const nearestVersions = [0];
  let version = 1;
  /** Children by their parent and their character, with open addressing; 0 is a free place. */
  let table = new Int32Array(64);
  const fromRoot = new Int32Array(256);
  /**
   * By pair of characters, how far it stands at least from the end of the first `shortest` characters of any text: most
   * places need no look, and most pairs let several places be left out (Wu and Manber).
   */
  const farthest = shortest - 1;
  const shifts = new Uint8Array(1 << 16).fill(farthest);

  function slotOf(parent: number, code: number): number {
    const mask = table.length - 1;
    let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b);
    hash ^= hash >>> 15;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const child = table[slot]!;
      if (child === 0 || (parents[child] === parent && codes[child] === code)) return slot;
    }
  }

  const childOf = (parent: number, code: number): number =>
    parent === 0 && code < 256 ? fromRoot[code]! : table[slotOf(parent, code)]!;

  function newChild(parent: number, code: number, wanted: string): number {
    const child = parents.length;
    parents.push(parent);
    codes.push(code);
    depths.push(depths[parent]! + 1);
    through.push(wanted);
    links.push(0);
    linkVersions.push(0);
    nearests.push(0);
    nearestVersions.push(0);
    if (2 * parents.length > table.length) {
      table = new Int32Array(2 * table.length);
      for (let node = 1; node < child; node++) table[slotOf(parents[node]!, codes[node]!)] = node;
    }
    table[slotOf(parent, code)] = child;
    if (parent === 0 && code < 256) fromRoot[code] = child;
    return child;
  }

  /** The node of the longest other end of a node's text that the trie has. */
  function linkOf(node: number): number {
    if (linkVersions[node] === version) return links[node]!;
    // From the nearest node whose link is known, down again.
    const waiting: number[] = [];
    let known = node;
    while (known !== 0 && linkVersions[known] !== version) {
      waiting.push(known);
      known = parents[known]!;
    }
    for (const each of waiting.toReversed()) {
      const parent = parents[each]!;
      let link = 0;
      if (parent !== 0) {
        let above = links[parent]!;
        while (above !== 0 && childOf(above, codes[each]!) === 0) above = links[above]!;
        link = childOf(above, codes[each]!);
      }
      links[each] = link;
      linkVersions[each] = version;
    }
    return links[node]!;
  }

  return {
    /** Adds the beginning of a wanted text, and answers its last node. */
    add(text: string, wanted: string): number {
      version += 1;
      for (let at = 0; at < farthest; at++) {
        const pair = pairOf(folded(text.charCodeAt(at)), folded(text.charCodeAt(at + 1)));
        shifts[pair] = Math.min(shifts[pair]!, farthest - 1 - at);
      }
      let node = 0;
      for (let at = 0; at < text.length; at++) {
        const code = folded(text.charCodeAt(at));
        node = childOf(node, code) || newChild(node, code, wanted);
      }
      return node;
    },

    /** The node after one more character. */
    step(node: number, code: number): number {
      let from = node;
      for (;;) {
        const next = childOf(from, code);
        if (next !== 0 || from === 0) return next;
        from = linkOf(from);
      }
    },

    /** The next place, from one on, at which a text may begin: near the end, any may. */
    nextStart(codes: Uint16Array, from: number, length: number): number {
      const last = length - shortest;
      let at = from;
      while (at <= last) {
        const end = at + farthest;
        const shift = shifts[pairOf(folded(codes[end - 1]!), folded(codes[end]!))]!;
        if (shift === 0) return at;
        at += shift;
      }
      return at;
    },

    /** The same for bytes: a function that takes both is slow. */
    nextStartInBytes(bytes: Uint8Array, from: number, length: number): number {
      const last = length - shortest;
      let at = from;
      while (at <= last) {
        const end = at + farthest;
        const shift = shifts[pairOf(folded(bytes[end - 1]!), folded(bytes[end]!))]!;
        if (shift === 0) return at;
        at += shift;
      }
      return at;
    },

    depth: (node: number): number => depths[node]!,
    ofNode: (node: number): string => through[node]!,

    /** The node itself or the nearest one that its links lead to at which a text ends; 0 if there is none. */
    nearest(node: number, ends: readonly unknown[]): number {
      const passed: number[] = [];
      let at = node;
      while (at !== 0 && ends[at] === undefined) {
        if (nearestVersions[at] === version) {
          at = nearests[at]!;
          break;
        }
        passed.push(at);
        at = linkOf(at);
      }
      for (const each of passed) {
        nearests[each] = at;
        nearestVersions[each] = version;
      }
      return at;
    },
  };
}

const pairOf = (first: number, second: number): number => ((first << 8) ^ second) & 0xffff;
