import { readBytes } from './charset.ts';
import { mayBeginName, namedCharacter, numberedCharacter } from './entities.ts';
import { onForget } from './name-cache.ts';

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

/** The last texts that were read: what tells of itself is looked for in each, and what is known after that. */
const lastRead: { text: string; plain: PlainView | undefined }[] = [];
const mostRead = 4;
const [shortestKept, longestKept] = [1000, 100_000];
onForget(() => void (lastRead.length = 0));

/**
 * A text with every spelt-out character in place of its spelling, of whatever language; undefined if it has none.
 * @param isCut whether the text goes on somewhere else: the beginning of a spelling at its end is then left out
 * @param kind takes away these spellings alone
 */
export function withoutEscapes(text: string, isCut = false, kind?: EscapeKind): PlainView | undefined {
  const isKept = text.length >= shortestKept && text.length <= longestKept && !isCut && kind === undefined;
  if (!isKept) return readWithoutEscapes(text, isCut, kind);
  const known = lastRead.find((each) => each.text === text);
  if (known) return known.plain;
  const plain = readWithoutEscapes(text, isCut, kind);
  lastRead.unshift({ text, plain });
  lastRead.length = Math.min(lastRead.length, mostRead);
  return plain;
}

function readWithoutEscapes(text: string, isCut: boolean, kind: EscapeKind | undefined): PlainView | undefined {
  if (!text.includes('&') && !text.includes('%') && !text.includes('\\')) return undefined;
  const { length } = text;
  const next = (of: EscapeKind, from: number): number => {
    const at = kind === undefined || kind === of ? text.indexOf(signOf[of], from) : -1;
    return at < 0 ? length : at;
  };
  let entity = next('entities', 0);
  let percent = next('percent', 0);
  let backslash = next('backslashes', 0);
  const places: Places = { at: [], units: [], from: [], to: [] };
  const found = new Set<EscapeKind>();
  // Where text is only joined, it stays in bytes if it was, and what stands between spellings is not copied twice.
  let plain = '';
  let taken = 0;
  for (;;) {
    const at = Math.min(entity, percent, backslash);
    if (at === length) break;
    const kindOf = at === backslash ? 'backslashes' : at === entity ? 'entities' : 'percent';
    const said = kindOf === 'backslashes' ? shortEscapes[text.charCodeAt(at + 1)] : undefined;
    const common = kindOf === 'entities' ? commonEntityAt(text, at) : undefined;
    let end = at + 1;
    if (said !== undefined || common !== undefined) {
      end = at + (common ? common.length : 2);
      const character = said ?? common!.text;
      if (at > taken) plain += text.slice(taken, at);
      put(places, plain.length, character.length, at, end);
      plain += character;
      taken = end;
      found.add(kindOf);
    } else {
      const spelt = speltAt(text, at, kindOf);
      for (const each of spelt?.characters ?? []) {
        const from = at + each.from;
        if (from > taken) plain += text.slice(taken, from);
        taken = at + each.to;
        put(places, plain.length, each.text.length, from, taken);
        plain += each.text;
        found.add(kindOf);
      }
      end = spelt?.end ?? end;
    }
    if (entity < end) entity = next('entities', end);
    if (percent < end) percent = next('percent', end);
    if (backslash < end) backslash = next('backslashes', end);
  }
  const end = isCut ? (begun.exec(text.slice(Math.max(taken, text.length - 12)))?.[0].length ?? 0) : 0;
  if (places.at.length === 0 && end === 0) return undefined;
  plain += text.slice(taken, text.length - end);
  return { text: plain, place: placesBy(places), changed: places.at, kindsFound: found.size };
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
const shortEscapes = Array.from({ length: 128 }, (_, code): string | undefined => {
  const character = String.fromCharCode(code);
  return letters[character.toLowerCase()] ?? (/[^\sa-z\d]/i.test(character) ? character : undefined);
});

function speltAt(text: string, at: number, kind: EscapeKind): SpeltAt | undefined {
  if (kind === 'entities') {
    if (!mayBeEntity(text, at)) return undefined;
    const end = endOfEntity(text, at);
    return end < 0 ? undefined : { end, characters: charactersOf(text.slice(at, end), 0) };
  }
  const pattern = kinds[kind];
  pattern.lastIndex = at;
  const written = pattern.exec(text)?.[0];
  return written === undefined ? undefined : { end: at + written.length, characters: charactersOf(written, 0) };
}

/** What an entity says, and how long it is. */
type Entity = { text: string; length: number };

/** Those that frameworks write, by a number that is made of their characters between `&` and `;`: four at most. */
const commonEntities: ReadonlyMap<number, Entity> = new Map(
  '&amp; &lt; &gt; &quot; &apos; &nbsp; &#34; &#39; &#039; &#x27; &#x2F; &#x22; &#x3D; &#x60;'
    .split(' ')
    .map((written) => [
      Array.from(written.slice(1, -1)).reduce((number, each) => numberWith(number, each.charCodeAt(0)), 0),
      { text: charactersOf(written, 0)[0]!.text, length: written.length },
    ]),
);
const mostOfCommon = 4;
const semicolonCode = ';'.charCodeAt(0);

function numberWith(number: number, code: number): number {
  return (number << 7) | code;
}

function commonEntityAt(text: string, start: number): Entity | undefined {
  const most = Math.min(start + 1 + mostOfCommon, text.length - 1);
  let number = 0;
  for (let at = start + 1; at <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === semicolonCode) return commonEntities.get(number);
    if (code === 0 || code > 127) return undefined;
    number = numberWith(number, code);
  }
  return undefined;
}

const hashCode = '#'.charCodeAt(0);
const longestEntity = 34;

/** By character of ASCII, whether it may be of a name. */
const ofNames = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z\d]/i.test(String.fromCharCode(code)) ? 1 : 0));

/** Whether an entity may begin at a place, which most signs of addresses and forms do not. */
function mayBeEntity(text: string, start: number): boolean {
  if (text.charCodeAt(start + 1) === hashCode) return true;
  let at = start + 1;
  while (at < start + longestEntity && ofNames[text.charCodeAt(at)] === 1) at++;
  return text.charCodeAt(at) === semicolonCode || mayBeginName(text, start + 1);
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
