import { decodeCharacterReferences } from './character-references.ts';

/**
 * Shorter ones are only recognised as a whole value, also of an address: within a text they would be found in ordinary words.
 */
export const shortestWithinText = 6;

/** Of a longer secret the beginning is looked for. In characters. */
const longestLookedFor = 4096;

/** Where something stands in a text: `to` is the place after its last character. */
export type TextRange = { from: number; to: number };

type Occurrence<T> = TextRange & { of: T };

/** `<id>|<opaque>` of the interface: a server may show the opaque part alone. */
const pipeToken = /^[0-9A-Za-z-]{1,36}\|([\w.~+/=-]{12,})$/;

/**
 * Returns the spellings in which a secret is looked for, and no other: as it is, in JSON's escapes, percent-encoded, as form
 * data, and as base64 of exactly the value. The sixth, character references, is undone in the text.
 */
export function spellingsOf(secret: string): Set<string> {
  const opaque = pipeToken.exec(secret)?.[1];
  const spellings = new Set([secret, secret.toWellFormed(), ...(opaque === undefined ? [] : [opaque])]);
  for (const each of Array.from(spellings)) {
    for (const spelling of [...inJson(each), ...inPercent(each), inForm(each), ...inBase64(each)])
      spellings.add(spelling.slice(0, longestLookedFor));
  }
  spellings.delete('');
  return new Set(Array.from(spellings, (each) => each.slice(0, longestLookedFor)));
}

/** JSON may write a slash (PHP) and what is not ASCII (PHP, Python) with a backslash. */
function inJson(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const slashed = plain.replaceAll('/', '\\/');
  const asAscii = (each: string, hex: (code: string) => string): string =>
    each.replaceAll(/[\u007f-\uffff]/g, (sign) => `\\u${hex(sign.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  const lower = (code: string): string => code;
  const upper = (code: string): string => code.toUpperCase();
  return [plain, slashed].flatMap((each) => [each, asAscii(each, lower), asAscii(each, upper)]);
}

/** RFC 3986 has more reserved signs than JavaScript encodes. */
function inPercent(text: string): string[] {
  const usual = encodeURIComponent(text.toWellFormed());
  const strict = usual.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const small = (each: string): string => each.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  return [usual, strict, small(usual), small(strict)];
}

const inForm = (text: string): string => new URLSearchParams({ '': text.toWellFormed() }).toString().slice(1);

/** Without the padding, with which it is found as well. */
function inBase64(text: string): string[] {
  const plain = Buffer.from(text).toString('base64').replaceAll('=', '');
  return [plain, plain.replaceAll('+', '-').replaceAll('/', '_')];
}

/** A member of the query of an address within a text, `&` also as JSON and HTML may write it. */
const member = /(?:[?&;]|\\u0026)[\w.~%[\]-]{1,100}=([^\s&#;"'<>\\]{1,100})/dg;

/** What stands in a form or an address, as it is meant. */
export function decodeFormValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

export type KnownSecrets<T> = ReturnType<typeof createKnownSecrets<T>>;

/**
 * Looks for secrets in their six spellings, in one pass over the text, however many there are (Aho and Corasick, 1975), and
 * in another one where it has character references. Nothing is decoded twice, decompressed or normalized.
 */
export function createKnownSecrets<T>() {
  const known = new Map<string, { spellings: Set<string>; of: T }>();
  /** Those that are too short to be found in a text. */
  const short = new Map<string, T>();
  let automaton: Automaton<T> | undefined;

  /** Servers say an address back that they do not know, and a log-in by GET has its password there. */
  const inAddresses = (text: string): Occurrence<T>[] =>
    short.size === 0 || !text.includes('=')
      ? []
      : Array.from(text.matchAll(member)).flatMap(({ indices, 1: value = '' }) => {
          const of = short.get(decodeFormValue(value));
          const [from, to] = indices?.[1] ?? [0, 0];
          return of === undefined ? [] : [{ from, to, of }];
        });

  return {
    add(secret: string, of: T): void {
      known.set(secret, { spellings: spellingsOf(secret), of });
      if (secret.length < shortestWithinText) short.set(secret, of);
      automaton = undefined;
    },
    remove(secret: string): void {
      if (known.delete(secret)) automaton = undefined;
      short.delete(secret);
    },
    clear(): void {
      known.clear();
      short.clear();
      automaton = undefined;
    },
    /**
     * Returns where secrets stand, from left to right; what overlaps is one place.
     * @param isCut whether the text goes on somewhere else: the beginning of a secret at its end is then one
     */
    find(text: string, isCut = false): Occurrence<T>[] {
      if (known.size === 0 || text.length < shortestWithinText) return [];
      automaton ??= new Automaton(known.values());
      const found = [...automaton.find(text, isCut), ...inAddresses(text)];
      const read = text.includes('&') ? decodeCharacterReferences(text, isCut) : undefined;
      if (!read) return short.size === 0 ? found : inOrder(found);
      const others = automaton.find(read.text, isCut).map((each) => read.placeOf(each));
      return inOrder([...found, ...others]);
    },
  };
}

/**
 * An automaton of Aho and Corasick over UTF-16 code units. `modern-ahocorasick` 3.3 matches whole grapheme clusters, so a
 * server that sends a combining mark after a secret would get it stored; it also finds no beginning at the end of a text.
 */
class Automaton<T> {
  // By node: its character, its first child, its next sibling, its depth, and the node of its longest proper ending.
  readonly #code: number[] = [0];
  readonly #child: number[] = [0];
  readonly #sibling: number[] = [0];
  readonly #depth: number[] = [0];
  readonly #fallback: number[] = [0];
  /** What ends at the node, itself or as an ending of it: its length and whose it is. */
  readonly #length: number[] = [0];
  readonly #of: (T | undefined)[] = [undefined];
  /** Whose first characters lead to the node. */
  readonly #below: (T | undefined)[] = [undefined];
  readonly #atRoot = new Int32Array(1 << 16);

  constructor(known: Iterable<{ spellings: Set<string>; of: T }>) {
    for (const { spellings, of } of known)
      for (const spelling of spellings) if (spelling.length >= shortestWithinText) this.#insert(spelling, of);
    this.#link();
  }

  #insert(spelling: string, of: T): void {
    let node = 0;
    for (let at = 0; at < spelling.length; at++) {
      const code = spelling.charCodeAt(at);
      node = this.#next(node, code) || this.#append(node, code, of);
    }
    this.#length[node] = spelling.length;
    this.#of[node] = of;
  }

  #append(parent: number, code: number, of: T): number {
    const node = this.#code.length;
    this.#code.push(code);
    this.#child.push(0);
    this.#sibling.push(this.#child[parent]!);
    this.#depth.push(this.#depth[parent]! + 1);
    this.#fallback.push(0);
    this.#length.push(0);
    this.#of.push(undefined);
    this.#below.push(of);
    this.#child[parent] = node;
    if (parent === 0) this.#atRoot[code] = node;
    return node;
  }

  /** Returns the child for a character, or 0. */
  #next(node: number, code: number): number {
    if (node === 0) return this.#atRoot[code]!;
    let child = this.#child[node]!;
    while (child !== 0 && this.#code[child] !== code) child = this.#sibling[child]!;
    return child;
  }

  /** Follows a character, over shorter and shorter endings of what was read. */
  #follow(from: number, code: number): number {
    let node = from;
    for (;;) {
      const next = this.#next(node, code);
      if (next !== 0 || node === 0) return next;
      node = this.#fallback[node]!;
    }
  }

  #link(): void {
    const waiting = [0];
    for (const parent of waiting) {
      for (let node = this.#child[parent]!; node !== 0; node = this.#sibling[node]!) {
        waiting.push(node);
        const fallback = parent === 0 ? 0 : this.#follow(this.#fallback[parent]!, this.#code[node]!);
        this.#fallback[node] = fallback;
        if (this.#length[node] !== 0) continue;
        this.#length[node] = this.#length[fallback]!;
        this.#of[node] = this.#of[fallback];
      }
    }
  }

  find(text: string, isCut: boolean): Occurrence<T>[] {
    const found: Occurrence<T>[] = [];
    const atRoot = this.#atRoot;
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // Most characters begin no secret.
      node = node === 0 ? atRoot[code]! : this.#follow(node, code);
      if (node === 0) continue;
      const length = this.#length[node]!;
      if (length !== 0) put(found, { from: at + 1 - length, to: at + 1, of: this.#of[node]! });
    }
    const depth = this.#depth[node]!;
    if (isCut && depth > 1) put(found, { from: text.length - depth, to: text.length, of: this.#below[node]! });
    return found;
  }
}

/** Places from left to right, each as long as those that overlap it. */
function inOrder<T>(places: Occurrence<T>[]): Occurrence<T>[] {
  const ordered: Occurrence<T>[] = [];
  for (const place of places.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = ordered.at(-1);
    if (last && place.from < last.to) last.to = Math.max(last.to, place.to);
    else ordered.push({ ...place });
  }
  return ordered;
}

/** Adds a place that ends after all others. One that begins before the last takes its place, one within makes it longer. */
function put<T>(found: Occurrence<T>[], next: Occurrence<T>): void {
  for (let last = found.at(-1); last && last.to > next.from; last = found.at(-1)) {
    if (last.from < next.from) {
      last.to = next.to;
      return;
    }
    found.pop();
  }
  found.push(next);
}
