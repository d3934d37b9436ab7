import { fieldsIn, type Role } from './call-template.ts';
import type { SeenRequest } from './seen-request.ts';

export type Candidate = { request: SeenRequest; score: number };

const words = {
  login: /log[-_ ]?in|log[-_ ]?on|sign[-_ ]?in|token|session|auth|acceso|entrar|iniciar/i,
  register: /regist|sign[-_ ]?up|create[-_ ]?account|new[-_ ]?user|alta\b|join\b/i,
  logout: /log[-_ ]?(?:out|off)|sign[-_ ]?(?:out|off)|revoke|salir|cerrar/i,
  profile:
    /^(?:me|users?|profile|sessions?|whoami|user-?info|accounts?|perfil|current.*|get-session|validate_token|self)$/i,
  refresh: /refresh|renew/i,
} as const;
/** A word that says it in its own right, beside those that stand in many paths. */
const plainLogin = /log[-_ ]?in|sign[-_ ]?in|entrar|acceso/i;

/** What a log-in is not, although it takes a password. */
const elsewhere = /forgot|reset|recover|change|update|verif|confirm|invite|admin|magic|otp|2fa|mfa/i;

/** Finds the requests that may be each call, the likeliest first. */
export function candidatesOf(requests: readonly SeenRequest[]): Record<Role, Candidate[]> {
  const found: Record<Role, Candidate[]> = { register: [], login: [], profile: [], logout: [], refresh: [] };
  const seen = new Set<string>();
  const withToken: Candidate[] = [];
  for (const request of requests) {
    const about = aboutOf(request);
    const key = `${request.method} ${about.path} ${about.fields.map(({ name }) => name).join()} ${about.grant}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const role of ['register', 'login', 'profile', 'logout', 'refresh'] as const) {
      const score = scores[role](about);
      if (score > 0) found[role].push({ request, score });
    }
    if (about.hasToken && isReading(about)) withToken.push({ request, score: isOfPeople(about) ? 4 : 3 });
  }
  // What a token is sent for is rather the profile than what has its name alone.
  if (!found.profile.some(({ request }) => withToken.some((each) => each.request === request))) {
    found.profile.push(...withToken);
  }
  for (const list of Object.values(found)) list.sort((one, other) => other.score - one.score);
  return found;
}

type About = ReturnType<typeof aboutOf>;

function aboutOf(request: SeenRequest) {
  const path = request.url.replace(/^(?:https?:\/\/[^/?#]*|\{\{[^{}]*\}\})/i, '').replace(/[?#].*$/, '');
  const segments = path.split('/').filter((segment) => segment !== '');
  const fields = fieldsIn(request.body);
  const count = (wanted: string) => fields.filter(({ field }) => field === wanted).length;
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  const given = fields.find(({ name }) => name === 'grant_type')?.value;
  const grant = typeof given === 'string' ? given : (query.get('grant_type') ?? '');
  const spoken = (request.name ?? '').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const bare = { last: segments.at(-1) ?? '', before: segments.slice(0, -1).join('/'), spoken };
  const passwords = count('password');
  const isSecured =
    request.security !== undefined || request.headers.some(([name]) => /^(?:authorization|cookie)$/i.test(name));
  const hasToken =
    request.security?.type === 'http' ||
    request.headers.some(([name, value]) => /^authorization$/i.test(name) && !/^(?:basic\b|$)/i.test(value));
  return { ...bare, method: request.method, path, segments, fields, passwords, grant, count, isSecured, hasToken };
}

/** Whether a request asks for something, and neither ends nor renews a session. */
const isReading = (about: About): boolean =>
  about.method === 'GET' && said(words.logout, about) === 0 && said(words.refresh, about) === 0;

const isOfPeople = ({ segments }: About): boolean => segments.some((segment) => words.profile.test(segment));

/** How much a word says: most at the end of a path, less in a name, least on the way. */
const said = (word: RegExp, { last, before, spoken }: About): number =>
  (word.test(last) ? 3 : 0) + (word.test(spoken) ? 2 : 0) + (word.test(before) ? 1 : 0);

const isElsewhere = ({ last, spoken }: About): boolean => elsewhere.test(last) || elsewhere.test(spoken);

const scores: Record<Role, (about: About) => number> = {
  login(about) {
    const { method, passwords, count, grant, fields, last, spoken } = about;
    // An address of a `.env` has no body.
    const isNamed = fields.length === 0 && plainLogin.test(spoken) && /[_-]url$|[_-]endpoint$/i.test(spoken);
    if (method !== 'POST' || (!isNamed && passwords !== 1) || count('cpassword') > 0) return 0;
    if (words.register.test(last) || words.register.test(spoken) || isElsewhere(about)) return 0;
    const isGrant = grant === 'password' ? 4 : 0;
    const word = said(words.login, about) + (plainLogin.test(last) ? 1 : 0);
    if (word + isGrant === 0) return 0;
    return word + isGrant + (count('email') > 0 ? 1 : 0) - Math.max(0, fields.length - 4) - (count('name') > 0 ? 2 : 0);
  },
  register(about) {
    const { method, passwords, count, last, grant, spoken } = about;
    const isNamed = passwords === 0 && words.register.test(spoken) && /[_-]url$|[_-]endpoint$/i.test(spoken);
    if (!/^(?:POST|PUT)$/.test(method) || (!isNamed && passwords === 0) || grant !== '' || isElsewhere(about)) return 0;
    const word = said(words.register, about);
    if (word === 0 && plainLogin.test(last)) return 0;
    const score =
      word + (count('cpassword') > 0 ? 3 : 0) + (count('name') > 0 ? 2 : 0) + (/^users?$/i.test(last) ? 1 : 0);
    return count('email') > 0 || count('name') > 0 || isNamed ? score : 0;
  },
  profile(about) {
    const { method, last, segments, isSecured, spoken } = about;
    const lastWord = /^(?:\{.*\}|:.*)$/.test(last) ? '' : last.replace(/^get[-_]/i, '').replace(/\.\w{1,4}$/, '');
    if (method !== 'GET' || !(words.profile.test(last) || words.profile.test(lastWord))) return 0;
    const isOwn = /^(?:me|whoami|user-?info|self|profile|perfil|current.*|get-session|validate_token)$/i.test(last);
    const isMany = /^(?:users|accounts|sessions)$/i.test(last);
    const isSpoken = /\bme\b|profile|perfil|current|who ?am|session/i.test(spoken);
    const isNear = segments.some((segment) => words.login.test(segment)) ? 1 : 0;
    return (
      (isOwn ? 3 : isMany ? 0 : 2) + (isSecured ? 2 : 0) + (isSpoken ? 1 : 0) + isNear - (isMany && !isSpoken ? 2 : 0)
    );
  },
  logout(about) {
    const { method, passwords, last } = about;
    if (!/^(?:POST|DELETE|GET)$/.test(method) || passwords > 0) return 0;
    const isEnd = method === 'DELETE' && /^(?:sessions?|tokens?|login|auth)$/i.test(last) ? 3 : 0;
    return said(words.logout, about) > 1 || isEnd > 0
      ? said(words.logout, about) + isEnd - (method === 'GET' ? 2 : 0)
      : 0;
  },
  refresh(about) {
    const { method, grant, passwords } = about;
    if (method !== 'POST' || passwords > 0) return 0;
    return said(words.refresh, about) + (grant === 'refresh_token' ? 4 : 0);
  },
};
