import { isUtf8 } from 'node:buffer';
import { readBytes } from './charset.ts';
import { decompressed, mayBeCompressed, saysCompressed } from './compressed.ts';
import type { View } from './escapes.ts';

/**
 * What may be a run of base64 or of hexadecimal digits: the bytes that it stands for, and where each of them stands.
 * The bytes are only valid until the next run is read.
 */
export type Run = { bytes: Uint8Array; length: number; place: View['place'] } & Signs;

/** How many of the bytes are control characters that no text has, and how many lie beyond ASCII. */
type Signs = {
  odd: number;
  high: number;
  /** All but the first of its characters are small letters, as no compressed bytes have them. */
  isWord: boolean;
};

/** Six bytes, the shortest secret that is looked for within a text. */
const shortestRun = 8;
/** Lines of base64 are at least so long where it is broken into lines. */
const shortestLine = 60;

/** By character: its six bits in base64 or base64url; 64 for all others. */
const sixBits = new Uint8Array(128).fill(64);
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let at = 0; at < alphabet.length; at++) sixBits[alphabet.charCodeAt(at)] = at;
sixBits['-'.charCodeAt(0)] = 62;
sixBits['_'.charCodeAt(0)] = 63;

const bitsOf = (code: number): number => (code < 128 ? sixBits[code]! : 64);

/**
 * Calls back for all that may be base64 or hexadecimal in a text. Signs that separate words as well, such as `/`, may
 * be a part of it or stand before it: then it is read from both places. The bytes are only valid during the call.
 */
export function eachRun(text: string, visit: (run: Run) => void): void {
  const { length } = text;
  // Of a run that is long enough, every eighth character can be looked at first.
  for (let seen = shortestRun - 1; seen < length; seen += shortestRun) {
    if (bitsOf(text.charCodeAt(seen)) > 63) continue;
    let from = seen;
    while (from > 0 && bitsOf(text.charCodeAt(from - 1)) < 64) from--;
    let to = seen + 1;
    while (to < length && bitsOf(text.charCodeAt(to)) < 64) to++;
    if (to - from < shortestRun) continue;
    visitRun(text, from, to, visit);
    if (to - from >= shortestLine && isLineEnd(text, to)) to = visitLines(text, from, visit);
    // The next that is long enough holds the eighth place after its end, at the latest.
    seen = to;
  }
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Where a UUID has its signs: there are many, and each would be read five times. */
const isUuid = (text: string, from: number, to: number): boolean =>
  to - from === 36 && text[from + 8] === '-' && text[from + 13] === '-' && uuid.test(text.slice(from, to));

function visitRun(text: string, from: number, to: number, visit: (run: Run) => void): void {
  if (isUuid(text, from, to)) return;
  let starts = 1;
  for (let at = from; at < to; at++) if (bitsOf(text.charCodeAt(at)) > 61) starts |= 1 << ((at + 1 - from) & 3);
  for (let start = 0; start < 4; start++) if ((starts >> start) & 1) visitBase64(text, from + start, to, visit);
  if (to - from >= shortestHex) eachHexRun(text.slice(from, to), from, visit);
}

const isLineEnd = (text: string, at: number): boolean =>
  text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n');

/** Visits what is broken into lines: each further line, and all as one. Answers where the last one ends. */
function visitLines(text: string, from: number, visit: (run: Run) => void): number {
  const places: number[] = [];
  let at = from;
  let line = from;
  for (; at < text.length; at++) {
    if (bitsOf(text.charCodeAt(at)) < 64) {
      places.push(at);
      continue;
    }
    if (line > from && at - line >= shortestRun) visitRun(text, line, at, visit);
    if (at - line < shortestLine || !isLineEnd(text, at)) break;
    at += text[at] === '\r' ? 1 : 0;
    line = at + 1;
  }
  const placeOf = (character: number): number => places[character] ?? at;
  visitRun(places.map((each) => text[each]).join(''), 0, places.length, ({ place, ...run }) =>
    visit({
      ...run,
      place: (start, end) => {
        const inLines = place(start, end);
        return { from: placeOf(inLines.from), to: placeOf(inLines.to - 1) + 1 };
      },
    }),
  );
  return at;
}

/** A control character that no text has. */
const isOdd = (byte: number): boolean => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13;

const smallA = 'a'.charCodeAt(0);

/** Kept from run to run: there are as many as words. */
let room = new Uint8Array(4096);

/** Bytes with a control character are no text, and so few of them hold one only if they are compressed. */
const shortestBinary = 12;

function visitBase64(text: string, from: number, to: number, visit: (run: Run) => void): void {
  if (room.length < to - from) room = new Uint8Array(2 * (to - from));
  const isShort = ((to - from) * 3) / 4 < shortestBinary;
  const signs = { odd: 0, high: 0, isWord: true };
  let length = 0;
  let held = 0;
  let bits = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < smallA && at > from) signs.isWord = false;
    held = (held << 6) | bitsOf(code);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = held >> bits;
    held &= (1 << bits) - 1;
    room[length++] = byte;
    if (byte > 0x7e) signs.high++;
    else if (isOdd(byte)) signs.odd++;
  }
  if (isShort && signs.odd > 0 && (signs.isWord || !mayBeCompressed(room.subarray(0, length)))) return;
  const place: View['place'] = (start, end) => ({
    from: from + Math.floor((start * 4) / 3),
    // With the signs that fill it up.
    to: end === length ? afterPadding(text, to) : from + Math.ceil((end * 4) / 3),
  });
  visit({ bytes: room, length, place, ...signs });
}

function afterPadding(text: string, at: number): number {
  let end = at;
  while (end < at + 2 && text[end] === '=') end++;
  return end;
}

const shortestHex = 12;
const hexRun = /(?:[\da-f]{2}){6,}/gi;

/** Calls back for each row of at least six bytes in hexadecimal digits. */
function eachHexRun(text: string, offset: number, visit: (run: Run) => void): void {
  for (const { 0: digits, index } of text.matchAll(hexRun)) {
    const bytes = Buffer.from(digits, 'hex');
    visit({
      bytes,
      length: bytes.length,
      odd: bytes.filter(isOdd).length,
      high: bytes.filter((byte) => byte > 0x7e).length,
      isWord: false,
      place: (start, end) => ({ from: offset + index + 2 * start, to: offset + index + 2 * end }),
    });
  }
}

/** So many runs of a text are tried of those that look as if they were compressed, and do not say so. */
export const mostTries = (length: number): number => 64 + length / 4096;

/**
 * What a run may say as a text: itself, and what it is once decompressed. Nothing for bytes without a meaning of their
 * own, such as those that an ordinary word would stand for.
 * @param mayTry whether it may also be tried as what says nothing of its compression, and looks like it
 */
export function viewsOfRun(run: Run, mayTry: () => boolean): View[] {
  const { length, odd, high, isWord, place } = run;
  const held = run.bytes.subarray(0, length);
  const isBinary = (odd > 0 || high > 0) && !isWord;
  const isTried = isBinary && (saysCompressed(held) || (mayBeCompressed(held) && mayTry()));
  const isText = odd === 0 && (high <= length / 4 || isUtf8(held));
  if (!isTried && !isText && (odd === 0 || !hasZeros(held))) return [];
  const bytes = held.slice();
  const whole = place(0, length);
  const unpacked = isTried ? unpackedOf(bytes) : [];
  const views: View[] = unpacked.map((each) => ({ text: readBytes(each).text, place: () => whole }));
  if (odd > 0) views.push(...viewsOfUtf16(bytes, place));
  // A text in any charset is mostly ASCII, or UTF-8.
  else if (isText) views.push(viewOfText(bytes, place));
  return views;
}

function viewOfText(bytes: Uint8Array, place: View['place']): View {
  const { text, offsets } = readBytes(bytes);
  if (!offsets) return { text, place };
  return { text, place: (from, to) => place(offsets[from] ?? bytes.length, offsets[to] ?? bytes.length) };
}

const leastZeros = 2;

/** How many zeros stand in every second place, from a first one on. */
function zerosFrom(first: number, bytes: Uint8Array): number {
  let zeros = 0;
  for (let at = first; at < bytes.length; at += 2) if (bytes[at] === 0) zeros++;
  return zeros;
}

const hasZeros = (bytes: Uint8Array): boolean => zerosFrom(0, bytes) >= leastZeros || zerosFrom(1, bytes) >= leastZeros;

/** Bytes of UTF-16, of which at least spaces and digits have a zero; letters beyond Latin 1 may have one elsewhere. */
function viewsOfUtf16(bytes: Uint8Array, place: View['place']): View[] {
  const inEven = zerosFrom(0, bytes);
  const inOdd = zerosFrom(1, bytes);
  const charsets = [...(inOdd >= leastZeros ? ['utf-16le'] : []), ...(inEven >= leastZeros ? ['utf-16be'] : [])];
  return charsets.map((charset) => ({
    text: new TextDecoder(charset, { ignoreBOM: true }).decode(bytes),
    place: (from, to) => place(2 * from, Math.min(2 * to, bytes.length)),
  }));
}

/** What bytes may have been before they were compressed, once or several times. */
const unpackedOf = (bytes: Uint8Array, layers = 4): Uint8Array[] =>
  decompressed(bytes).flatMap((each) =>
    layers > 1 && mayBeCompressed(each) ? [each].concat(unpackedOf(each, layers - 1)) : [each],
  );
