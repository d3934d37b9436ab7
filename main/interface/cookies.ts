import type { CookieProblem } from '../../preload/contract/result.ts';

/** As received, in their order and case, with duplicates. */
type ReceivedHeaders = readonly (readonly [name: string, value: string])[];

/** The path of a token that is a cookie, in interpretations. */
export const setCookiePath = 'headers.set-cookie';

/** In characters, as in browsers (RFC 6265, 6.1). */
const maxCookieCharacters = 4096;
const maxCookies = 20;
/** In characters of a cookie's name, which comes from the server. */
const maxShownName = 100;

/** The prefixes `__Secure-` and `__Host-` are not a part of the name (RFC 6265bis, 4.1.3). */
const withoutPrefix = (name: string): string => name.replace(/^__(?:Secure|Host)-/, '');

/** True if a cookie's name matches a pattern with at most one `*`. */
export function isCookieNamed(name: string, pattern: string): boolean {
  const bare = withoutPrefix(name);
  const [start = '', end] = withoutPrefix(pattern).split('*');
  if (end === undefined) return bare === start;
  return bare.length >= start.length + end.length && bare.startsWith(start) && bare.endsWith(end);
}

/**
 * A cookie of a description that was rejected as browsers do (RFC 6265bis, 5.7), or that browsers do not send to the calls
 * that need it (5.8.3): `not-secure` is for https only, `prefix` breaks a rule of `__Host-` or `__Secure-`, `domain` is for
 * another host, `path` for other calls, `expired` had expired on arrival, `too-large` and `too-many` exceed a limit.
 */
export type RejectedCookie = { name: string; why: CookieProblem; of: NamedCookie['of'] };

/** A cookie of a description and its purpose. `sentTo` is the path of the call that needs it. */
export type NamedCookie = { of: 'session' | 'csrf' | 'refresh'; pattern: string; sentTo?: string | undefined };

/** Where and when a cookie was set: host name, whether the connection is secure, and milliseconds since 1970. */
type CookieOrigin = { host: string; isSafe: boolean; nowMs: number };

/**
 * Takes over the cookies of a response that the description names: one that is set again replaces the old one, and an
 * expired one is removed (RFC 6265bis, 5.7). All others are ignored. The default path does not count: a client derives it,
 * so it proves nothing about the server.
 */
export function updateCookieJar(
  jar: Readonly<Record<string, string>>,
  headers: ReceivedHeaders,
  named: readonly NamedCookie[],
  origin: CookieOrigin,
): { cookies: Record<string, string>; dropped: RejectedCookie[] } {
  const stored = new Map(Object.entries(jar));
  const dropped = new Map<string, RejectedCookie>();
  for (const [header, text] of headers) {
    if (header.toLowerCase() !== 'set-cookie') continue;
    const [pair = '', ...attributes] = text.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    const match = named.find(({ pattern }) => isCookieNamed(name, pattern));
    if (at < 1 || name === '__proto__' || !match) continue;
    const why =
      stored.has(name) || stored.size < maxCookies
        ? problemOf({ name, value, attributes: parseAttributes(attributes) }, match, origin)
        : 'too-many';
    if (why === 'expired' && (stored.delete(name) || value === '' || value === '""')) continue;
    if (why !== undefined) {
      dropped.set(name, { name: name.slice(0, maxShownName), why, of: match.of });
      continue;
    }
    stored.set(name, value);
    dropped.delete(name);
  }
  return { cookies: Object.fromEntries(stored), dropped: [...dropped.values()] };
}

/** The `Max-Age` in seconds of the first cookie of a response that one of the patterns names. */
export function maxAgeOf(headers: ReceivedHeaders, patterns: readonly string[]): number | undefined {
  for (const [header, text] of headers) {
    const [pair = '', ...attributes] = text.split(';');
    const name = pair.split('=', 1)[0]!.trim();
    if (header.toLowerCase() !== 'set-cookie' || !patterns.some((each) => isCookieNamed(name, each))) continue;
    const age = parseAttributes(attributes).get('max-age') ?? '';
    if (/^[1-9]\d{0,9}$/.test(age)) return Number(age);
  }
  return undefined;
}

type SetCookie = { name: string; value: string; attributes: ReadonlyMap<string, string> };

/** The attributes of a cookie by their lower-case names. The last one of a name counts (RFC 6265bis, 5.7). */
const parseAttributes = (attributes: readonly string[]): Map<string, string> =>
  new Map(
    attributes.map((attribute) => {
      const at = attribute.indexOf('=');
      const name = at < 0 ? attribute : attribute.slice(0, at);
      return [name.trim().toLowerCase(), at < 0 ? '' : attribute.slice(at + 1).trim()];
    }),
  );

function problemOf(
  { name, value, attributes }: SetCookie,
  { sentTo }: NamedCookie,
  { host, isSafe, nowMs }: CookieOrigin,
): CookieProblem | undefined {
  if (name.length + value.length > maxCookieCharacters) return 'too-large';
  if (isExpired(value, attributes, nowMs)) return 'expired';
  if (attributes.has('secure') && !isSafe) return 'not-secure';
  const domain = (attributes.get('domain') ?? '').toLowerCase().replace(/^\./, '');
  const path = attributes.get('path') ?? '';
  const isHostCookie = /^__host-/i.test(name);
  if ((isHostCookie || /^__secure-/i.test(name)) && !attributes.has('secure')) return 'prefix';
  if (isHostCookie && (domain !== '' || path !== '/')) return 'prefix';
  if (domain !== '' && !domainMatches(host, domain)) return 'domain';
  return sentTo !== undefined && path.startsWith('/') && !pathMatches(sentTo, path) ? 'path' : undefined;
}

/** RFC 6265bis, 5.1.3. */
const domainMatches = (host: string, domain: string): boolean =>
  host === domain || (host.endsWith(`.${domain}`) && !/^[\d.]+$|:/.test(host));

/** RFC 6265bis, 5.1.4. */
const pathMatches = (path: string, cookiePath: string): boolean =>
  path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);

/** The value of a `Cookie` header. */
export const cookieHeader = (jar: Readonly<Record<string, string>>): string =>
  Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

/** Max-Age takes precedence over Expires (RFC 6265bis, 5.7). */
function isExpired(value: string, attributes: ReadonlyMap<string, string>, nowMs: number): boolean {
  if (value === '' || value === '""') return true;
  const age = attributes.get('max-age') ?? '';
  return /^-?\d+$/.test(age) ? Number(age) <= 0 : Date.parse(attributes.get('expires') ?? '') <= nowMs;
}

/** True if `Secure` cookies are accepted: over https, or from this computer, as in browsers. */
export function isSafeConnection(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
