import type { Place } from './escapes.ts';
import type { Kind } from './secret-names.ts';

/** A secret that its form or its name tells, with its value as it means. */
export type Found = Place & { value: string; kind: Kind };

/** `<id>|<opaque>` of the interface; ids are numbers, ObjectIds or UUIDs. */
const pipeToken = /^[0-9A-Za-z-]{1,36}\|[\w.~+/=-]{10,}$/;
const jsonWebToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** What password hashes begin with: bcrypt, Argon2, PHC strings. */
const hash = /^\$(?:2[abxy]|argon2\w*|scrypt|pbkdf2[\w-]*|[156])\$/;

export const isPasswordHash = (text: string): boolean => hash.test(text);

/** A text that would open the door if it were shown, also after the name of a scheme or in quotes. */
export function looksLikeToken(text: string): boolean {
  const bare = bareToken(text);
  return pipeToken.test(bare) || jsonWebToken.test(bare);
}

export const isPipeToken = (text: string): boolean => pipeToken.test(text);
export const isJsonWebToken = (text: string): boolean => jsonWebToken.test(text);

/** A token without what may stand around it. */
export function bareToken(text: string): string {
  const unquoted = unquote(text.trim());
  return unquote(unquoted.replace(/^(?:Bearer|JWT)\s+/i, ''));
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  return quoted?.[2] ?? text;
}

/** Letters with digits, as no word has them. */
const isOpaque = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text);

/** Where a form begins, what it looks like from there, and which part of it is the secret. */
type Form = { mark: string; before: number; pattern: RegExp; kind: Kind; holds?: (value: string) => boolean };

const forms: readonly Form[] = [
  { mark: 'eyJ', before: 0, pattern: /(?<![\w-])(eyJ[\w-]{4,}\.[\w-]{4,}\.[\w-]*)/y, kind: 'token' },
  {
    mark: '|',
    before: 36,
    pattern: /(?<![\w|-])([0-9A-Za-z-]{1,36}\|[\w.~+/=-]{20,})/y,
    kind: 'token',
    holds: (value) => isOpaque(value.slice(value.indexOf('|') + 1)),
  },
  {
    mark: '$',
    before: 0,
    pattern: /(\$(?:2[abxy]|argon2\w{1,4}|scrypt|pbkdf2[\w-]{0,20}|[156])\$[\w./+=,$-]{16,})/y,
    kind: 'hash',
  },
];

/** After the name of a scheme, whatever stands there in one word with a digit. */
const scheme = /\b(?:bearer|basic|digest|negotiate|jwt|token)[ \t]{1,9}([\w.~+/|=-]{8,})/iy;
const schemes = ['bearer', 'basic', 'digest', 'negotiate', 'jwt', 'token'];

/** Five bits say which letter it is, small or capital. Other signs share their number with one. */
const numberOfThree = (first: number, second: number, third: number): number =>
  ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);

/** By three characters, whether they stand in the last four of a scheme and the blank after it. */
const ofSchemes = new Uint8Array(1 << 15);
/** By the last three letters of a word, the number of its scheme; 0 for all that end otherwise. */
const schemeByEnd = new Uint8Array(1 << 15);
for (const [at, name] of schemes.entries()) {
  // Any letter may stand before a name of three.
  const before = name.length > 3 ? [name.at(-4)!.charCodeAt(0)] : Array.from({ length: 32 }, (_, letter) => letter);
  const [first = 0, second = 0, third = 0] = Array.from(name.slice(-3), (letter) => letter.charCodeAt(0));
  for (const letter of before) ofSchemes[numberOfThree(letter, first, second)] = 1;
  ofSchemes[numberOfThree(first, second, third)] = 1;
  for (const blank of ' \t') ofSchemes[numberOfThree(second, third, blank.charCodeAt(0))] = 1;
  schemeByEnd[numberOfThree(first, second, third)] = at + 1;
}

/** What follows the name of a scheme. One of every three places is enough to see the end of a name and the blank. */
function secretsAfterSchemes(text: string, codes: Uint16Array): Found[] {
  const found: Found[] = [];
  const { length } = text;
  let taken = 0;
  for (let seen = 2; seen < length; seen += 3) {
    if (ofSchemes[numberOfThree(codes[seen - 2]!, codes[seen - 1]!, codes[seen]!)] === 0) continue;
    for (let at = Math.max(seen, 3); at < seen + 3 && at < length; at++) {
      if (codes[at] !== 0x20 && codes[at] !== 9) continue;
      const number = schemeByEnd[numberOfThree(codes[at - 3]!, codes[at - 2]!, codes[at - 1]!)]!;
      const start = number === 0 ? -1 : at - schemes[number - 1]!.length;
      if (start < taken) continue;
      scheme.lastIndex = start;
      const value = scheme.exec(text)?.[1];
      if (value === undefined) continue;
      taken = scheme.lastIndex;
      if (isOpaque(value)) found.push({ from: taken - value.length, to: taken, value, kind: 'token' });
    }
  }
  return found;
}

/** `https://name:password@host` */
const inAddress = /:\/\/[^\s/:@"'<>]{0,200}:([^\s/@"'<>]{1,200})@/g;

/**
 * Secrets that are told by how they look, wherever they stand in a text.
 * @param codes those of the text
 */
export function secretsByForm(text: string, codes: Uint16Array): Found[] {
  const found: Found[] = [];
  for (const { mark, before, pattern, kind, holds } of forms) {
    for (let at = nextOf(text, mark, 0); at >= 0;) {
      const from = before === 0 ? at : startOfWord(text, at, before);
      pattern.lastIndex = from;
      const value = pattern.exec(text)?.[1];
      const isOne = value !== undefined && from + value.length > at && (holds?.(value) ?? true);
      if (isOne) found.push({ from, to: from + value.length, value, kind });
      at = nextOf(text, mark, isOne ? from + value.length : at + mark.length);
    }
  }
  found.push(...secretsAfterSchemes(text, codes));
  if (text.includes('://') && text.includes('@')) {
    for (const { 0: whole, 1: value = '', index } of text.matchAll(inAddress)) {
      const from = index + whole.length - 1 - value.length;
      found.push({ from, to: from + value.length, value, kind: 'password' });
    }
  }
  return found;
}

/** Where a mark stands next, by its last sign: of `eyJ`, that is the one which words hold least. */
function nextOf(text: string, mark: string, from: number): number {
  const last = mark.length - 1;
  let at = text.indexOf(mark[last]!, from + last);
  while (at >= 0 && !text.startsWith(mark, at - last)) at = text.indexOf(mark[last]!, at + 1);
  return at < 0 ? at : at - last;
}

function startOfWord(text: string, at: number, most: number): number {
  let from = at;
  while (from > 0 && at - from < most && /[0-9A-Za-z-]/.test(text[from - 1]!)) from--;
  return from;
}
