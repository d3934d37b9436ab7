const longestOrigin = 300;

/**
 * Parses an origin as users type it: `http` or `https`, a host and possibly a port (RFC 6454, section 4). A trailing slash,
 * capitals and a default port are normalised. Invalid with a path, a user, a wildcard or a space, and for `null`, the origin
 * of every sandboxed page and every file.
 * @returns the origin as in the header `Origin`, or undefined
 */
export function parseWebOrigin(text: string): string | undefined {
  if (text.length > longestOrigin || !/^https?:\/\/[^\s\p{Cc}\p{Cf}/\\?#@*%,;]+\/?$/iu.test(text)) return undefined;
  const url = URL.parse(text);
  return url === null || url.port === '0' || /:\/?$/.test(text) ? undefined : url.origin;
}
