const plus = 43;
const space = 32;

/** Forms write a space as `+`. */
export const folded = (code: number): number => (code === plus ? space : code);

/** A trie with the links of Aho and Corasick. Node 0 is its root. */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one trie, whose functions are short and share its arrays.
export function createTrie(shortest: number) {
  const parents = [0];
  const codes = [0];
  const depths = [0];
  /** A wanted text that goes through a node. */
  const through = [''];
  /** Where a mismatch leads, and for which version of the trie that was found. */
  const links = [0];
  const linkVersions = [0];
  /** Nodes that are nobody's parent. */
  const leaves = [false];
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

  const childAt = (parent: number, code: number): number =>
    parent === 0 && code < 256 ? fromRoot[code]! : table[slotOf(parent, code)]!;

  function newChild(parent: number, code: number, wanted: string): number {
    const child = parents.length;
    parents.push(parent);
    codes.push(code);
    depths.push(depths[parent]! + 1);
    through.push(wanted);
    links.push(0);
    linkVersions.push(0);
    leaves.push(true);
    leaves[parent] = false;
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
        while (above !== 0 && childAt(above, codes[each]!) === 0) above = links[above]!;
        link = childAt(above, codes[each]!);
      }
      links[each] = link;
      linkVersions[each] = version;
    }
    return links[node]!;
  }

  return {
    /** Lets a text begin at any place where its first characters stand. */
    mark(text: string): void {
      version += 1;
      for (let at = 0; at < farthest; at++) {
        const pair = pairOf(folded(text.charCodeAt(at)), folded(text.charCodeAt(at + 1)));
        shifts[pair] = Math.min(shifts[pair]!, farthest - 1 - at);
      }
    },

    /** What was found out about nodes holds no more. */
    changed: (): void => void (version += 1),

    /** The next node of a text that goes through one; 0 if there is none. */
    childOf: (node: number, text: string): number => childAt(node, folded(text.charCodeAt(depths[node]!))),
    /** Adds it. */
    grow: (node: number, text: string): number => newChild(node, folded(text.charCodeAt(depths[node]!)), text),
    isLeaf: (node: number): boolean => leaves[node]!,
    linkOf,

    /** The node after one more character. */
    step(node: number, code: number): number {
      let from = node;
      for (;;) {
        const next = childAt(from, code);
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
      return from > last ? from : last + 1;
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
      return from > last ? from : last + 1;
    },

    depth: (node: number): number => depths[node]!,
    ofNode: (node: number): string => through[node]!,

    /** The node itself or the nearest one that its links lead to at which a text ends; 0 if there is none. */
    nearestEnd: createNearest(),
    /** The same for a text that alone goes on from there. */
    nearestTail: createNearest(),
  };

  function createNearest() {
    const nearests: number[] = [];
    const versions: number[] = [];
    return function nearest(node: number, wanted: readonly unknown[]): number {
      const passed: number[] = [];
      let at = node;
      while (versions.length < parents.length) {
        nearests.push(0);
        versions.push(0);
      }
      while (at !== 0 && wanted[at] === undefined) {
        if (versions[at] === version) {
          at = nearests[at]!;
          break;
        }
        passed.push(at);
        at = linkOf(at);
      }
      for (const each of passed) {
        nearests[each] = at;
        versions[each] = version;
      }
      return at;
    };
  }
}

const pairOf = (first: number, second: number): number => ((first << 8) ^ second) & 0xffff;
