/** The next bits of bytes from a bit on as a number, the lowest first, 24 at most; zeros after the end. */
export function bitsAt(bytes: Uint8Array, place: number, count: number): number {
  const at = place >> 3;
  const held =
    (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  return (held >>> (place & 7)) & ((1 << count) - 1);
}

/** So many symbols without an error are enough. */
const mostSymbols = 24;
const endOfBlock = 256;
const shortestText = 6;

/** A number whose bits come in the other order. */
function turned(code: number, count: number): number {
  let result = 0;
  for (let at = 0; at < count; at++) result |= ((code >> at) & 1) << (count - 1 - at);
  return result;
}

/** By the next nine bits, the symbol that they begin with and how many of them it takes: the highest comes first. */
const symbols = Array.from({ length: 512 }, (_, bits) => {
  const code = turned(bits, 9);
  if (code >> 2 < 24) return { symbol: 256 + (code >> 2), taken: 7 };
  if (code >> 1 < 192) return { symbol: (code >> 1) - 48, taken: 8 };
  if (code >> 1 < 200) return { symbol: 280 + (code >> 1) - 192, taken: 8 };
  return { symbol: 144 + code - 400, taken: 9 };
});
const symbolOf = Uint16Array.from(symbols, ({ symbol }) => symbol);
const takenBy = Uint8Array.from(symbols, ({ taken }) => taken);

/** By the code of a length or a distance: the least it stands for, and how many bits say what is to be added. */
const lengths = Array.from({ length: 29 }, (_, code) => {
  if (code < 8) return { least: 3 + code, extra: 0 };
  if (code === 28) return { least: 258, extra: 0 };
  const extra = (code >> 2) - 1;
  return { least: 3 + ((4 + (code & 3)) << extra), extra };
});
const distances = Array.from({ length: 32 }, (_, bits) => {
  const code = turned(bits, 5);
  if (code < 4) return { least: 1 + code, extra: 0 };
  if (code > 29) return { least: Infinity, extra: 0 };
  const extra = (code >> 1) - 1;
  return { least: 1 + ((2 + (code & 1)) << extra), extra };
});

/**
 * Whether a block with fixed codes has no error in its first symbols (RFC 1951, 3.2.5 and 3.2.6), and is not the last
 * one with a text that is too short to hold a secret.
 * @param start the bit after the type of the block
 */
export function isFixedBlock(bytes: Uint8Array, length: number, start: number, isLast: boolean): boolean {
  let place = start;
  let written = 0;
  for (let count = 0; count < mostSymbols; count++) {
    const next = bitsAt(bytes, place, 9);
    const symbol = symbolOf[next]!;
    place += takenBy[next]!;
    if (place > 8 * length || symbol > 285) return false;
    if (symbol === endOfBlock) return !isLast || written >= shortestText;
    if (symbol < endOfBlock) {
      written++;
      continue;
    }
    const added = lengths[symbol - 257]!;
    const more = bitsAt(bytes, place, added.extra);
    const distance = distances[bitsAt(bytes, place + added.extra, 5)]!;
    place += added.extra + 5;
    if (distance.least + bitsAt(bytes, place, distance.extra) > written) return false;
    place += distance.extra;
    written += added.least + more;
  }
  return true;
}
