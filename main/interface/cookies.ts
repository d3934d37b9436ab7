import type { CookieProblem } from '../../preload/contract/result.ts';

/** As received, in their order and case, with duplicates. */
type ReceivedHeaders = readonly (readonly [name: string, value: string])[];

/** Where the reader says that it found a token which is a cookie. */
export const setCookiePath = 'headers.set-cookie';

/** In characters, as browsers have it (RFC 6265, 6.1). */
const longest = 4096;
const most = 20;
/** In characters of a cookie's name, which is a server's text. */
const longestShown = 100;

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
 * A cookie that a description names and that was not kept, and why: as a browser does not keep it (RFC 6265bis, 5.7) or does not send it to the calls that need it
 * (5.8.3): `not-secure` is for https only, `prefix` breaks what `__Host-` or `__Secure-` in its name promises, `domain` is
 * for another host, `path` for other calls, `expired` was over when it came, `too-large` and `too-many` are above the
 * limits.
 */
export type RejectedCookie = { name: string; why: CookieProblem; of: NamedCookie['of'] };

/** A cookie that a description names, and what it is of. `sentTo` is the path of the call that needs it. */
export type NamedCookie = { of: 'session' | 'csrf' | 'refresh'; pattern: string; sentTo?: string | undefined };

/** Who set a cookie, and when: the host name, whether its connection is safe, and milliseconds since 1970. */
export type CookieOrigin = { host: string; isSafe: boolean; nowMs: number };

/**
 * Takes over the cookies that an answer sets, of those that are named: one that is set again replaces the old one, and
 * one that has ended is removed (RFC 6265bis, 5.7). Others are never kept. What is named and not kept is said. A path
 * counts only where the answer says it: what a client takes for one otherwise says nothing about the server.
 */
export function updateCookieJar(
  jar: Readonly<Record<string, string>>,
  headers: ReceivedHeaders,
  named: readonly NamedCookie[],
  origin: CookieOrigin,
): { cookies: Record<string, string>; dropped: RejectedCookie[] } {
  const kept = new Map(Object.entries(jar));
  const dropped = new Map<string, RejectedCookie>();
  for (const [header, text] of headers) {
    if (header.toLowerCase() !== 'set-cookie') continue;
    const [pair = '', ...attributes] = text.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    const wanted = named.find(({ pattern }) => isCookieNamed(name, pattern));
    if (at < 1 || name === '__proto__' || !wanted) continue;
    const why =
      kept.has(name) || kept.size < most
        ? problemOf({ name, value, said: saidIn(attributes) }, wanted, origin)
        : 'too-many';
    if (why === 'expired' && (kept.delete(name) || value === '' || value === '""')) continue;
    if (why !== undefined) {
      dropped.set(name, { name: name.slice(0, longestShown), why, of: wanted.of });
      continue;
    }
    kept.set(name, value);
    dropped.delete(name);
  }
  return { cookies: Object.fromEntries(kept), dropped: [...dropped.values()] };
}

type SetCookie = { name: string; value: string; said: ReadonlyMap<string, string> };

/** The attributes of a cookie by their names in small letters. The last one of a name counts (RFC 6265bis, 5.7). */
const saidIn = (attributes: readonly string[]): Map<string, string> =>
  new Map(
    attributes.map((attribute) => {
      const at = attribute.indexOf('=');
      const name = at < 0 ? attribute : attribute.slice(0, at);
      return [name.trim().toLowerCase(), at < 0 ? '' : attribute.slice(at + 1).trim()];
    }),
  );

function problemOf(
  { name, value, said }: SetCookie,
  { sentTo }: NamedCookie,
  { host, isSafe, nowMs }: CookieOrigin,
): CookieProblem | undefined {
  if (name.length + value.length > longest) return 'too-large';
  if (hasEnded(value, said, nowMs)) return 'expired';
  if (said.has('secure') && !isSafe) return 'not-secure';
  const domain = (said.get('domain') ?? '').toLowerCase().replace(/^\./, '');
  const path = said.get('path') ?? '';
  const isForHost = /^__host-/i.test(name);
  if ((isForHost || /^__secure-/i.test(name)) && !said.has('secure')) return 'prefix';
  if (isForHost && (domain !== '' || path !== '/')) return 'prefix';
  if (domain !== '' && !isWithin(host, domain)) return 'domain';
  return sentTo !== undefined && path.startsWith('/') && !isBelow(sentTo, path) ? 'path' : undefined;
}

/** Whether a host is the domain of a cookie or below it (RFC 6265bis, 5.1.3). */
const isWithin = (host: string, domain: string): boolean =>
  host === domain || (host.endsWith(`.${domain}`) && !/^[\d.]+$|:/.test(host));

/** Whether a path is that of a cookie or below it (RFC 6265bis, 5.1.4). */
const isBelow = (path: string, of: string): boolean => path === of || path.startsWith(of.endsWith('/') ? of : `${of}/`);

/** The value of a `Cookie` header. */
export const cookieHeader = (jar: Readonly<Record<string, string>>): string =>
  Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

/** Max-Age counts before Expires, wherever it stands (RFC 6265bis, 5.7). */
function hasEnded(value: string, said: ReadonlyMap<string, string>, nowMs: number): boolean {
  if (value === '' || value === '""') return true;
  const age = said.get('max-age') ?? '';
  return /^-?\d+$/.test(age) ? Number(age) <= 0 : Date.parse(said.get('expires') ?? '') <= nowMs;
}

/** Whether a cookie that asks for a safe connection is kept: https, or this computer, as browsers have it. */
export function isSafeConnection(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
