import * as buffer from 'node:buffer';
import { readBytes } from './charset.ts';
import { decompressed, mayBeCompressed, saysCompressed } from './compressed.ts';
import type { Run } from './encoded-runs.ts';
import type { View } from './escapes.ts';

/** What is tried as if it were compressed, and what was in vain. */
export type Attempts = {
  /** Whether a run may be tried that says nothing of its compression, and looks like it. */
  mayTry: () => boolean;
  /** Whether any run may still be tried. */
  areLeft: () => boolean;
  isVain: (bytes: string) => boolean;
  wasVain: (bytes: string) => void;
};

/** So many runs of a text are tried of those that look as if they were compressed, and do not say so. */
const mostTries = (length: number): number => 64 + length / 4096;

/** What may be tried in a text of a length, which says the same over and over. */
export function attemptsFor(length: number): Attempts {
  const vain = new Set<string>();
  let tries = mostTries(length);
  return {
    mayTry: () => tries-- > 0,
    areLeft: () => tries > 0,
    isVain: (bytes) => vain.has(bytes),
    wasVain: (bytes) => void vain.add(bytes),
  };
}

const longestRemembered = 200;

const asLatin1 = (bytes: Uint8Array, length: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');

/**
 * What a run may say as a text: itself, and what it is once decompressed. Nothing for bytes without a meaning of their
 * own, such as those that an ordinary word would stand for.
 */
export function viewsOfRun(run: Run, { mayTry, isVain, wasVain }: Attempts): View[] {
  const { bytes: held, length, isOdd, high, isWord } = run;
  const isBinary = (isOdd || high > 0) && !isWord;
  const mayBe = isBinary && mayBeCompressed(held, length);
  const key = mayBe && length <= longestRemembered ? asLatin1(held, length) : undefined;
  const isTried = mayBe && (key === undefined || !isVain(key)) && (saysCompressed(held, length) || mayTry());
  const isText = !isOdd && (high <= length / 4 || isUtf8(held, length));
  if (!isTried && !isText && (!isOdd || !hasZeros(held, length))) return [];
  const bytes = held.slice(0, length);
  const place = run.places();
  const whole = place(0, length);
  const unpacked = isTried ? unpackedOf(bytes) : [];
  if (isTried && unpacked.length === 0 && key !== undefined) wasVain(key);
  const views: View[] = unpacked.map((each) => ({ text: readBytes(each).text, place: () => whole }));
  if (isOdd) views.push(...viewsOfUtf16(bytes, place));
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
function zerosFrom(first: number, bytes: Uint8Array, length: number): number {
  let zeros = 0;
  for (let at = first; at < length; at += 2) if (bytes[at] === 0) zeros++;
  return zeros;
}

const hasZeros = (bytes: Uint8Array, length: number): boolean =>
  zerosFrom(0, bytes, length) >= leastZeros || zerosFrom(1, bytes, length) >= leastZeros;

/** Bytes of UTF-16, of which at least spaces and digits have a zero; letters beyond Latin 1 may have one elsewhere. */
function viewsOfUtf16(bytes: Uint8Array, place: View['place']): View[] {
  const inEven = zerosFrom(0, bytes, bytes.length);
  const inOdd = zerosFrom(1, bytes, bytes.length);
  const charsets = [...(inOdd >= leastZeros ? ['utf-16le'] : []), ...(inEven >= leastZeros ? ['utf-16be'] : [])];
  return charsets.map((charset) => ({
    text: new TextDecoder(charset, { ignoreBOM: true }).decode(bytes),
    place: (from, to) => place(2 * from, Math.min(2 * to, bytes.length)),
  }));
}

/** What bytes may have been before they were compressed, once or several times. */
const unpackedOf = (bytes: Uint8Array, layers = 4): Uint8Array[] =>
  decompressed(bytes).flatMap((each) =>
    layers > 1 && mayBeCompressed(each, each.length) ? [each].concat(unpackedOf(each, layers - 1)) : [each],
  );

/** Whether bytes are UTF-8. Most that are none are so from the first on: a call of Node takes longer than to see that. */
function isUtf8(bytes: Uint8Array, length: number): boolean {
  for (let at = 0; at < Math.min(length, 32);) {
    const first = bytes[at]!;
    const size = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (size === 0) return false;
    for (let next = 1; next < size; next++) if ((bytes[at + next]! & 0xc0) !== 0x80) return false;
    at += size;
  }
  return buffer.isUtf8(bytes.subarray(0, length));
}
