/**
 * True if a path after a base URL stays below it. A browser's URL drops segments of dots also where they are
 * percent-encoded, reads `\` as `/`, and takes two slashes at the start for another host (WHATWG URL, 4.4).
 */
export function isSafePath(path: string): boolean {
  if (path.startsWith('//') || /[\\#\s]/.test(path)) return false;
  const [onlyPath = ''] = path.split('?', 1);
  return onlyPath
    .replaceAll(/%2e/gi, '.')
    .split(/\/|%2f|%5c/i)
    .every((segment) => !/^\.{1,2}$/.test(segment));
}

/**
 * Percent-encodes spaces and characters beyond ASCII, as the WHATWG URL Standard does for a path and a query (1.3, 4.4).
 * Everything else stays: what is encoded already, and quotes.
 */
export const percentEncoded = (text: string): string =>
  text.replaceAll(/[ \u0080-\u{10ffff}]+/gu, (run) =>
    [...Buffer.from(run)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

/**
 * Percent-encodes all but the unreserved characters (RFC 3986, 2.3), for a value of a query. A WHATWG URL leaves that as it
 * is, so that a secret in it is found again in one encoding.
 */
export const percentEncodeAll = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
