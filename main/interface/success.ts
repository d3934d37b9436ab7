import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { matchesPath } from './matching.ts';

type Criteria = InterfaceDescription['calls']['login']['success'];

/** An answer to the log-in, and the address that it is from. */
type Answered = { status: number; location: string | undefined; body: string; url: string };

/** In characters of a page: a form stands near its beginning, or it is a very long page. */
const readWithin = 200_000;

/** A page that asks for the password, as a framework shows it again after a wrong one. */
const passwordInput = /<input\b[^>]{0,500}\btype\s{0,5}=\s{0,5}["']?password/i;
export const hasPasswordInput = (page: string): boolean => passwordInput.test(page.slice(0, readWithin));

/**
 * Whether an answer to the log-in says yes where the description names the redirects that do. Any other target at the same
 * server is a no, and so is another answer of 2xx. It is undefined where that says nothing of what was typed: without such
 * criteria, for an error, for a way to another server or to the same path with a slash, and for a page without a log-in form.
 */
export function isLoginSuccess(criteria: Criteria, { status, location, body, url }: Answered): boolean | undefined {
  if (!criteria || status >= 400) return undefined;
  if (status < 300) return /^\s*</.test(body) && !hasPasswordInput(body) ? undefined : false;
  // Java writes the session there for a client that sent no cookie yet (Servlet 6.0, 7.1.3).
  const meant = location?.replace(/;jsessionid=[^/?#]*/i, '');
  const [target, from] = [meant === undefined ? null : URL.parse(meant, url), URL.parse(url)];
  if (!target || !from) return undefined;
  const isNamed = criteria.some((each) => {
    const wanted = URL.parse(each.location, url);
    const path = wanted ? wanted.pathname + wanted.search : '';
    return (
      each.status === status && wanted?.origin === target.origin && matchesPath(target.pathname + target.search, path)
    );
  });
  if (isNamed) return true;
  const isElsewhere = target.origin !== from.origin;
  const isSlash = target.pathname !== from.pathname && withoutSlash(target.pathname) === withoutSlash(from.pathname);
  return isElsewhere || isSlash ? undefined : false;
}

/**
 * Whether an answer to the log-out is a redirect by which servers of pages say that it was done, as Passport's own tutorial
 * and Devise do: 302 or 303 (RFC 9110, 15.4.3 and 15.4.4) to another page of the same origin. One that keeps the method has
 * done nothing, and neither has one to the same call elsewhere, such as with a slash or a language before it.
 */
export function isLogoutSuccess({ status, location, url }: Omit<Answered, 'body'>): boolean {
  const [target, from] = [location === undefined ? null : URL.parse(location, url), URL.parse(url)];
  if ((status !== 302 && status !== 303) || !target || target.origin !== from?.origin) return false;
  const [to, asked] = [lastOf(target.pathname), lastOf(from.pathname)];
  return to === '' || to !== asked;
}

const lastOf = (path: string): string =>
  path
    .split('/')
    .findLast((part) => part !== '')
    ?.toLowerCase() ?? '';

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');
