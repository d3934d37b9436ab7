import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { bitsAt, isFixedBlock } from './deflate-bits.ts';

/** Of what was compressed, so much is read. */
const mostDecompressed = 1024 * 1024;

/** No more than so many times its length comes out of what was compressed. */
const mostGrowth = 1032;

/** Most of what is tried was not compressed, and then the room that Node takes for what comes out is all of the work. */
const room = (bytes: Uint8Array): number => Math.min(16_384, 256 + 8 * bytes.length);

const output = (bytes: Uint8Array) => ({ maxOutputLength: mostDecompressed, chunkSize: room(bytes) });
const unfinished = (bytes: Uint8Array) => ({ ...output(bytes), finishFlush: constants.Z_SYNC_FLUSH });

/** What is asked whether bytes may be compressed reads at most so many after the last of them, which are zeros. */
export const bytesAfter = 32;

type Format = {
  says: boolean;
  mayBe: (bytes: Uint8Array, length: number) => boolean;
  read: (bytes: Uint8Array) => Buffer;
};

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isZlib = (bytes: Uint8Array): boolean =>
  (bytes[0]! & 0x0f) === 8 && (bytes[0]! * 256 + (bytes[1] ?? 0)) % 31 === 0;

/** The last two say nothing of themselves and can be mistaken for one another. */
const formats: readonly Format[] = [
  { says: true, mayBe: isGzip, read: (bytes) => gunzipSync(bytes, unfinished(bytes)) },
  { says: true, mayBe: isZlib, read: (bytes) => inflateSync(bytes, unfinished(bytes)) },
  { says: false, mayBe: mayBeDeflate, read: (bytes) => inflateRawSync(bytes, output(bytes)) },
  { says: false, mayBe: mayBeBrotli, read: (bytes) => brotliDecompressSync(bytes, output(bytes)) },
];

/** Whether bytes begin as gzip or zlib does, which says so itself. */
export const saysCompressed = (bytes: Uint8Array, length: number): boolean =>
  length > 0 && (isGzip(bytes) || isZlib(bytes));

/** Whether it is worth a try to decompress bytes: of a thousand that are not compressed, a few look as if they were. */
export const mayBeCompressed = (bytes: Uint8Array, length: number): boolean =>
  saysCompressed(bytes, length) || mayBeDeflate(bytes, length) || mayBeBrotli(bytes, length);

/** What bytes may be once gzip, zlib, deflate or Brotli is undone. */
export function decompressed(bytes: Uint8Array): Uint8Array[] {
  const results: Uint8Array[] = [];
  // Nobody reads where it failed, and to write that down takes longer than to fail.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (const { mayBe, read } of formats) {
    if (!mayBe(bytes, bytes.length)) continue;
    try {
      const result = read(bytes);
      if (result.length > 0) results.push(result);
    } catch {
      // It was not compressed so, or is longer than is read.
    }
  }
  Error.stackTraceLimit = stackTraceLimit;
  return results;
}

/** By its first block (RFC 1951, 3.2.3): one that is stored, or has Huffman codes that are fixed or said first. */
function mayBeDeflate(bytes: Uint8Array, length: number): boolean {
  const first = bytes[0] ?? 0;
  const type = (first >> 1) & 3;
  // There is no fourth type.
  if (type === 3) return false;
  if (type === 2) return hasCompleteCode(bytes, length);
  if (type === 1) return isFixedBlock(bytes, length, 3, (first & 1) === 1);
  return ((bytes[1] ?? 0) ^ (bytes[3] ?? 0)) === 0xff && ((bytes[2] ?? 0) ^ (bytes[4] ?? 0)) === 0xff;
}

/** The bit at which the lengths begin: after the type of the block and the three counts. There are 19 at most. */
const lengthsFrom = 17;

/** Whether the lengths of the codes for code lengths fill their tree (RFC 1951, 3.2.7). */
function hasCompleteCode(bytes: Uint8Array, size: number): boolean {
  const head = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) | ((bytes[2] ?? 0) << 16);
  const literals = 257 + ((head >> 3) & 31);
  const distances = 1 + ((head >> 8) & 31);
  const count = 4 + ((head >> 13) & 15);
  const end = lengthsFrom + 3 * count;
  if (literals > 286 || distances > 30 || end > 8 * size) return false;
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
function mayBeBrotli(bytes: Uint8Array, size: number): boolean {
  const head = bitsAt(bytes, 0, 24);
  // The size of the window takes one, four or seven bits, of which one value is none.
  if ((head & 0x7f) === 0x11) return false;
  let place = (head & 1) === 0 ? 1 : (head & 0x0e) === 0 ? 7 : 4;
  const isLast = ((head >> place++) & 1) === 1;
  if (isLast && ((head >> place++) & 1) === 1) return false;
  const nibbles = (head >> place) & 3;
  // Metadata comes first in what no server writes.
  if (nibbles === 3) return false;
  const length = 1 + bitsAt(bytes, place + 2, 16) + (bitsAt(bytes, place + 18, 4 * nibbles) << 16);
  const isUncompressed = !isLast && bitsAt(bytes, place + 18 + 4 * nibbles, 1) === 1;
  return length <= (isUncompressed ? size : Math.min(mostDecompressed, mostGrowth * size));
}
