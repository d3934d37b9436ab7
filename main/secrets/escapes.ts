import { readBytes } from './charset.ts';
import { namedCharacter, numberedCharacter } from './entities.ts';

/** A stretch of a text. */
export type Place = { from: number; to: number };

/** What a text, or a part of it, says once a layer of spelling is taken away, and where that stands in the text. */
export type View = { text: string; place: (from: number, to: number) => Place };

/** Spellings of single characters: entities, percent, and the escapes of JSON and of programming languages. */
const kinds = {
  entities: /&(?:#(?:\d{1,8}|x[\da-f]{1,7});?|[a-z][a-z\d]{1,31};?)/gi,
  percent: /(?:%[\da-f]{2})+|%u[\da-f]{4}/gi,
  backslashes:
    /\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}(?:\\x[\da-f]{2})*|[0-3][0-7]{2}(?:\\[0-3][0-7]{2})*|[bfnrtv]|[^\sa-z\d])/gi,
};
export type EscapeKind = keyof typeof kinds;
export const escapeKinds: readonly EscapeKind[] = ['entities', 'percent', 'backslashes'];

const allKinds = new RegExp(escapeKinds.map((kind) => kinds[kind].source).join('|'), 'gi');

/** What every spelling begins with. */
export const escapeSigns = /[&%\\]/;

/** The beginning of one, at the end of a text that was cut. */
const begun = /(?:&#?\w{0,9}|%u?[\da-f]{0,3}|\\(?:u\{?|x)?[\da-f]{0,5})$/i;

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A character that is spelt out, and its place in the text. */
type Spelt = Place & { text: string };

/** With its place in the view. */
type Moved = Spelt & { at: number };

/**
 * A text with every spelt-out character in place of its spelling, of whatever language; undefined if it has none.
 * @param isCut whether the text goes on somewhere else: the beginning of a spelling at its end is then left out
 * @param kind takes away these spellings alone
 */
export function withoutEscapes(text: string, isCut = false, kind?: EscapeKind): View | undefined {
  if (!escapeSigns.test(text)) return undefined;
  const parts: string[] = [];
  const spelt: Moved[] = [];
  let length = 0;
  let taken = 0;
  const put = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  for (const match of text.matchAll(kind ? kinds[kind] : allKinds)) {
    for (const each of charactersOf(match[0], match.index)) {
      put(text.slice(taken, each.from));
      spelt.push({ ...each, at: length });
      put(each.text);
      taken = each.to;
    }
  }
  const end = isCut ? (begun.exec(text.slice(Math.max(taken, text.length - 12)))?.[0].length ?? 0) : 0;
  if (spelt.length === 0 && end === 0) return undefined;
  put(text.slice(taken, text.length - end));
  return { text: parts.join(''), place: placesBy(spelt) };
}

/** By where spelt-out characters stand in the view, where anything in it stands in the text. */
function placesBy(spelt: readonly Moved[]): View['place'] {
  /** How many of them begin at a place or before it. */
  function countTo(place: number): number {
    let low = 0;
    let high = spelt.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spelt[middle]!.at <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  function characterAt(place: number): Place {
    const last = spelt[countTo(place) - 1];
    if (!last) return { from: place, to: place + 1 };
    const after = place - last.at - last.text.length;
    return after < 0 ? last : { from: last.to + after, to: last.to + after + 1 };
  }
  return (from, to) => ({ from: characterAt(from).from, to: characterAt(to - 1).to });
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
