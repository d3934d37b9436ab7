import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { matchesPath } from './matching.ts';

type Criteria = InterfaceDescription['calls']['login']['success'];

/** A response, and the URL that was requested. */
type LoginResponse = { status: number; location: string | undefined; body: string; url: string };

/** In characters of a page: a form is near its beginning. */
const maxPageCharacters = 200_000;

/** A login form, which frameworks show again after a wrong password. */
const passwordInput = /<input\b[^>]{0,500}\btype\s{0,5}=\s{0,5}["']?password/i;
export const hasPasswordInput = (page: string): boolean => passwordInput.test(page.slice(0, maxPageCharacters));

/**
 * Whether a login succeeded, by the redirects that the description names for it. Any other redirect to the same server
 * means wrong credentials, and so does any other 2xx. Undefined if the response proves nothing about the credentials: no
 * criteria, an error, a redirect to another server or to the same path with a slash, or a page without a login form.
 */
export function isLoginSuccess(
  criteria: Criteria,
  { status, location, body, url }: LoginResponse,
): boolean | undefined {
  if (!criteria || status >= 400) return undefined;
  if (status < 300) return /^\s*</.test(body) && !hasPasswordInput(body) ? undefined : false;
  // Java writes the session there for a client that sent no cookie yet (Servlet 6.0, 7.1.3).
  const redirect = location?.replace(/;jsessionid=[^/?#]*/i, '');
  const [target, from] = [redirect === undefined ? null : URL.parse(redirect, url), URL.parse(url)];
  if (!target || !from) return undefined;
  const isNamed = criteria.some((each) => {
    const expected = URL.parse(each.location, url);
    const path = expected ? expected.pathname + expected.search : '';
    return (
      each.status === status && expected?.origin === target.origin && matchesPath(target.pathname + target.search, path)
    );
  });
  if (isNamed) return true;
  const isElsewhere = target.origin !== from.origin;
  const isSlash = target.pathname !== from.pathname && withoutSlash(target.pathname) === withoutSlash(from.pathname);
  return isElsewhere || isSlash ? undefined : false;
}

/**
 * True if a response to a logout is the redirect that servers with pages send after it, as Passport's own tutorial and
 * Devise do: 302 or 303 (RFC 9110, 15.4.3 and 15.4.4) to another page of the same origin. A redirect that keeps the method
 * did nothing, nor did one to the same call with a slash or a language before it.
 */
export function isLogoutSuccess({ status, location, url }: Omit<LoginResponse, 'body'>): boolean {
  const [target, from] = [location === undefined ? null : URL.parse(location, url), URL.parse(url)];
  if ((status !== 302 && status !== 303) || !target || target.origin !== from?.origin) return false;
  const [to, requested] = [lastSegment(target.pathname), lastSegment(from.pathname)];
  return to === '' || to !== requested;
}

const lastSegment = (path: string): string =>
  path
    .split('/')
    .findLast((part) => part !== '')
    ?.toLowerCase() ?? '';

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');
