import type { Operation } from '../base-url.ts';
import type { BodyForm } from './body.ts';
import { isAbout, isLoginPage } from './phrases.ts';

/**
 * What the answer means. Of a session, `ended` says that it is over, and `unknown` that an answer to `perfil` says
 * nothing about it. The others are about the operation that was asked for.
 */
export type Verdict = 'ok' | 'failed' | 'ended' | 'unknown' | 'accepted-without-token' | 'further-step';

export type Evidence = {
  operation: Operation;
  /** Whether a network or a protection answered instead of the server. */
  inBetween: boolean;
  status: number;
  form: BodyForm;
  url: string | undefined;
  location: string | undefined;
  /** The header WWW-Authenticate. */
  challenge: string | undefined;
  message: string | undefined;
  /** Returns the path of the flag that says failure. `zeroCounts` says whether a bare zero does. */
  failureFlag: (zeroCounts: boolean) => string | undefined;
  furtherStep: string | undefined;
  hasToken: boolean;
  hasUser: boolean;
};

type Rule = { rule: string; verdict: Verdict; when: (evidence: Evidence) => boolean };

const is2xx = ({ status }: Evidence): boolean => status >= 200 && status < 300;
const isLogin = ({ operation }: Evidence): boolean => operation === 'login';
const isProfile = ({ operation }: Evidence): boolean => operation === 'perfil';
const isLogout = ({ operation }: Evidence): boolean => operation === 'salir';
const needsToken = (evidence: Evidence): boolean => isProfile(evidence) || isLogout(evidence);
const isJson = ({ form }: Evidence): boolean => form === 'json';
const isPage = ({ form }: Evidence): boolean => form === 'html' || form === 'broken-json';
const fails = (evidence: Evidence): boolean =>
  evidence.failureFlag(!isLogout(evidence) && !evidence.hasToken && !evidence.hasUser) !== undefined;
const refusesToken = ({ message, status }: Evidence): boolean =>
  !isAbout('pageToken', message) &&
  (isAbout('tokenRefused', message) || (status !== 403 && isAbout('unauthorized', message)));

/** Says whether something in between asks for HTTP authentication, which says nothing about the bearer token. */
const asksForOtherScheme = ({ challenge }: Evidence): boolean =>
  challenge !== undefined && /^(?:basic|digest|negotiate|ntlm)\b/i.test(challenge) && !/\bbearer\b/i.test(challenge);

function isSameHost(location: string, url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(location, url)) return true;
  return new URL(location, url).hostname === new URL(url).hostname;
}

/** The first rule that holds decides. */
const rules: readonly Rule[] = [
  // Whatever it says, the server did not say it.
  {
    rule: 'something in between answered instead of the server',
    verdict: 'unknown',
    when: (seen) => isProfile(seen) && seen.inBetween,
  },
  {
    rule: 'something in between answered instead of the server',
    verdict: 'failed',
    when: (seen) => seen.inBetween,
  },

  // These answers end a session, and nothing else does.
  {
    rule: 'something in between asks for HTTP authentication',
    verdict: 'unknown',
    when: (seen) => isProfile(seen) && seen.status === 401 && asksForOtherScheme(seen),
  },
  {
    rule: 'a logout wants a refresh token, which says nothing about the bearer token',
    verdict: 'failed',
    when: (seen) => isLogout(seen) && seen.status >= 400 && seen.status < 500 && isAbout('refreshToken', seen.message),
  },
  {
    rule: 'status 401',
    verdict: 'ended',
    when: (seen) => needsToken(seen) && seen.status === 401 && !asksForOtherScheme(seen),
  },
  {
    rule: 'status 419: the token was not looked at, the session of a page was',
    verdict: 'ended',
    when: (seen) => needsToken(seen) && seen.status === 419,
  },
  {
    rule: 'a redirect to a login page',
    verdict: 'ended',
    when: (seen) =>
      needsToken(seen) &&
      seen.status >= 300 &&
      seen.status < 400 &&
      seen.location !== undefined &&
      isLoginPage(seen.location) &&
      isSameHost(seen.location, seen.url),
  },
  {
    rule: 'Laravel wanted to redirect to a login page',
    verdict: 'ended',
    when: (seen) => needsToken(seen) && seen.status >= 500 && /Route \[login\] not defined/i.test(seen.message ?? ''),
  },
  {
    // This is Spring Security's answer without an entry point.
    rule: 'status 403 without a body',
    verdict: 'ended',
    when: (seen) => needsToken(seen) && seen.status === 403 && seen.form === 'empty',
  },
  {
    rule: 'the message says that the token is refused',
    verdict: 'ended',
    when: (seen) =>
      needsToken(seen) &&
      (isJson(seen) || seen.form === 'text') &&
      seen.status < 500 &&
      (is2xx(seen) ? !seen.hasUser && (isProfile(seen) || fails(seen)) : seen.status >= 400) &&
      refusesToken(seen),
  },

  // These are no answers of the interface.
  {
    rule: 'a page or broken JSON instead of a profile',
    verdict: 'unknown',
    when: (seen) => isProfile(seen) && isPage(seen),
  },
  { rule: 'the profile could not be had', verdict: 'unknown', when: (seen) => isProfile(seen) && !is2xx(seen) },
  { rule: 'a page or broken JSON instead of an answer', verdict: 'failed', when: isPage },
  { rule: 'not a status of success', verdict: 'failed', when: (seen) => !is2xx(seen) },

  // At 2xx, bodies decide.
  {
    rule: 'a second step is asked for',
    verdict: 'further-step',
    when: (seen) => !needsToken(seen) && seen.furtherStep !== undefined,
  },
  { rule: 'a 2xx login with a token', verdict: 'ok', when: (seen) => isLogin(seen) && seen.hasToken },
  { rule: 'the answer says that it failed', verdict: 'unknown', when: (seen) => isProfile(seen) && fails(seen) },
  { rule: 'the answer says that it failed', verdict: 'failed', when: fails },
  { rule: 'a 2xx login without a token', verdict: 'accepted-without-token', when: isLogin },
  { rule: 'no user in the profile', verdict: 'unknown', when: (seen) => isProfile(seen) && !seen.hasUser },
  { rule: 'status 2xx and nothing that says otherwise', verdict: 'ok', when: () => true },
];

export function verdictOf(evidence: Evidence): { verdict: Verdict; rule: string } {
  const { verdict, rule } = rules.find(({ when }) => when(evidence)) ?? { verdict: 'unknown', rule: 'no rule' };
  return { verdict, rule };
}
