import { bytesAfter, mayBeCompressed } from './compressed.ts';
import type { View } from './escapes.ts';
import type { VainRuns } from './vain-runs.ts';

/**
 * What may be a run of base64 or of hexadecimal digits: the bytes that it stands for, and what kinds of them there are.
 * A text has as many as words, so all of this is only valid until the next run is read.
 */
export type Run = {
  /** Zeros follow the last byte. */
  bytes: Uint8Array;
  length: number;
  /** Whether one of the bytes is a control character that no text has. */
  isOdd: boolean;
  /** How many of the bytes lie beyond ASCII. */
  high: number;
  /** All but the first of its characters are small letters, as no compressed bytes have them. */
  isWord: boolean;
  /** Where the bytes stand in the text. This stays valid. */
  places: () => View['place'];
};

/** Six bytes, the shortest secret that is looked for within a text. */
const shortestRun = 8;
/** Lines of base64 are at least so long where it is broken into lines. */
const shortestLine = 60;

/** By character: its six bits in base64 or base64url; 64 for all others. */
const sixBits = new Uint8Array(1 << 16).fill(64);
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let at = 0; at < alphabet.length; at++) sixBits[alphabet.charCodeAt(at)] = at;
sixBits['-'.charCodeAt(0)] = 62;
sixBits['_'.charCodeAt(0)] = 63;

/** By character, whether it is a hexadecimal digit. */
const hexDigits = new Uint8Array(1 << 16);
for (const digit of '0123456789abcdefABCDEF') hexDigits[digit.charCodeAt(0)] = 1;

/** By byte: `odd` for a control character that no text has, 1 for one beyond ASCII. */
const odd = 0x80;
const kinds = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 0x7e ? 1 : byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13 ? odd : 0,
);

/** What is read: a text by its character codes, or the lines of base64 in one, without what stands between them. */
type Reading = {
  codes: Uint16Array;
  length: number;
  run: Run;
  /** Answers whether the run may say something. */
  visit: (run: Run) => boolean;
  vain?: VainRuns | undefined;
  /** Where lines stand in the text. */
  place?: View['place'];
};

/**
 * Calls back for all that may be base64 or hexadecimal in a text. Signs that separate words as well, such as `/`, may
 * be a part of it or stand before it: then it is read from both places. The run is only valid during the call.
 * @param visit answers whether the run may say something, be it only here
 * @param options.changed if given, only runs count that hold one of these characters or stand beside one
 * @param options.vain runs that say nothing, which are not read again
 */
export function eachRun(
  { codes, length }: { codes: Uint16Array; length: number },
  visit: (run: Run) => boolean,
  { changed, vain }: { changed?: readonly number[] | undefined; vain?: VainRuns | undefined } = {},
): void {
  if (length < shortestRun) return;
  const reading = { codes, length, run: newRun(), visit, vain };
  if (changed) readChangedRuns(reading, changed);
  else readRuns(reading);
}

/** Whether bytes of ASCII hold a run that is long enough. */
export function holdsRun(bytes: Uint8Array, length: number): boolean {
  let run = 0;
  for (let at = 0; at < length && run < shortestRun; at++) run = sixBits[bytes[at]!]! < 64 ? run + 1 : 0;
  return run === shortestRun;
}

const newRun = (): Run => ({
  bytes: room,
  length: 0,
  isOdd: false,
  high: 0,
  isWord: false,
  places: () => (from, to) => ({ from, to }),
});

function readRuns(reading: Reading): void {
  const { codes, length } = reading;
  // Of a run that is long enough, every eighth character can be looked at first.
  for (let seen = shortestRun - 1; seen < length; seen += shortestRun) {
    if (sixBits[codes[seen]!]! > 63) continue;
    const from = startOfRun(codes, seen, 0);
    let to = endOfRun(codes, seen, length);
    if (to - from < shortestRun) continue;
    readRun(reading, from, to);
    if (to - from >= shortestLine && isLineEnd(codes, to, length)) to = readLines(reading, from);
    // The next that is long enough holds the eighth place after its end, at the latest.
    seen = to;
  }
}

/** What may stand between a run and what decides how far it goes: signs that fill it up, or the end of its line. */
const mostBetween = 2;

/** Reads runs that a changed character may have made, or made longer. */
function readChangedRuns(reading: Reading, changed: readonly number[]): void {
  const { codes, length } = reading;
  let done = 0;
  for (const place of changed) {
    const last = Math.min(length - 1, place + mostBetween);
    for (let seen = Math.max(done, place - mostBetween); seen <= last; seen++) {
      if (seen < done || sixBits[codes[seen]!]! > 63) continue;
      const from = firstLineOf(codes, startOfRun(codes, seen, done), done);
      let to = endOfRun(codes, from, length);
      if (to - from >= shortestRun) {
        readRun(reading, from, to);
        if (to - from >= shortestLine && isLineEnd(codes, to, length)) to = readLines(reading, from);
      }
      done = to;
    }
  }
}

function startOfRun(codes: Uint16Array, seen: number, least: number): number {
  let from = seen;
  while (from > least && sixBits[codes[from - 1]!]! < 64) from--;
  return from;
}

function endOfRun(codes: Uint16Array, seen: number, length: number): number {
  let to = seen;
  while (to < length && sixBits[codes[to]!]! < 64) to++;
  return to;
}

/** Where the lines begin that a run is one of. */
function firstLineOf(codes: Uint16Array, start: number, least: number): number {
  let first = start;
  for (;;) {
    let end = first;
    if (end > least && codes[end - 1] === lineFeed) end--;
    if (end < first && end > least && codes[end - 1] === carriageReturn) end--;
    const from = startOfRun(codes, end, least);
    if (end === first || end - from < shortestLine) return first;
    first = from;
  }
}

const dash = '-'.charCodeAt(0);
const smallA = 'a'.charCodeAt(0);

/** Whether it is a UUID: there are many, and each would be read five times. */
function isUuid(codes: Uint16Array, from: number, to: number): boolean {
  if (to - from !== 36) return false;
  for (let at = 0; at < 36; at++) {
    const isDash = at === 8 || at === 13 || at === 18 || at === 23;
    if (isDash ? codes[from + at] !== dash : hexDigits[codes[from + at]!] === 0) return false;
  }
  return true;
}

function readRun(reading: Reading, from: number, to: number): void {
  const { codes, vain } = reading;
  if (isUuid(codes, from, to)) return;
  let starts = 1;
  let lastLarge = from;
  let number = to - from;
  for (let at = from; at < to; at++) {
    const code = codes[at]!;
    number = (Math.imul(number, 31) + code) | 0;
    if (code >= smallA) continue;
    lastLarge = at;
    if (sixBits[code]! > 61) starts |= 1 << ((at + 1 - from) & 3);
  }
  if (vain?.holds(number, codes, from, to)) return;
  let says = false;
  for (let start = 0; start < 4; start++) {
    if (((starts >> start) & 1) === 1) says = readBase64(reading, from + start, to, lastLarge <= from + start) || says;
  }
  if (to - from >= shortestHex) says = readHex(reading, from, to) || says;
  if (!says) vain?.put(number, codes, from, to);
}

const lineFeed = 10;
const carriageReturn = 13;

const isLineEnd = (codes: Uint16Array, at: number, length: number): boolean =>
  at < length &&
  (codes[at] === lineFeed || (codes[at] === carriageReturn && at + 1 < length && codes[at + 1] === lineFeed));

/** Reads what is broken into lines: each further line, and all as one. Answers where the last one ends. */
function readLines(reading: Reading, from: number): number {
  const { codes, length, visit } = reading;
  const places: number[] = [];
  let at = from;
  let line = from;
  for (; at < length; at++) {
    if (sixBits[codes[at]!]! < 64) {
      places.push(at);
      continue;
    }
    if (line > from && at - line >= shortestRun) readRun(reading, line, at);
    if (at - line < shortestLine || !isLineEnd(codes, at, length)) break;
    at += codes[at] === carriageReturn ? 1 : 0;
    line = at + 1;
  }
  const end = at;
  const placeOf = (character: number): number => places[character] ?? end;
  const joined = Uint16Array.from(places, (each) => codes[each]!);
  const place: View['place'] = (start, until) => ({ from: placeOf(start), to: placeOf(until - 1) + 1 });
  readRun({ codes: joined, length: joined.length, run: newRun(), visit, place }, 0, joined.length);
  return at;
}

/** Kept from run to run: there are as many as words. */
let room = new Uint8Array(4096);

function roomFor(length: number): Uint8Array {
  if (room.length < length + bytesAfter) room = new Uint8Array(2 * (length + bytesAfter));
  return room;
}

/** Bytes with a control character are no text, and so few of them hold one only if they are compressed. */
const shortestBinary = 12;

/** Answers whether the run may say something. */
function readBase64(reading: Reading, from: number, to: number, isWord: boolean): boolean {
  const { codes, run, visit } = reading;
  const bytes = roomFor(((to - from) * 3) >> 2);
  let signs = 0;
  let high = 0;
  let length = 0;
  const lastWhole = to - 4;
  let at = from;
  for (; at <= lastWhole; at += 4) {
    const bits =
      (sixBits[codes[at]!]! << 18) |
      (sixBits[codes[at + 1]!]! << 12) |
      (sixBits[codes[at + 2]!]! << 6) |
      sixBits[codes[at + 3]!]!;
    const first = bits >> 16;
    const second = (bits >> 8) & 0xff;
    const third = bits & 0xff;
    bytes[length] = first;
    bytes[length + 1] = second;
    bytes[length + 2] = third;
    length += 3;
    const sign = kinds[first]! + kinds[second]! + kinds[third]!;
    signs |= sign;
    high += sign & 3;
  }
  for (let held = 0, bits = 0; at < to; at++) {
    held = (held << 6) | sixBits[codes[at]!]!;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = held >> bits;
    held &= (1 << bits) - 1;
    bytes[length++] = byte;
    signs |= kinds[byte]!;
    high += kinds[byte]! & 3;
  }
  const isOdd = signs >= odd;
  const isShort = ((to - from) * 3) / 4 < shortestBinary;
  if (isShort && isOdd && isWord) return false;
  for (let after = length; after < length + bytesAfter; after++) bytes[after] = 0;
  if (isShort && isOdd && !mayBeCompressed(bytes, length)) return false;
  run.bytes = bytes;
  run.length = length;
  run.isOdd = isOdd;
  run.high = high;
  run.isWord = isWord;
  run.places = () => placesOfBase64(reading, from, to, length);
  return visit(run);
}

function placesOfBase64({ codes, length: end, place }: Reading, from: number, to: number, length: number) {
  const padding = paddingAfter(codes, to, end);
  const inReading: View['place'] = (start, until) => ({
    from: from + Math.floor((start * 4) / 3),
    to: until === length ? to + padding : from + Math.ceil((until * 4) / 3),
  });
  return outerOf(place, inReading);
}

const outerOf = (place: View['place'] | undefined, inner: View['place']): View['place'] =>
  place
    ? (start, until) => {
        const within = inner(start, until);
        return place(within.from, within.to);
      }
    : inner;

const equalsSign = '='.charCodeAt(0);

/** How many signs stand there that fill base64 up. */
function paddingAfter(codes: Uint16Array, at: number, length: number): number {
  let end = at;
  while (end < at + 2 && end < length && codes[end] === equalsSign) end++;
  return end - at;
}

const shortestHex = 12;

/** Reads each row of at least six bytes in hexadecimal digits. Answers whether one may say something. */
function readHex(reading: Reading, from: number, to: number): boolean {
  const { codes } = reading;
  let says = false;
  for (let seen = from + shortestHex - 1; seen < to; seen += shortestHex) {
    if (hexDigits[codes[seen]!] === 0) continue;
    let first = seen;
    while (first > from && hexDigits[codes[first - 1]!] === 1) first--;
    let last = seen + 1;
    while (last < to && hexDigits[codes[last]!] === 1) last++;
    if (last - first >= shortestHex) says = readHexRow(reading, first, last) || says;
    seen = last;
  }
  return says;
}

function readHexRow(reading: Reading, from: number, to: number): boolean {
  const { codes, run, visit, place } = reading;
  const length = (to - from) >> 1;
  const bytes = roomFor(length);
  let signs = 0;
  let high = 0;
  for (let at = 0; at < length; at++) {
    const byte = (hexValue(codes[from + 2 * at]!) << 4) | hexValue(codes[from + 2 * at + 1]!);
    bytes[at] = byte;
    signs |= kinds[byte]!;
    high += kinds[byte]! & 3;
  }
  bytes.fill(0, length, length + bytesAfter);
  run.bytes = bytes;
  run.length = length;
  run.isOdd = signs >= odd;
  run.high = high;
  run.isWord = false;
  run.places = () => outerOf(place, (start, until) => ({ from: from + 2 * start, to: from + 2 * until }));
  return visit(run);
}

/** Letters have their value in the last four bits, less nine. */
const hexValue = (code: number): number => (code & 15) + (code > 64 ? 9 : 0);
