/** As received, in their order and case, with duplicates. */
type ReceivedHeaders = readonly (readonly [name: string, value: string])[];

/** In characters, as browsers have it (RFC 6265, 6.1). */
const longest = 4096;
const most = 20;

/** A browser treats these names as promises about the cookie, and not as a part of its name (RFC 6265bis, 4.1.3). */
const withoutPrefix = (name: string): string => name.replace(/^__(?:Secure|Host)-/, '');

/** Whether a cookie is one that a pattern with at most one `*` names. */
export function isCookieNamed(name: string, pattern: string): boolean {
  const bare = withoutPrefix(name);
  const [start = '', end] = withoutPrefix(pattern).split('*');
  if (end === undefined) return bare === start;
  return bare.length >= start.length + end.length && bare.startsWith(start) && bare.endsWith(end);
}

/**
 * Takes over the cookies that an answer sets, of those that are named: one that is set again replaces the old one, and
 * one that has ended is removed (RFC 6265, 5.3). Others are never kept.
 * @param names patterns of {@link isCookieNamed}
 * @param mayBeSecure whether a cookie that asks for a safe connection has one
 * @param nowMs milliseconds since 1970
 */
export function withCookies(
  jar: Readonly<Record<string, string>>,
  headers: ReceivedHeaders,
  names: readonly string[],
  { mayBeSecure, nowMs }: { mayBeSecure: boolean; nowMs: number },
): Record<string, string> {
  const kept = new Map(Object.entries(jar));
  for (const [header, text] of headers) {
    if (header.toLowerCase() !== 'set-cookie' || text.length > longest) continue;
    const [pair = '', ...attributes] = text.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    if (at < 1 || name === '__proto__' || !names.some((each) => isCookieNamed(name, each))) continue;
    if (hasEnded(value, attributes, nowMs)) kept.delete(name);
    else if (!mayBeSecure && attributes.some((each) => each.trim().toLowerCase() === 'secure')) continue;
    else if (kept.has(name) || kept.size < most) kept.set(name, value);
  }
  return Object.fromEntries(kept);
}

/** The value of a `Cookie` header. */
export const cookieHeader = (jar: Readonly<Record<string, string>>): string =>
  Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

function hasEnded(value: string, attributes: readonly string[], nowMs: number): boolean {
  if (value === '' || value === '""') return true;
  let ended = false;
  for (const attribute of attributes) {
    const [name = '', said = ''] = attribute.split('=', 2).map((part) => part.trim());
    // Max-Age counts before Expires, wherever it stands (RFC 6265, 5.3).
    if (/^max-age$/i.test(name) && /^-?\d+$/.test(said)) return Number(said) <= 0;
    if (/^expires$/i.test(name)) ended = Date.parse(said) <= nowMs;
  }
  return ended;
}

/** Whether a cookie that asks for a safe connection is kept: https, or this computer, as browsers have it. */
export function isSafeConnection(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
