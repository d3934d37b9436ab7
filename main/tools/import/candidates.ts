import { leavesOf, findIdentifierFields, type Leaf } from './infer-body.ts';
import { findHeader, isTokenHeader, type ImportedRequest } from './imported-request.ts';
import { meaningOfName, splitWords, type MemberMeaning } from './member-names.ts';
import { splitUrl } from './request-target.ts';
import type { Role } from './roles.ts';

/** A request that may be a call; `byName` if only its name indicates that. */
export type Candidate = { request: ImportedRequest; score: number; byName: boolean };

/** A pattern of alternatives in words that are separated by one blank. */
const wordPattern = (alternatives: string): RegExp =>
  new RegExp(
    `(?:^| )(?:${alternatives
      .trim()
      .split(/\s*\n\s*/)
      .join('|')})(?= |$)`,
  );

const words = {
  login: wordPattern(`
    \\S{0,12}log ?in|\\S{0,12}log ?on|\\S{0,12}sign ?in|tokens?|sessions?|auth|oauth|authenticate|authenticated|authentication|authorize|authorization|local
    access|acceso|acceder|entrar|iniciar|identificar|connexion|connecter|anmelden|anmeldung|einloggen|accedi|accesso|accedere`),
  register: wordPattern(`
    register|registers|registration|registrations|sign ?up|create (?:an? )?(?:new )?(?:user|account)|new (?:user|account)|add user|alta|join|registro|registrar
    registrarse|registrieren|registrierung|inscription|inscrire|registrazione|registrati|cadastro|cadastrar|enroll|enrol`),
  logout: wordPattern(`
    \\S{0,12}log ?out|\\S{0,12}log ?off|sign ?out|sign ?off|salir|cerrar|deconnexion|abmelden|esci|sair|end session`),
  refresh: wordPattern('refresh|refreshes|refresher|renew|renewal|renovar|reissue|rotate|extend|prolong'),
  profile: wordPattern(`
    me|who ?am ?i|my ?self|self|user ?info|profile|perfil|my (?:profile|account|user|details|info)|current (?:user|account|session|profile)|(?:user|account) current
    get session|validate token|logged in user|(?:user|account) (?:info|details|profile)|profil|profilo`),
};
const plainLogin = wordPattern(`
  \\S{0,12}log ?in|\\S{0,12}log ?on|\\S{0,12}sign ?in|authenticate|entrar|acceso|iniciar sesion|anmelden|connexion|accedi`);
/** Other calls with a password. */
const otherPurpose = wordPattern(`
  forgot|forgotten|reset|recover|recovery|change|changes|update|verify|verification|confirm|confirmation|invite|invitation|magic|otp|totp|2fa|mfa|check|exists|validate
  link|unlink|delete|import|test|resend|set password|new password|edit|impersonate|forgot password`);
const peopleWords = /^(?:users?|accounts?|customers?|members?|people|persons?|usuarios?)$/;
const adminWords = wordPattern(
  'admins?|administrators?|administration|adminapi|management|manage|backoffice|staff|impersonate|superadmin|root|internal',
);
/** Words of a path without a meaning for the purpose of a call. */
const neutral = wordPattern(`
  api|rest|v|\\d+|v\\d+|auth|oauth|oauth2|users?|accounts?|customers?|clients?|members?|people|person|web|public|app|json|identity|idp|sso|core|site|self|me|my|current
  sessions?|tokens?|jwt|access|security|credentials|email|password|passwords|local|the|get|post|do|api ?auth|rest ?auth|dj|services?|server|mobile|store|shop|portal|user ?info`);
/** Calls for all sessions or those of others. */
const otherSessions = wordPattern(
  'all|others?|everywhere|global|back ?channel|front ?channel|callback|history|devices|every|webhooks?',
);

const logoutOrOtherSessions = new RegExp(`${words.logout.source}|${otherSessions.source}`);

const globalPatterns = new Map<RegExp, RegExp>();
/** The same pattern with the flag `g`. */
function globalPattern(pattern: RegExp): RegExp {
  const known = globalPatterns.get(pattern) ?? new RegExp(pattern.source, 'g');
  globalPatterns.set(pattern, known);
  return known;
}

/** The words of a request, and the members of its body and its responses. */
class Facts {
  readonly request: ImportedRequest;
  readonly method: string;
  /** The segments of the path in words, without parameters. */
  readonly segments: readonly string[];
  readonly path: string;
  readonly last: string;
  readonly before: string;
  /** The name in words. */
  readonly name: string;
  readonly folder: string;
  readonly leaves: readonly Leaf[];
  readonly grant: string;
  /** Of the path and the query, without the host. */
  readonly parameterCount: number;
  readonly hasToken: boolean;
  readonly isSecured: boolean;
  readonly typesInQuery: boolean;
  /** A description allows no token in a URL, and a password only for a log-in by GET. */
  readonly sendsInQuery: boolean;
  /** What example responses contain. */
  readonly gives: ReadonlySet<'token' | 'refresh' | 'person'>;
  readonly key: string;

  constructor(request: ImportedRequest) {
    const { method, url, name = '', folder = '', body, security } = request;
    this.request = request;
    const { path, query: text } = splitUrl(url);
    const parts = path.split('/').filter((segment) => segment !== '');
    const isParameter = (segment: string) => /^(?:\{.*\}|:.+|<.*>)$/.test(segment);
    this.method = method;
    this.path = parts.join('/').toLowerCase();
    this.parameterCount = parts.filter(isParameter).length + (text.match(/=\{\{/g)?.length ?? 0);
    this.segments = parts
      .filter((segment) => !isParameter(segment))
      .map((segment) => splitWords(segment.replace(/\.(?:json|php|aspx?|do|html?|xml)$/i, '')).join(' '));
    this.last = this.segments.at(-1) ?? '';
    this.before = this.segments.slice(0, -1).join(' ');
    this.name = splitWords(name).join(' ');
    this.folder = splitWords(folder).join(' ');
    this.leaves = leavesOf(body);
    const query = new URLSearchParams(text);
    const given = this.leaves.find(({ means }) => means === 'grant')?.member;
    this.grant =
      typeof given?.value === 'string'
        ? given.value
        : (query.get('grant_type') ?? (given?.choices?.includes('password') || given?.required === true ? 'any' : ''));
    const inQuery = new Set([...query.keys()].map((each) => meaningOfName(each)?.means));
    this.typesInQuery = request.encoding === 'query' || inQuery.has('password') || inQuery.has('cpassword');
    this.sendsInQuery = inQuery.has('token') || inQuery.has('refresh') || this.typesInQuery;
    const [, authorization] = findHeader(request, /^authorization$/i) ?? [];
    const isNeeded = security !== undefined && security.length > 0 && security.every((each) => each.length > 0);
    this.hasToken =
      (isNeeded && security.some((each) => each.some((one) => one.security.type === 'http'))) ||
      (authorization !== undefined && !/^(?:basic\b|$)/i.test(authorization)) ||
      request.headers.some(([header, value]) => value !== '' && isTokenHeader(header));
    this.isSecured = isNeeded || authorization !== undefined || findHeader(request, /^cookie$/i) !== undefined;
    this.gives = findGiven(request);
    const named = this.leaves.map(({ path: memberPath, required, means, member }) => {
      const constant = means === undefined && typeof member.value === 'string' ? member.value.slice(0, 40) : '';
      return `${memberPath.join('.')}${required === true}${constant}`;
    });
    this.key = `${method} ${path} ${named.join()} ${this.grant}`;
  }

  /** The number of members with a meaning, without optional ones. */
  count = (means: MemberMeaning): number =>
    this.leaves.filter((each) => each.means === means && each.required !== false).length;
  has = (means: MemberMeaning): boolean => this.leaves.some((each) => each.means === means);

  /** The weight of a word: most in the last segment, less in the name, least before. */
  weigh = (word: RegExp): number =>
    (word.test(this.last) ? 3 : 0) +
    (word.test(this.name) ? 2 : 0) +
    (word.test(this.before) || word.test(this.folder) ? 1 : 0);

  /** Whether the last segment or the name has the word. */
  mentions = (word: RegExp): boolean => word.test(this.last) || word.test(this.name);

  /** Whether it is an address of a `.env`, which has no body. */
  isNamed = (word: RegExp): boolean => word.test(this.name) && / (?:url|endpoint)$/.test(this.name);

  /** Whether a segment has a further word with a meaning: `refresh_gravatar` is about an avatar. */
  hasOtherWords(segment: string, own: RegExp): boolean {
    const rest = segment
      .replaceAll(globalPattern(own), ' ')
      .replaceAll(/ +/g, ' ')
      .replaceAll(globalPattern(neutral), ' ');
    return rest.trim() !== '';
  }

  /** Whether it is in the folder of the log-in, or below the same path. */
  isNear(login: Facts | undefined): boolean {
    if (login === undefined) return false;
    if (this.folder !== '' && this.folder === login.folder) return true;
    const around = login.path.split('/').slice(0, -1).join('/');
    return (
      this.path === login.path ||
      (around !== '' && !/^(?:api\/?)?(?:v\d+)?$/.test(around) && this.path.startsWith(`${around}/`))
    );
  }
}

/** Whether an example response contains a token, or identifies a user. */
function findGiven({ responses }: ImportedRequest): Facts['gives'] {
  const bodies = responses
    .filter(({ status }) => status >= 200 && status < 300)
    .map(({ body }) => body.slice(0, 20_000));
  const names = bodies
    .flatMap((body) => Array.from(body.matchAll(/"([\w-]{1,60})"\s*:/g), ([, name = '']) => name))
    .slice(0, 200);
  const means = new Set(names.map((name) => meaningOfName(name)?.means));
  const isMany = bodies.some((body) => /^\s*\[/.test(body));
  return new Set([
    ...(means.has('token') || means.has('refresh') ? (['token'] as const) : []),
    ...(means.has('refresh') ? (['refresh'] as const) : []),
    ...(!isMany && (means.has('email') || means.has('username')) ? (['person'] as const) : []),
  ]);
}

/** The likelihood of each call, relative to the log-in; 0 or less for none. */
const scores: Record<Role, (facts: Facts, login: Facts | undefined) => number> = {
  login(facts) {
    const { method, leaves, last, name, grant } = facts;
    const isPassword = facts.has('password') && facts.count('password') <= 1;
    const isBare = leaves.length === 0 && !facts.typesInQuery;
    const isByName =
      isBare &&
      (facts.isNamed(plainLogin) ||
        (plainLogin.test(last) && !facts.hasOtherWords(last, plainLogin)) ||
        /^(?:user |do |auth )?(?:log ?in|sign ?in|authenticate)(?: user)?$/.test(name));
    const isByQuery = facts.request.encoding === 'query';
    if (!(isByQuery || /^(?:POST|PUT)$/.test(method)) || !(isPassword || isByName) || facts.count('cpassword') > 0)
      return 0;
    if (words.register.test(last) || otherPurpose.test(last) || words.logout.test(last)) return 0;
    if (!['', 'any', 'password'].includes(grant)) return 0;
    const isPlain = plainLogin.test(last) || grant === 'password';
    if (isByQuery && !isPlain && !plainLogin.test(name)) return 0;
    if (!isPlain && (words.register.test(name) || otherPurpose.test(name))) return 0;
    if (isByName && !isPassword) return facts.isNamed(plainLogin) || facts.weigh(plainLogin) > 0 ? 2 : 0;
    const required = leaves.filter(
      (each) => each.required === true && each.means === undefined && each.member.value === undefined,
    );
    const word =
      facts.weigh(words.login) + (plainLogin.test(last) ? 1 : 0) + (grant === 'password' ? 4 : grant === 'any' ? 2 : 0);
    // Identity and password are sent, and a token is returned.
    const byContent = facts.gives.has('token') && findIdentifierFields(leaves).length > 0 ? 2 : 0;
    if (word === 0 && (byContent === 0 || facts.count('name') > 0)) return 0;
    const identity = findIdentifierFields(leaves);
    const names = facts.count('name') > 0 && identity.every(({ means }) => means !== 'name') ? 2 : 0;
    const more = (identity.length > 0 ? 1 : 0) - names - (facts.count('code') > 0 ? 2 : 0) - required.length / 2;
    // POST is preferred to a password in a URL.
    return word + byContent + more - (method === 'PUT' ? 1 : isByQuery ? 0.5 : 0) - (facts.parameterCount > 0 ? 1 : 0);
  },
  register(facts, login) {
    const { method, last, grant, name } = facts;
    const isNamed = !facts.has('password') && facts.isNamed(words.register);
    if (!/^(?:POST|PUT)$/.test(method) || !(isNamed || facts.has('password')) || grant !== '' || facts.typesInQuery)
      return 0;
    if (otherPurpose.test(last) || (otherPurpose.test(name) && !words.register.test(last)) || plainLogin.test(last))
      return 0;
    const word = facts.weigh(words.register);
    const isPeople = peopleWords.test(last);
    const isWhole = facts.has('email') || facts.has('name') || facts.has('username') || facts.has('either') || isNamed;
    if (!isWhole || (word < 2 && !isPeople && facts.count('cpassword') === 0)) return 0;
    const byFields =
      (facts.has('cpassword') ? 3 : 0) + (facts.count('name') > 0 ? 2 : 0) + (facts.has('email') ? 1 : 0);
    // A registration needs no session.
    const isInside = facts.isSecured && login !== undefined && !login.isSecured;
    return (
      word +
      byFields +
      (isPeople ? 1 : 0) +
      (facts.isNear(login) ? 1 : 0) -
      (isInside ? 6 : 0) -
      facts.parameterCount * 2
    );
  },
  profile(facts, login) {
    const { method, last, before, isSecured, name, segments } = facts;
    const tokenIn = facts.leaves.filter(({ means, required }) => means === 'token' && required !== false);
    const isByPost =
      method === 'POST' &&
      tokenIn.length === 1 &&
      facts.leaves.every((each) => each === tokenIn[0] || each.required !== true);
    if (method !== 'GET' && !isByPost) return 0;
    const end = last.replace(/^get /, '');
    const isOwn = words.profile.test(end) && !facts.hasOtherWords(end, words.profile);
    const isPart =
      /^(?:current|info|details|check|status)$/.test(end) &&
      /(?:^| )(?:users?|accounts?|auth|sessions?|me)$/.test(before);
    const isOne = /^(?:user|account|session|auth|lookup)$/.test(end);
    const isMany = /^(?:users|accounts|sessions)$/.test(end);
    const isSpoken = words.profile.test(name) || /\bsession\b/.test(name);
    // A GET of `/login` is a page, one of `/session` may be the profile.
    const isSame = login !== undefined && facts.path === login.path && /session|auth|token/.test(last);
    if (
      isByPost &&
      !(
        isOwn ||
        end === 'accounts lookup' ||
        end === 'lookup' ||
        /^(?:get )?(?:account|user) (?:info|data|lookup)$/.test(end)
      )
    )
      return 0;
    if (!isOwn && !isPart && !isOne && !isMany && !isSame && !isByPost) return 0;
    const byPath = isOwn || isPart || isSame || isByPost ? 3 : isMany ? (isSpoken ? 0 : -2) : 2;
    const isElsewhere =
      facts.hasOtherWords(segments.slice(0, -1).at(-1) ?? '', words.profile) && !words.login.test(before);
    return (
      byPath +
      (isSecured ? 2 : 0) +
      (isSpoken ? 1 : 0) +
      (words.login.test(before) ? 1 : 0) +
      (facts.isNear(login) ? 1 : 0) +
      (facts.gives.has('person') ? 1 : 0) -
      (isElsewhere && !/^(?:me|who ?am ?i|user ?info)$/.test(end) ? 2 : 0) -
      facts.parameterCount * 3
    );
  },
  logout(facts, login) {
    const { method, last, before } = facts;
    if (!/^(?:POST|DELETE|GET|PUT)$/.test(method) || facts.has('password')) return 0;
    if (facts.parameterCount > (login?.parameterCount ?? 0)) return 0;
    const isSame = method === 'DELETE' && login !== undefined && facts.path === login.path;
    const isEnd = isSame || (method === 'DELETE' && /^(?:sessions?|tokens?|login|auth)$/.test(last));
    const isRevoked =
      /^(?:revoke|revocation|invalidate)(?: token)?$/.test(last) &&
      /(?:^| )(?:tokens?|oauth|oauth2|auth|connect)(?= |$)/.test(`${before} ${last}`) &&
      facts.isNear(login);
    const word = words.logout.test(last)
      ? facts.weigh(words.logout)
      : words.logout.test(facts.name) && !facts.hasOtherWords(last, words.logout)
        ? 2
        : 0;
    if (word === 0 && !isEnd && !(isRevoked && method === 'POST')) return 0;
    const isExact = words.logout.test(last) && !facts.hasOtherWords(last, words.logout);
    const own = word + (isExact ? 1 : 0) + (isEnd ? 3 : 0) + (isSame ? 2 : 0) + (isRevoked ? 1 : 0);
    const other = (facts.hasOtherWords(last, logoutOrOtherSessions) ? 1 : 0) + (facts.mentions(otherSessions) ? 2 : 0);
    return own + (facts.isNear(login) ? 1 : 0) - other - (method === 'GET' ? 2 : 0);
  },
  refresh(facts, login) {
    const { method, last, grant, leaves } = facts;
    if (
      !/^(?:POST|PUT|GET|PATCH)$/.test(method) ||
      (facts.has('password') && (!facts.has('refresh') || (grant !== 'refresh_token' && grant !== 'any')))
    )
      return 0;
    if (facts.parameterCount > (login?.parameterCount ?? 0)) return 0;
    const isGrant =
      grant === 'refresh_token' || (grant === 'any' && facts.has('refresh') && facts.count('refresh') > 0);
    const isHere = words.refresh.test(last) && !facts.hasOtherWords(last, words.refresh);
    const isSpoken =
      words.refresh.test(facts.name) &&
      /(?:^| )(?:tokens?|session|jwt|auth|access)(?= |$)/.test(facts.name) &&
      !facts.hasOtherWords(last, words.refresh);
    const isTaking = facts.has('refresh') || leaves.some(({ means }) => means === 'token');
    if (!isGrant && !isHere && !isSpoken) return 0;
    // The word alone may refresh anything.
    const isOfSession =
      isTaking ||
      facts.isNear(login) ||
      /(?:^| )(?:tokens?|auth|jwt|sessions?|oauth)(?= |$)/.test(
        `${facts.before} ${last} ${facts.name} ${facts.folder}`,
      );
    if (!isGrant && !isOfSession && login !== undefined && facts.segments.length > 1) return 0;
    return (
      (isHere ? 3 : 0) +
      (isSpoken ? 1 : 0) +
      (isGrant ? 4 : 0) +
      (isTaking ? 2 : 0) +
      (facts.isNear(login) ? 1 : 0) -
      // A GET refreshes nothing, unless it carries a credential.
      (method === 'GET' ? (facts.isSecured ? 1 : 3) : 0)
    );
  },
};

/** The candidates of each call, the likeliest first. */
export function candidatesOf(requests: readonly ImportedRequest[]): Record<Role, Candidate[]> {
  const all = requests.map((request) => new Facts(request));
  const first = new Map(all.toReversed().map((facts) => [facts.key, facts]));
  const different = all.filter((facts) => first.get(facts.key) === facts);
  const isForAdmins = (facts: Facts): boolean =>
    [...facts.segments, facts.folder, facts.name].some((each) => adminWords.test(each)) ||
    facts.leaves.some(
      ({ member, means }) =>
        means === undefined &&
        typeof member.value === 'string' &&
        member.value.length < 40 &&
        adminWords.test(splitWords(member.value).join(' ')),
    );
  const find = (scoreOf: (facts: Facts) => number, isDoubtful?: (facts: Facts) => boolean): Candidate[] =>
    different
      .flatMap((facts): Candidate[] => {
        const score = scoreOf(facts);
        const isBare = facts.leaves.length === 0 && facts.method !== 'GET' && !facts.isSecured;
        const byName = isDoubtful?.(facts) === true || isBare;
        // Calls for administrators come last.
        return score > 0
          ? [{ request: facts.request, byName, score: isForAdmins(facts) ? Math.max(0.5, score - 3) : score }]
          : [];
      })
      .toSorted((one, other) => other.score - one.score);
  // Of several log-ins, the one that returns the refresh token is preferred, if the text has a refresh call.
  const hasRefresh = different.some((facts) => facts.has('refresh') && scores.refresh(facts, undefined) > 3);
  const login = find((facts) => {
    const own = scores.login(facts, undefined);
    return own > 0 && hasRefresh && facts.gives.has('refresh') ? own + 2 : own;
  });
  const [best] = login;
  const loginFacts = best && different.find(({ request }) => request === best.request);
  const isLoginForAdmins = loginFacts !== undefined && isForAdmins(loginFacts);
  // A call near another log-in of the text belongs to the sessions of that.
  const otherLogins = different.filter(({ request }) =>
    login.some((each) => each !== best && each.request === request),
  );
  const isOfAnother = (facts: Facts): boolean =>
    !facts.isNear(loginFacts) &&
    facts.path !== loginFacts?.path &&
    otherLogins.some((other) => other.path !== loginFacts?.path && facts.isNear(other));
  const findFor = (role: Role, isDoubtful?: (facts: Facts) => boolean) =>
    find((facts) => {
      const isForeign = isForAdmins(facts) && loginFacts !== undefined && !isLoginForAdmins;
      if (isForeign || facts.sendsInQuery) return 0;
      const own = scores[role](facts, loginFacts);
      return own > 0 && isOfAnother(facts) ? Math.max(0.5, own - 3) : own;
    }, isDoubtful);
  // If users can also be listed or deleted, it may be an administrator who adds them.
  const isResource = (facts: Facts): boolean =>
    peopleWords.test(facts.last) &&
    facts.request.security?.length !== 0 &&
    different.some(({ method, path }) => path === facts.path && /^(?:GET|DELETE)$/.test(method));
  const register = findFor('register', isResource);
  const profile = findFor('profile');
  // A GET with a token is rather the profile than one that only has the name.
  const withToken = find((facts) => {
    const isReading = facts.method === 'GET' && facts.weigh(words.logout) + facts.weigh(words.refresh) === 0;
    if (!facts.hasToken || facts.sendsInQuery || !isReading || (isForAdmins(facts) && !isLoginForAdmins)) return 0;
    return facts.segments.some(
      (segment) => words.profile.test(segment) || /^(?:users?|accounts?|sessions?)$/.test(segment),
    )
      ? 4
      : 3;
  }).map(({ request, score }): Candidate => ({ request, score, byName: true }));
  const isAmong = withToken.some(({ request }) => profile.some((each) => each.request === request));
  const merged = isAmong ? profile : profile.concat(withToken).toSorted((one, other) => other.score - one.score);
  return { login, register, profile: merged, logout: findFor('logout'), refresh: findFor('refresh') };
}
