import type { InterfaceDescription, OperationSecurity } from '../../preload/contract/interface.ts';
import { isCookieNamed } from './cookies.ts';
import { renewalOutput } from './refresh-token.ts';
import { cookieNamePatterns, operationSecurity, sessionSchemes } from './security-schemes.ts';
import { matchesTemplate, extractValues, type PlainJson } from './template.ts';
import type { ApiAdapter } from './api-adapter.ts';
import { decodePercent } from './decode-percent.ts';

/**
 * Reads the credential of a request to a server of an interface, and says it as `interface.md` has it: `Bearer <token>`,
 * with another case of the scheme as another case, and undefined without one.
 * @param header the value of a header, by its name in small letters
 */
export const authorizationOf = (
  description: InterfaceDescription,
  header: (name: string) => string | undefined,
): string | undefined => firstOf(sessionSchemes(description), header);

const firstOf = (
  ways: readonly OperationSecurity[],
  header: (name: string) => string | undefined,
): string | undefined => ways.map((way) => authorizationBy(way, header)).find((each) => each !== undefined);

function authorizationBy(
  security: OperationSecurity,
  header: (name: string) => string | undefined,
): string | undefined {
  if (security.type === 'none') return undefined;
  if (security.type === 'http') {
    const sent = header('authorization');
    const { scheme } = security;
    if (sent === undefined || scheme === 'Bearer') return sent;
    const [, itsScheme = '', token = ''] = /^(\S+) +(\S.*)$/s.exec(sent) ?? [];
    if (itsScheme.toLowerCase() !== scheme.toLowerCase()) return undefined;
    return `${itsScheme === scheme ? 'Bearer' : 'bearer'} ${token}`;
  }
  const token =
    security.in === 'header' ? header(security.name.toLowerCase()) : cookieIn(header('cookie') ?? '', security.name);
  return token === undefined || token === '' ? undefined : `Bearer ${token}`;
}

/** What a session is to be renewed by, and whether that is another value than its token. */
export type RenewalRequest = { token: string; isRefreshToken: boolean };

/**
 * Reads a request to renew a session; undefined if a request is another call.
 * @param authorization the answer of {@link authorizationOf}
 * @param own what such a call carries where it has a way of its own: the answer of {@link readRenewalCredential}
 */
export function readRenewal(
  adapter: ApiAdapter,
  {
    method,
    url,
    authorization,
    own,
  }: { method: string; url: string; authorization: string | undefined; own?: string | undefined },
  body: PlainJson | undefined,
): RenewalRequest | undefined {
  const template = adapter.description.calls.refresh?.body;
  const calls = adapter.paths.callsAt(url).filter((call) => call.method === method);
  // Where logging in has the same address, the body tells which of the two it is.
  if (!calls.some(({ name }) => name === 'refresh') || (calls.length > 1 && !matchesTemplate(template, body)))
    return undefined;
  if (own !== undefined) return { token: own, isRefreshToken: renewsByOther(adapter.description) };
  const name = renewalOutput(adapter.description) ?? 'token';
  const sent = template === undefined ? undefined : extractValues(template, body, (each) => each === name)[name];
  const token = typeof sent === 'string' ? sent : undefined;
  if (name !== 'token') return { token: token ?? '', isRefreshToken: true };
  return { token: token ?? authorization?.replace(/^bearer +/i, '') ?? '', isRefreshToken: false };
}

/** What a request that renews a session carries in a way of that call's own; undefined where it has none. */
export const readRenewalCredential = (
  description: InterfaceDescription,
  header: (name: string) => string | undefined,
): string | undefined => firstOf(operationSecurity(description, 'refresh') ?? [], header)?.replace(/^bearer +/i, '');

/** Whether what the call carries is another value than the session's token. */
function renewsByOther(description: InterfaceDescription): boolean {
  const own = operationSecurity(description, 'refresh') ?? [];
  return renewalOutput(description) !== 'token' || cookieNamePatterns(own).length > 0;
}

/** The methods that change nothing (RFC 9110, 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request changes something without the header that says the cookie against forged requests.
 * @param header the value of a header, by its name in small letters
 */
export function failsCsrfCheck(
  description: InterfaceDescription,
  method: string,
  header: (name: string) => string | undefined,
): boolean {
  const { csrf } = description;
  const ways = sessionSchemes(description);
  const cookies = cookieNamePatterns(ways);
  if (!csrf || cookies.length === 0 || safeMethods.has(method)) return false;
  const jar = header('cookie') ?? '';
  const hasSession = cookies.some((each) => cookieIn(jar, each) !== undefined);
  // Where no call gives that cookie, the first answer does. No page has a token that is in a header.
  if (!hasSession && (csrf.from === undefined || authorizationOf(description, header) !== undefined)) return false;
  const value = cookieIn(jar, csrf.cookie);
  return value === undefined || value === '' || value !== header(csrf.header.toLowerCase());
}

/** The value of a cookie in a `Cookie` header, by a name with at most one `*`. */
export function cookieIn(text: string, pattern: string): string | undefined {
  for (const pair of text.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && isCookieNamed(pair.slice(0, at).trim(), pattern)) return decodePercent(pair.slice(at + 1).trim());
  }
  return undefined;
}

/** The characters that a cookie's value cannot have (RFC 6265, 4.1.1), and the one that escapes. */
const notInCookies = /[^!#$&-+\-./0-9:<-[\]-~]/gu;

/**
 * A `Set-Cookie` for a cookie that a description names, with at most one `*` in the name. An empty value ends it.
 * @param options.maxAge in seconds
 */
export function setCookie(
  pattern: string,
  value: string,
  { httpOnly = true, maxAge }: { httpOnly?: boolean; maxAge?: number } = {},
): string {
  const name = pattern.replace(/^\*(?=[A-Za-z])/, 'llavero.').replace('*', 'llavero');
  const text = value.toWellFormed().replaceAll(notInCookies, (sign) => encodeURIComponent(sign));
  return [
    `${name}=${text}`,
    'Path=/',
    ...(value === '' ? ['Max-Age=0'] : maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ...(httpOnly ? ['HttpOnly'] : []),
    'SameSite=Lax',
    ...(name.startsWith('__') ? ['Secure'] : []),
  ].join('; ');
}
