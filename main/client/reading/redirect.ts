import { locationOf } from './addresses.ts';
import { isLoginPage } from './phrases.ts';

/** What a redirect of the server itself asks for; each has another remedy. */
type RedirectReason = 'redirect-to-https' | 'redirect-slash' | 'redirect-to-login' | 'redirect';

type Rule = { reason: RedirectReason; when: (target: URL, asked: URL) => boolean };

const withoutSlash = ({ pathname }: URL): string => pathname.replace(/(?<!\/)\/+$/, '');
const isSamePath = (target: URL, asked: URL): boolean => withoutSlash(target) === withoutSlash(asked);
const isSameHost = (target: URL, asked: URL): boolean => target.hostname === asked.hostname;

/** The first rule that holds decides. The path of the login is called like a login page, hence the order. */
const rules: readonly Rule[] = [
  {
    reason: 'redirect-to-https',
    when: (target, asked) =>
      isSameHost(target, asked) &&
      asked.protocol === 'http:' &&
      target.protocol === 'https:' &&
      (isSamePath(target, asked) || !isLoginPage(target.pathname)),
  },
  {
    // Django's APPEND_SLASH does this, and Symfony the other way round.
    reason: 'redirect-slash',
    when: (target, asked) =>
      target.host === asked.host && isSamePath(target, asked) && target.pathname !== asked.pathname,
  },
  {
    // Laravel and Spring Security send on whoever did not ask for JSON.
    reason: 'redirect-to-login',
    when: (target, asked) => isSameHost(target, asked) && !isSamePath(target, asked) && isLoginPage(target.pathname),
  },
];

export function redirectReason(location: string | undefined, url: string | undefined): RedirectReason {
  const found = location === undefined ? undefined : locationOf(location, url);
  if (!found) return 'redirect';
  return rules.find(({ when }) => when(found.target, found.asked))?.reason ?? 'redirect';
}
