const longestOrigin = 300;

/**
 * Reads the origin of web pages as a person types it: `http` or `https`, a host and perhaps a port (RFC 6454, section 4).
 * A slash at its end, capitals and a default port are the same origin. A path, a user, a wildcard or a blank makes it
 * invalid, and so is `null`, which every sandboxed page and every file has.
 *
 * @returns it as a browser writes it in the header `Origin`, or undefined
 */
export function parseWebOrigin(text: string): string | undefined {
  if (text.length > longestOrigin || !/^https?:\/\/[^\s\p{Cc}\p{Cf}/\\?#@*%,;]+\/?$/iu.test(text)) return undefined;
  const url = URL.parse(text);
  return url === null || url.port === '0' || /:\/?$/.test(text) ? undefined : url.origin;
}
