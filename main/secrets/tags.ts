/** A tag of XML or HTML: where its name and what is written after that stand, and where the text after it begins. */
export type Tag = {
  isClosing: boolean;
  nameFrom: number;
  nameTo: number;
  writtenTo: number;
  /** The places of the signs in it that may stand after the name of an attribute. */
  equals: number[];
};

const longestName = 101;
const longestQuoted = 20_000;

const [beginsName, inName] = [1, 2];
const nameSigns = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  nameSigns[code] = (/[a-z_]/i.test(character) ? beginsName : 0) | (/[a-z\d:._-]/i.test(character) ? inName : 0);
}
const firstOfName = /^[\p{L}_]/u;
const restOfName = /^[\p{L}\p{N}\p{M}:._-]/u;

/** How many units a character of a name takes; 0 if it is none. */
function unitsOfName(text: string, codes: Uint16Array, at: number, sign: number): number {
  if (at >= text.length) return 0;
  const code = codes[at]!;
  if (code < 128) return (nameSigns[code]! & sign) === 0 ? 0 : 1;
  const character = String.fromCodePoint(text.codePointAt(at)!);
  return (sign === beginsName ? firstOfName : restOfName).test(character) ? character.length : 0;
}

const [slash, less, greater, equals] = Array.from('/<>=', (sign) => sign.charCodeAt(0));

/** By character, whether it says where a tag ends, or where the name of an attribute may. */
const signs = new Uint8Array(1 << 16);
for (const sign of '<>="\'') signs[sign.charCodeAt(0)] = 1;

/** Whether a unit belongs to the same character as the one before. */
const isSecondHalf = (codes: Uint16Array, at: number): boolean =>
  (codes[at]! & 0xfc00) === 0xdc00 && (codes[at - 1]! & 0xfc00) === 0xd800;

/** The tag that begins at a `<`; undefined if none does. What stands in quotes may hold any sign. */
export function tagAt(text: string, codes: Uint16Array, start: number): Tag | undefined {
  const isClosing = start + 1 < text.length && codes[start + 1] === slash;
  const nameFrom = start + (isClosing ? 2 : 1);
  let at = nameFrom + unitsOfName(text, codes, nameFrom, beginsName);
  if (at === nameFrom) return undefined;
  for (let count = 1; count < longestName; count++) {
    const units = unitsOfName(text, codes, at, inName);
    if (units === 0) break;
    at += units;
  }
  const nameTo = at;
  const places: number[] = [];
  for (; at < text.length; at++) {
    const code = codes[at]!;
    if (signs[code] === 0) continue;
    if (code === equals) places.push(at);
    else if (code === greater) return { isClosing, nameFrom, nameTo, writtenTo: at, equals: places };
    else if (code === less) return undefined;
    else {
      at = endOfQuoted(text, codes, at, places);
      if (at < 0) return undefined;
    }
  }
  return undefined;
}

/** Where the quotes end that begin at a place; −1 if they do not, or hold too much. */
function endOfQuoted(text: string, codes: Uint16Array, start: number, places: number[]): number {
  const quoted = codes[start]!;
  let seconds = 0;
  for (let at = start + 1; at < text.length; at++) {
    const code = codes[at]!;
    if (code === quoted) return at;
    if (code === equals) places.push(at);
    if ((code & 0xfc00) === 0xdc00 && isSecondHalf(codes, at)) seconds++;
    if (at - start - seconds > longestQuoted) return -1;
  }
  return -1;
}
