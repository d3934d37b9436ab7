/** Bits of bytes, the lowest first; zeros after the end. */
export type Bits = ReturnType<typeof bitsOf>;

export function bitsOf(bytes: Uint8Array) {
  let place = 0;
  return {
    /** The next bits as a number, 24 at most. */
    next(count: number): number {
      const at = place >> 3;
      const held =
        (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
      const number = (held >>> (place & 7)) & ((1 << count) - 1);
      place += count;
      return number;
    },
    /** Whether more were read than there are. */
    isOver: (): boolean => place > 8 * bytes.length,
  };
}

/** So many symbols without an error are enough. */
const mostSymbols = 24;
const endOfBlock = 256;
const shortestText = 6;

/**
 * Whether a block with fixed codes has no error in its first symbols (RFC 1951, 3.2.5 and 3.2.6), and is not the last
 * one with a text that is too short to hold a secret.
 */
export function isFixedBlock(bits: Bits, isLast: boolean): boolean {
  let written = 0;
  for (let count = 0; count < mostSymbols; count++) {
    const symbol = symbolOf(bits);
    if (bits.isOver() || symbol > 285) return false;
    if (symbol === endOfBlock) return !isLast || written >= shortestText;
    if (symbol < endOfBlock) {
      written++;
      continue;
    }
    const length = lengthOf(symbol - 257, bits);
    if (distanceOf(bits) > written) return false;
    written += length;
  }
  return true;
}

/** Codes have seven to nine bits, of which the highest comes first. */
function symbolOf(bits: Bits): number {
  let code = 0;
  for (let at = 0; at < 7; at++) code = 2 * code + bits.next(1);
  if (code < 24) return 256 + code;
  code = 2 * code + bits.next(1);
  if (code < 192) return code - 48;
  if (code < 200) return 280 + code - 192;
  return 144 + 2 * code + bits.next(1) - 400;
}

function lengthOf(code: number, bits: Bits): number {
  if (code < 8) return 3 + code;
  if (code === 28) return 258;
  const extra = (code >> 2) - 1;
  return 3 + ((4 + (code & 3)) << extra) + bits.next(extra);
}

function distanceOf(bits: Bits): number {
  let code = 0;
  for (let at = 0; at < 5; at++) code = 2 * code + bits.next(1);
  if (code < 4) return 1 + code;
  if (code > 29) return Infinity;
  const extra = (code >> 1) - 1;
  return 1 + ((2 + (code & 1)) << extra) + bits.next(extra);
}
