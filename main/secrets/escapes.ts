import { readBytes } from './charset.ts';
import { namedCharacter, numberedCharacter } from './entities.ts';

/** A stretch of a text. */
export type Place = { from: number; to: number };

/** What a text, or a part of it, says once a layer of spelling is taken away, and where that stands in the text. */
export type View = {
  text: string;
  place: (from: number, to: number) => Place;
  /** Where characters stand in it that were spelt out, each of one or two units, if all others stand in the text alike. */
  changed?: readonly number[] | undefined;
};

/** The same of a whole text. */
export type PlainView = View & {
  /** How many kinds of spellings there were. */
  kindsFound: number;
};

/** Spellings of single characters: entities, percent, and the escapes of JSON and of programming languages. */
const kinds = {
  entities: /&(?:#(?:\d{1,8}|x[\da-f]{1,7});?|[a-z][a-z\d]{1,31};?)/iy,
  percent: /(?:%[\da-f]{2})+|%u[\da-f]{4}/iy,
  backslashes:
    /\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}(?:\\x[\da-f]{2})*|[0-3][0-7]{2}(?:\\[0-3][0-7]{2})*|[bfnrtv]|[^\sa-z\d])/iy,
};
export type EscapeKind = keyof typeof kinds;
export const escapeKinds: readonly EscapeKind[] = ['entities', 'percent', 'backslashes'];

/** What every spelling begins with. */
export const escapeSigns = /[&%\\]/;

const signOf: Readonly<Record<EscapeKind, string>> = { entities: '&', percent: '%', backslashes: '\\' };

/** The beginning of one, at the end of a text that was cut. */
const begun = /(?:&#?\w{0,9}|%u?[\da-f]{0,3}|\\(?:u\{?|x)?[\da-f]{0,5})$/i;

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A character that is spelt out, and its place in the text. */
type Spelt = Place & { text: string };

/** By number of the spelt-out character: where it stands in the view, how many units it has, and its place in the text. */
type Places = { at: number[]; units: number[]; from: number[]; to: number[] };

/**
 * A text with every spelt-out character in place of its spelling, of whatever language; undefined if it has none.
 * @param isCut whether the text goes on somewhere else: the beginning of a spelling at its end is then left out
 * @param kind takes away these spellings alone
 */
export function withoutEscapes(text: string, isCut = false, kind?: EscapeKind): PlainView | undefined {
  if (!text.includes('&') && !text.includes('%') && !text.includes('\\')) return undefined;
  const places: Places = { at: [], units: [], from: [], to: [] };
  const found = new Set<EscapeKind>();
  // Where text is only joined, it stays in bytes if it was, and what stands between spellings is not copied twice.
  let plain = '';
  let taken = 0;
  eachSign(text, kind === undefined ? escapeKinds : [kind], (at, kindOf) => {
    const spelt = speltAt(text, at, kindOf);
    for (const each of spelt?.characters ?? []) {
      const from = at + each.from;
      if (from > taken) plain += text.slice(taken, from);
      taken = at + each.to;
      put(places, plain.length, each.text.length, from, taken);
      plain += each.text;
      found.add(kindOf);
    }
    return spelt?.end ?? at + 1;
  });
  const end = isCut ? (begun.exec(text.slice(Math.max(taken, text.length - 12)))?.[0].length ?? 0) : 0;
  if (places.at.length === 0 && end === 0) return undefined;
  plain += text.slice(taken, text.length - end);
  return { text: plain, place: placesBy(places), changed: places.at, kindsFound: found.size };
}

/** Calls back for each sign that a spelling of these kinds may begin with, from where the last call says on. */
function eachSign(text: string, wanted: readonly EscapeKind[], visit: (at: number, kind: EscapeKind) => number): void {
  const waiting = wanted.map((kind) => ({ kind, sign: signOf[kind], at: text.indexOf(signOf[kind]) }));
  for (;;) {
    let first: (typeof waiting)[number] | undefined;
    for (const each of waiting) if (each.at >= 0 && (first === undefined || each.at < first.at)) first = each;
    if (!first) return;
    const end = visit(first.at, first.kind);
    for (const each of waiting) if (each.at >= 0 && each.at < end) each.at = text.indexOf(each.sign, end);
  }
}

function put(places: Places, at: number, units: number, from: number, to: number): void {
  places.at.push(at);
  places.units.push(units);
  places.from.push(from);
  places.to.push(to);
}

/** The spelling that begins at a place: its end, and its characters with their places from there on. */
type SpeltAt = { end: number; characters: readonly Spelt[] };

/** By the sign after a backslash, what both say, as nearly all do. */
const shortEscapes = Array.from({ length: 128 }, (_, code): readonly Spelt[] | undefined => {
  const character = String.fromCharCode(code);
  const said = letters[character.toLowerCase()] ?? (/[^\sa-z\d]/i.test(character) ? character : undefined);
  return said === undefined ? undefined : [{ text: said, from: 0, to: 2 }];
});

function speltAt(text: string, at: number, kind: EscapeKind): SpeltAt | undefined {
  if (kind === 'backslashes') {
    const characters = shortEscapes[text.charCodeAt(at + 1)];
    if (characters) return { end: at + 2, characters };
  }
  if (kind === 'entities') {
    const semicolon = endOfCommon(text, at);
    const common = semicolon < 0 ? undefined : commonEntities.get(text.slice(at, semicolon + 1));
    if (common) return { end: semicolon + 1, characters: common };
    const end = endOfEntity(text, at);
    return end < 0 ? undefined : { end, characters: charactersOf(text.slice(at, end), 0) };
  }
  const pattern = kinds[kind];
  pattern.lastIndex = at;
  const written = pattern.exec(text)?.[0];
  return written === undefined ? undefined : { end: at + written.length, characters: charactersOf(written, 0) };
}

/** Those that frameworks write. */
const commonEntities: ReadonlyMap<string, readonly Spelt[]> = new Map(
  '&amp; &lt; &gt; &quot; &apos; &nbsp; &#34; &#39; &#039; &#x27; &#x2F; &#x22; &#x3D; &#x60;'
    .split(' ')
    .map((written) => [written, charactersOf(written, 0)]),
);
const longestCommon = '&nbsp;'.length;
const semicolonCode = ';'.charCodeAt(0);

function endOfCommon(text: string, start: number): number {
  for (let at = start + 3; at < start + longestCommon; at++) if (text.charCodeAt(at) === semicolonCode) return at;
  return -1;
}

/** Where the entity ends that begins at a place, as its pattern says it; −1 if none does. */
function endOfEntity(text: string, start: number): number {
  kinds.entities.lastIndex = start;
  return kinds.entities.test(text) ? kinds.entities.lastIndex : -1;
}

/** By where spelt-out characters stand in the view, where anything in it stands in the text. */
function placesBy({ at, units, from, to }: Places): View['place'] {
  /** How many of them begin at a place or before it. */
  function countTo(place: number): number {
    let low = 0;
    let high = at.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at[middle]! <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  function characterAt(place: number): Place {
    const last = countTo(place) - 1;
    if (last < 0) return { from: place, to: place + 1 };
    const after = place - at[last]! - units[last]!;
    if (after < 0) return { from: from[last]!, to: to[last]! };
    return { from: to[last]! + after, to: to[last]! + after + 1 };
  }
  return (start, end) => ({ from: characterAt(start).from, to: characterAt(end - 1).to });
}

/** The characters of one spelling, or of a row of them; none for what only looks like one. */
function charactersOf(written: string, from: number): Spelt[] {
  const to = from + written.length;
  const one = (text: string | undefined, end = to): Spelt[] => (text === undefined ? [] : [{ text, from, to: end }]);
  const code = (digits: string, base: number): string | undefined => {
    const number = Number.parseInt(digits, base);
    return number <= 0x10ffff ? String.fromCodePoint(number) : undefined;
  };
  if (written.startsWith('&#')) {
    const digits = written.slice(2).replace(';', '');
    const isHex = /^x/i.test(digits);
    return one(numberedCharacter(Number.parseInt(isHex ? digits.slice(1) : digits, isHex ? 16 : 10)));
  }
  if (written.startsWith('&')) {
    const hasSemicolon = written.endsWith(';');
    const name = written.slice(1, hasSemicolon ? -1 : undefined);
    const found = namedCharacter(name, hasSemicolon);
    const isWhole = found?.letters === name.length && hasSemicolon;
    return one(found?.text, isWhole ? to : from + 1 + (found?.letters ?? 0));
  }
  if (/^%u/i.test(written)) return one(code(written.slice(2), 16));
  if (written.startsWith('%')) return bytesOf(written.slice(1).split('%'), 16, 3, from);
  if (/^\\x/i.test(written)) return bytesOf(written.slice(2).split(/\\x/i), 16, 4, from);
  if (/^\\[0-3]/.test(written)) return bytesOf(written.slice(1).split('\\'), 8, 4, from);
  if (/^\\u/i.test(written)) return one(code(written.replaceAll(/[^\da-f]/gi, ''), 16));
  const letter = written.slice(1);
  return one(letters[letter.toLowerCase()] ?? letter);
}

/** A row of spelt-out bytes, each of which takes `width` characters. */
function bytesOf(numbers: readonly string[], base: number, width: number, from: number): Spelt[] {
  const { text, offsets } = readBytes(Uint8Array.from(numbers, (each) => Number.parseInt(each, base)));
  const spelt: Spelt[] = [];
  for (let at = 0; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    const next = at + character.length;
    const start = offsets ? offsets[at]! : at;
    const end = offsets ? offsets[next]! : next;
    spelt.push({ text: character, from: from + start * width, to: from + end * width });
    at = next;
  }
  return spelt;
}
