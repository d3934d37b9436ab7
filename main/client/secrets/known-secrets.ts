import { decodeCharacterReferences } from './character-references.ts';

/** Shorter secrets are found only as a whole value, also in a URL: within a text they would match ordinary words. */
export const shortestWithinText = 6;

/** In characters. Of a longer secret, its beginning is searched for. */
const maxSearched = 4096;

/** `to` is the index after the last character. */
export type TextRange = { from: number; to: number };

type Match<T> = TextRange & { of: T };

/** `<id>|<opaque>` of the interface: a server may show the opaque part alone. */
const pipeToken = /^[0-9A-Za-z-]{1,36}\|([\w.~+/=-]{12,})$/;

/**
 * The encodings in which a secret is searched for: as it is, with JSON escapes, percent-encoded, as form data, and as base64
 * of exactly the value. The sixth, HTML character references, is decoded in the text.
 */
export function spellingsOf(secret: string): Set<string> {
  const opaque = pipeToken.exec(secret)?.[1];
  const spellings = new Set([secret, secret.toWellFormed(), ...(opaque === undefined ? [] : [opaque])]);
  for (const each of Array.from(spellings)) {
    for (const spelling of [...inJson(each), ...inPercent(each), inForm(each), ...inBase64(each)])
      spellings.add(spelling.slice(0, maxSearched));
  }
  spellings.delete('');
  return new Set(Array.from(spellings, (each) => each.slice(0, maxSearched)));
}

/** JSON may escape a slash (PHP) and what is not ASCII (PHP, Python). */
function inJson(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const slashed = plain.replaceAll('/', '\\/');
  const asAscii = (each: string, hex: (code: string) => string): string =>
    each.replaceAll(/[\u007f-\uffff]/g, (sign) => `\\u${hex(sign.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  const lower = (code: string): string => code;
  const upper = (code: string): string => code.toUpperCase();
  return [plain, slashed].flatMap((each) => [each, asAscii(each, lower), asAscii(each, upper)]);
}

/** RFC 3986 reserves more characters than JavaScript encodes. */
function inPercent(text: string): string[] {
  const usual = encodeURIComponent(text.toWellFormed());
  const strict = usual.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const small = (each: string): string => each.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  return [usual, strict, small(usual), small(strict)];
}

const inForm = (text: string): string => new URLSearchParams({ '': text.toWellFormed() }).toString().slice(1);

/** Without padding, so that both forms match. */
function inBase64(text: string): string[] {
  const plain = Buffer.from(text).toString('base64').replaceAll('=', '');
  return [plain, plain.replaceAll('+', '-').replaceAll('/', '_')];
}

/** A query parameter of a URL within a text; `&` may be escaped as in JSON and HTML. */
const parameter = /(?:[?&;]|\\u0026)[\w.~%[\]-]{1,100}=([^\s&#;"'<>\\]{1,100})/dg;

/** Decodes a value of a form or a URL; as it is if its encoding is invalid. */
export function decodeFormValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

export type KnownSecrets<T> = ReturnType<typeof createKnownSecrets<T>>;

/**
 * Finds secrets in six encodings, in one pass over the text however many there are (Aho and Corasick, 1975), and a second
 * one if it has character references. Nothing is decoded twice, decompressed or normalized.
 */
export function createKnownSecrets<T>() {
  const known = new Map<string, { spellings: Set<string>; of: T }>();
  /** Those that are too short to be found within a text. */
  const short = new Map<string, T>();
  let automaton: Automaton<T> | undefined;

  /** Servers echo a URL that they do not know, and a login by GET has its password there. */
  const inUrls = (text: string): Match<T>[] =>
    short.size === 0 || !text.includes('=')
      ? []
      : Array.from(text.matchAll(parameter)).flatMap(({ indices, 1: value = '' }) => {
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
     * The ranges of secrets in order, overlapping ones merged.
     * @param isCut whether the text was cut off: the beginning of a secret at its end then counts
     */
    find(text: string, isCut = false): Match<T>[] {
      if (known.size === 0 || text.length < shortestWithinText) return [];
      automaton ??= new Automaton(known.values());
      const found = [...automaton.find(text, isCut), ...inUrls(text)];
      const read = text.includes('&') ? decodeCharacterReferences(text, isCut) : undefined;
      if (!read) return short.size === 0 ? found : merge(found);
      const others = automaton.find(read.text, isCut).map((each) => read.placeOf(each));
      return merge([...found, ...others]);
    },
  };
}

/**
 * An automaton of Aho and Corasick over UTF-16 code units. `modern-ahocorasick` 3.3 matches whole grapheme clusters, so a
 * server that sends a combining mark after a secret would get it stored; it also finds no beginning at the end of a text.
 */
class Automaton<T> {
  // By node: its character, first child, next sibling, depth, and the node of its longest proper suffix.
  readonly #code: number[] = [0];
  readonly #child: number[] = [0];
  readonly #sibling: number[] = [0];
  readonly #depth: number[] = [0];
  readonly #fallback: number[] = [0];
  /** The match that ends at the node, or at one of its suffixes: its length and its secret. */
  readonly #length: number[] = [0];
  readonly #of: (T | undefined)[] = [undefined];
  /** A secret that begins with the path to the node. */
  readonly #prefixOf: (T | undefined)[] = [undefined];
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
    this.#prefixOf.push(of);
    this.#child[parent] = node;
    if (parent === 0) this.#atRoot[code] = node;
    return node;
  }

  /** The child for a character, or 0. */
  #next(node: number, code: number): number {
    if (node === 0) return this.#atRoot[code]!;
    let child = this.#child[node]!;
    while (child !== 0 && this.#code[child] !== code) child = this.#sibling[child]!;
    return child;
  }

  /** The node after a character: falls back to ever shorter suffixes. */
  #advance(from: number, code: number): number {
    let node = from;
    for (;;) {
      const next = this.#next(node, code);
      if (next !== 0 || node === 0) return next;
      node = this.#fallback[node]!;
    }
  }

  #link(): void {
    const queue = [0];
    for (const parent of queue) {
      for (let node = this.#child[parent]!; node !== 0; node = this.#sibling[node]!) {
        queue.push(node);
        const fallback = parent === 0 ? 0 : this.#advance(this.#fallback[parent]!, this.#code[node]!);
        this.#fallback[node] = fallback;
        if (this.#length[node] !== 0) continue;
        this.#length[node] = this.#length[fallback]!;
        this.#of[node] = this.#of[fallback];
      }
    }
  }

  find(text: string, isCut: boolean): Match<T>[] {
    const found: Match<T>[] = [];
    const atRoot = this.#atRoot;
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // Most characters begin no secret.
      node = node === 0 ? atRoot[code]! : this.#advance(node, code);
      if (node === 0) continue;
      const length = this.#length[node]!;
      if (length !== 0) append(found, { from: at + 1 - length, to: at + 1, of: this.#of[node]! });
    }
    const depth = this.#depth[node]!;
    if (isCut && depth > 1) append(found, { from: text.length - depth, to: text.length, of: this.#prefixOf[node]! });
    return found;
  }
}

/** Ranges in order, overlapping ones merged. */
function merge<T>(ranges: Match<T>[]): Match<T>[] {
  const ordered: Match<T>[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = ordered.at(-1);
    if (last && range.from < last.to) last.to = Math.max(last.to, range.to);
    else ordered.push({ ...range });
  }
  return ordered;
}

/** Adds a range that ends after all others: merged with the last one if that begins before it, else replacing it. */
function append<T>(found: Match<T>[], next: Match<T>): void {
  for (let last = found.at(-1); last && last.to > next.from; last = found.at(-1)) {
    if (last.from < next.from) {
      last.to = next.to;
      return;
    }
    found.pop();
  }
  found.push(next);
}
