import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { bitsOf, isFixedBlock } from './deflate-bits.ts';

/** Of what was compressed, so much is read. */
const mostDecompressed = 1024 * 1024;

/** No more than so many times its length comes out of what was compressed. */
const mostGrowth = 1032;

const output = { maxOutputLength: mostDecompressed };
const unfinished = { ...output, finishFlush: constants.Z_SYNC_FLUSH };

type Format = { says: boolean; mayBe: (bytes: Uint8Array) => boolean; read: (bytes: Uint8Array) => Buffer };

/** The last two say nothing of themselves and can be mistaken for one another. */
const formats: readonly Format[] = [
  {
    says: true,
    mayBe: ([first, second]) => first === 0x1f && second === 0x8b,
    read: (bytes) => gunzipSync(bytes, unfinished),
  },
  {
    says: true,
    mayBe: ([first = 0, second = 0]) => (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0,
    read: (bytes) => inflateSync(bytes, unfinished),
  },
  { says: false, mayBe: mayBeDeflate, read: (bytes) => inflateRawSync(bytes, output) },
  { says: false, mayBe: mayBeBrotli, read: (bytes) => brotliDecompressSync(bytes, output) },
];

/** Whether bytes begin as gzip or zlib does, which says so itself. */
export const saysCompressed = (bytes: Uint8Array): boolean => formats.some(({ says, mayBe }) => says && mayBe(bytes));

/** Whether it is worth a try to decompress bytes: of a thousand that are not compressed, a few look as if they were. */
export const mayBeCompressed = (bytes: Uint8Array): boolean => formats.some(({ mayBe }) => mayBe(bytes));

/** What bytes may be once gzip, zlib, deflate or Brotli is undone. */
export function decompressed(bytes: Uint8Array): Uint8Array[] {
  const results: Uint8Array[] = [];
  for (const { mayBe, read } of formats) {
    if (!mayBe(bytes)) continue;
    try {
      const result = read(bytes);
      if (result.length > 0) results.push(result);
    } catch {
      // It was not compressed so, or is longer than is read.
    }
  }
  return results;
}

/** By its first block (RFC 1951, 3.2.3): one that is stored, or has Huffman codes that are fixed or said first. */
function mayBeDeflate(bytes: Uint8Array): boolean {
  // There is no fourth type.
  if (((bytes[0] ?? 0) & 6) === 6) return false;
  const type = ((bytes[0] ?? 0) >> 1) & 3;
  if (type === 2) return hasCompleteCode(bytes);
  if (type === 0) {
    const [, low = 0, high = 0, notLow = 0, notHigh = 0] = bytes;
    return (low ^ notLow) === 0xff && (high ^ notHigh) === 0xff;
  }
  const bits = bitsOf(bytes);
  const isLast = bits.next(1) === 1;
  bits.next(2);
  return isFixedBlock(bits, isLast);
}

/** The bit at which the lengths begin: after the type of the block and the three counts. There are 19 at most. */
const lengthsFrom = 17;

/** Whether the lengths of the codes for code lengths fill their tree (RFC 1951, 3.2.7). */
function hasCompleteCode(bytes: Uint8Array): boolean {
  const head = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) | ((bytes[2] ?? 0) << 16);
  const literals = 257 + ((head >> 3) & 31);
  const distances = 1 + ((head >> 8) & 31);
  const count = 4 + ((head >> 13) & 15);
  const end = lengthsFrom + 3 * count;
  if (literals > 286 || distances > 30 || end > 8 * bytes.length) return false;
  let filled = 0;
  // Most bytes that were not compressed have filled it before they end.
  for (let place = lengthsFrom; place < end && filled <= 128; place += 3) {
    const at = place >> 3;
    const length = (((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)) >> (place & 7)) & 7;
    if (length > 0) filled += 128 >> length;
  }
  return filled === 128;
}

/** By the head of its first meta-block (RFC 7932, 9.1 and 9.2), which says how long what comes out is. */
function mayBeBrotli(bytes: Uint8Array): boolean {
  const bits = bitsOf(bytes);
  // The size of the window takes one, four or seven bits.
  if (bits.next(1) === 1 && bits.next(3) === 0 && bits.next(3) === 1) return false;
  const isLast = bits.next(1) === 1;
  if (isLast && bits.next(1) === 1) return false;
  const nibbles = bits.next(2);
  // Metadata comes first in what no server writes.
  if (nibbles === 3) return false;
  const length = 1 + bits.next(16) + (bits.next(4 * nibbles) << 16);
  const isUncompressed = !isLast && bits.next(1) === 1;
  return length <= (isUncompressed ? bytes.length : Math.min(mostDecompressed, mostGrowth * bytes.length));
}
