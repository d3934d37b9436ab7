/** Kept for the next texts, one for each layer that is read at the same time. */
const spare: Uint16Array[] = [];
const mostSpare = 8;
const longestSpare = 64 * 1024;
const shortestSpare = 1024;

/** Shorter texts are copied faster here than by Node. */
const shortestByNode = 100;

/** Gives the codes of a text's characters to read, at more than twice the speed of `charCodeAt`: only during the call. */
export function withCodes<T>(text: string, read: (codes: Uint16Array) => T): T {
  const kept = spare.pop();
  const codes = kept && kept.length >= text.length ? kept : new Uint16Array(Math.max(text.length, shortestSpare));
  if (text.length < shortestByNode) for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  else Buffer.from(codes.buffer).write(text, 'utf16le');
  try {
    return read(codes);
  } finally {
    if (codes.length <= longestSpare && spare.length < mostSpare) spare.push(codes);
  }
}
