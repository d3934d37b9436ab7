import { leavesOf, findIdentifierFields, type Leaf } from './infer-body.ts';
import { headerOf, isTokenHeader, type ImportedRequest } from './imported-request.ts';
import { meaningOfName, splitWords, type MemberMeaning } from './member-names.ts';
import { splitUrl } from './request-target.ts';
import type { Role } from './roles.ts';

/** `byName`: nothing but a name speaks for it. */
export type Candidate = { request: ImportedRequest; score: number; byName: boolean };

/** Alternatives of whole words, one blank between them. */
const saying = (alternatives: string): RegExp =>
  new RegExp(
    `(?:^| )(?:${alternatives
      .trim()
      .split(/\s*\n\s*/)
      .join('|')})(?= |$)`,
  );

const words = {
  login: saying(`
    \\S{0,12}log ?in|\\S{0,12}log ?on|\\S{0,12}sign ?in|tokens?|sessions?|auth|oauth|authenticate|authenticated|authentication|authorize|authorization|local
    access|acceso|acceder|entrar|iniciar|identificar|connexion|connecter|anmelden|anmeldung|einloggen|accedi|accesso|accedere`),
  register: saying(`
    register|registers|registration|registrations|sign ?up|create (?:an? )?(?:new )?(?:user|account)|new (?:user|account)|add user|alta|join|registro|registrar
    registrarse|registrieren|registrierung|inscription|inscrire|registrazione|registrati|cadastro|cadastrar|enroll|enrol`),
  logout: saying(`
    \\S{0,12}log ?out|\\S{0,12}log ?off|sign ?out|sign ?off|salir|cerrar|deconnexion|abmelden|esci|sair|end session`),
  refresh: saying('refresh|refreshes|refresher|renew|renewal|renovar|reissue|rotate|extend|prolong'),
  profile: saying(`
    me|who ?am ?i|my ?self|self|user ?info|profile|perfil|my (?:profile|account|user|details|info)|current (?:user|account|session|profile)|(?:user|account) current
    get session|validate token|logged in user|(?:user|account) (?:info|details|profile)|profil|profilo`),
};
const plainLogin = saying(`
  \\S{0,12}log ?in|\\S{0,12}log ?on|\\S{0,12}sign ?in|authenticate|entrar|acceso|iniciar sesion|anmelden|connexion|accedi`);
/** Takes a password too, and is no log-in. */
const otherPurpose = saying(`
  forgot|forgotten|reset|recover|recovery|change|changes|update|verify|verification|confirm|confirmation|invite|invitation|magic|otp|totp|2fa|mfa|check|exists|validate
  link|unlink|delete|import|test|resend|set password|new password|edit|impersonate|forgot password`);
const ofPeople = /^(?:users?|accounts?|customers?|members?|people|persons?|usuarios?)$/;
const ofAdmins = saying(
  'admins?|administrators?|administration|adminapi|management|manage|backoffice|staff|impersonate|superadmin|root|internal',
);
/** Words of a path that say nothing of what a call is about. */
const neutral = saying(`
  api|rest|v|\\d+|v\\d+|auth|oauth|oauth2|users?|accounts?|customers?|clients?|members?|people|person|web|public|app|json|identity|idp|sso|core|site|self|me|my|current
  sessions?|tokens?|jwt|access|security|credentials|email|password|passwords|local|the|get|post|do|api ?auth|rest ?auth|dj|services?|server|mobile|store|shop|portal|user ?info`);
/** What ends, renews or reads something of somebody else, or all of it. */
const ofOthers = saying(
  'all|others?|everywhere|global|back ?channel|front ?channel|callback|history|devices|every|webhooks?',
);

const logoutOrOthers = new RegExp(`${words.logout.source}|${ofOthers.source}`);

const everywhere = new Map<RegExp, RegExp>();
/** A pattern that finds every place of a text. */
function everyOf(pattern: RegExp): RegExp {
  const made = everywhere.get(pattern) ?? new RegExp(pattern.source, 'g');
  everywhere.set(pattern, made);
  return made;
}

/** The words of a request, and the members that come in and out. */
class Facts {
  readonly request: ImportedRequest;
  readonly method: string;
  /** The path without what fills it in, each segment in words. */
  readonly segments: readonly string[];
  readonly path: string;
  readonly last: string;
  readonly before: string;
  readonly spoken: string;
  readonly folder: string;
  readonly leaves: readonly Leaf[];
  readonly grant: string;
  /** How many parts of its path are filled in, `{{host}}` not counted. */
  readonly variables: number;
  readonly hasToken: boolean;
  readonly isSecured: boolean;
  readonly typesInQuery: boolean;
  /** No description may have a token in an address, nor a password but that of a log-in by GET. */
  readonly sendsInQuery: boolean;
  /** What an answer shows. */
  readonly gives: ReadonlySet<'token' | 'refresh' | 'person'>;
  readonly key: string;

  constructor(request: ImportedRequest) {
    const { method, url, name = '', folder = '', body, security } = request;
    this.request = request;
    const { path, query: text } = splitUrl(url);
    const parts = path.split('/').filter((segment) => segment !== '');
    const isFilled = (segment: string) => /^(?:\{.*\}|:.+|<.*>)$/.test(segment);
    this.method = method;
    this.path = parts.join('/').toLowerCase();
    this.variables = parts.filter(isFilled).length + (text.match(/=\{\{/g)?.length ?? 0);
    this.segments = parts
      .filter((segment) => !isFilled(segment))
      .map((segment) => splitWords(segment.replace(/\.(?:json|php|aspx?|do|html?|xml)$/i, '')).join(' '));
    this.last = this.segments.at(-1) ?? '';
    this.before = this.segments.slice(0, -1).join(' ');
    this.spoken = splitWords(name).join(' ');
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
    const [, authorization] = headerOf(request, /^authorization$/i) ?? [];
    const isNeeded = security !== undefined && security.length > 0 && security.every((each) => each.length > 0);
    this.hasToken =
      (isNeeded && security.some((each) => each.some((one) => one.security.type === 'http'))) ||
      (authorization !== undefined && !/^(?:basic\b|$)/i.test(authorization)) ||
      request.headers.some(([header, value]) => value !== '' && isTokenHeader(header));
    this.isSecured = isNeeded || authorization !== undefined || headerOf(request, /^cookie$/i) !== undefined;
    this.gives = givenBy(request);
    const named = this.leaves.map(({ way, required, means, member }) => {
      const constant = means === undefined && typeof member.value === 'string' ? member.value.slice(0, 40) : '';
      return `${way.join('.')}${required === true}${constant}`;
    });
    this.key = `${method} ${path} ${named.join()} ${this.grant}`;
  }

  /** How many members of a kind are sent, or may be. */
  count = (means: MemberMeaning): number =>
    this.leaves.filter((each) => each.means === means && each.required !== false).length;
  has = (means: MemberMeaning): boolean => this.leaves.some((each) => each.means === means);

  /** How much a word says: most at the end of the path, less in the name, least on the way. */
  says = (word: RegExp): number =>
    (word.test(this.last) ? 3 : 0) +
    (word.test(this.spoken) ? 2 : 0) +
    (word.test(this.before) || word.test(this.folder) ? 1 : 0);

  /** In the last segment or the name. */
  mentions = (word: RegExp): boolean => word.test(this.last) || word.test(this.spoken);

  /** An address of a `.env`, which has no body. */
  isNamed = (word: RegExp): boolean => word.test(this.spoken) && / (?:url|endpoint)$/.test(this.spoken);

  /** Whether a segment has a word besides these that says what else the call is about: the avatar of `refresh_gravatar`. */
  isAlien(segment: string, own: RegExp): boolean {
    const rest = segment.replaceAll(everyOf(own), ' ').replaceAll(/ +/g, ' ').replaceAll(everyOf(neutral), ' ');
    return rest.trim() !== '';
  }

  /** Whether it is under the path that the log-in is under, or in its folder. */
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

/** What an answer of a request shows: a token, or who somebody is. */
function givenBy({ responses }: ImportedRequest): Facts['gives'] {
  const found = responses
    .filter(({ status }) => status >= 200 && status < 300)
    .map(({ body }) => body.slice(0, 20_000));
  const names = found
    .flatMap((body) => Array.from(body.matchAll(/"([\w-]{1,60})"\s*:/g), ([, name = '']) => name))
    .slice(0, 200);
  const means = new Set(names.map((name) => meaningOfName(name)?.means));
  const isMany = found.some((body) => /^\s*\[/.test(body));
  return new Set([
    ...(means.has('token') || means.has('refresh') ? (['token'] as const) : []),
    ...(means.has('refresh') ? (['refresh'] as const) : []),
    ...(!isMany && (means.has('email') || means.has('username')) ? (['person'] as const) : []),
  ]);
}

/** How likely a request is each call, beside what the log-in is; 0 or less for no. */
const scores: Record<Role, (facts: Facts, login: Facts | undefined) => number> = {
  login(facts) {
    const { method, leaves, last, spoken, grant } = facts;
    const isPassword = facts.has('password') && facts.count('password') <= 1;
    const isBare = leaves.length === 0 && !facts.typesInQuery;
    const isByName =
      isBare &&
      (facts.isNamed(plainLogin) ||
        (plainLogin.test(last) && !facts.isAlien(last, plainLogin)) ||
        /^(?:user |do |auth )?(?:log ?in|sign ?in|authenticate)(?: user)?$/.test(spoken));
    const isByQuery = facts.request.encoding === 'query';
    if (!(isByQuery || /^(?:POST|PUT)$/.test(method)) || !(isPassword || isByName) || facts.count('cpassword') > 0)
      return 0;
    if (words.register.test(last) || otherPurpose.test(last) || words.logout.test(last)) return 0;
    if (!['', 'any', 'password'].includes(grant)) return 0;
    const isPlain = plainLogin.test(last) || grant === 'password';
    if (isByQuery && !isPlain && !plainLogin.test(spoken)) return 0;
    if (!isPlain && (words.register.test(spoken) || otherPurpose.test(spoken))) return 0;
    if (isByName && !isPassword) return facts.isNamed(plainLogin) || facts.says(plainLogin) > 0 ? 2 : 0;
    const required = leaves.filter(
      (each) => each.required === true && each.means === undefined && each.member.value === undefined,
    );
    const word =
      facts.says(words.login) + (plainLogin.test(last) ? 1 : 0) + (grant === 'password' ? 4 : grant === 'any' ? 2 : 0);
    // Who and a password go in, and a token comes out.
    const byContent = facts.gives.has('token') && findIdentifierFields(leaves).length > 0 ? 2 : 0;
    if (word === 0 && (byContent === 0 || facts.count('name') > 0)) return 0;
    const who = findIdentifierFields(leaves);
    const names = facts.count('name') > 0 && who.every(({ means }) => means !== 'name') ? 2 : 0;
    const more = (who.length > 0 ? 1 : 0) - names - (facts.count('code') > 0 ? 2 : 0) - required.length / 2;
    // Where POST does as well, the password need not stand in an address.
    return word + byContent + more - (method === 'PUT' ? 1 : isByQuery ? 0.5 : 0) - (facts.variables > 0 ? 1 : 0);
  },
  register(facts, login) {
    const { method, last, grant, spoken } = facts;
    const isNamed = !facts.has('password') && facts.isNamed(words.register);
    if (!/^(?:POST|PUT)$/.test(method) || !(isNamed || facts.has('password')) || grant !== '' || facts.typesInQuery)
      return 0;
    if (otherPurpose.test(last) || (otherPurpose.test(spoken) && !words.register.test(last)) || plainLogin.test(last))
      return 0;
    const word = facts.says(words.register);
    const isPeople = ofPeople.test(last);
    const isWhole = facts.has('email') || facts.has('name') || facts.has('username') || facts.has('either') || isNamed;
    if (!isWhole || (word < 2 && !isPeople && facts.count('cpassword') === 0)) return 0;
    const byFields =
      (facts.has('cpassword') ? 3 : 0) + (facts.count('name') > 0 ? 2 : 0) + (facts.has('email') ? 1 : 0);
    // Nobody has a session who registers.
    const isInside = facts.isSecured && login !== undefined && !login.isSecured;
    return (
      word + byFields + (isPeople ? 1 : 0) + (facts.isNear(login) ? 1 : 0) - (isInside ? 6 : 0) - facts.variables * 2
    );
  },
  profile(facts, login) {
    const { method, last, before, isSecured, spoken, segments } = facts;
    const tokenIn = facts.leaves.filter(({ means, required }) => means === 'token' && required !== false);
    const isByPost =
      method === 'POST' &&
      tokenIn.length === 1 &&
      facts.leaves.every((each) => each === tokenIn[0] || each.required !== true);
    if (method !== 'GET' && !isByPost) return 0;
    const end = last.replace(/^get /, '');
    const isOwn = words.profile.test(end) && !facts.isAlien(end, words.profile);
    const isPart =
      /^(?:current|info|details|check|status)$/.test(end) &&
      /(?:^| )(?:users?|accounts?|auth|sessions?|me)$/.test(before);
    const isOne = /^(?:user|account|session|auth|lookup)$/.test(end);
    const isMany = /^(?:users|accounts|sessions)$/.test(end);
    const isSpoken = words.profile.test(spoken) || /\bsession\b/.test(spoken);
    // What is read at the path of a log-in that is called so is its page.
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
    const isElsewhere = facts.isAlien(segments.slice(0, -1).at(-1) ?? '', words.profile) && !words.login.test(before);
    return (
      byPath +
      (isSecured ? 2 : 0) +
      (isSpoken ? 1 : 0) +
      (words.login.test(before) ? 1 : 0) +
      (facts.isNear(login) ? 1 : 0) +
      (facts.gives.has('person') ? 1 : 0) -
      (isElsewhere && !/^(?:me|who ?am ?i|user ?info)$/.test(end) ? 2 : 0) -
      facts.variables * 3
    );
  },
  logout(facts, login) {
    const { method, last, before } = facts;
    if (!/^(?:POST|DELETE|GET|PUT)$/.test(method) || facts.has('password')) return 0;
    if (facts.variables > (login?.variables ?? 0)) return 0;
    const isSame = method === 'DELETE' && login !== undefined && facts.path === login.path;
    const isEnd = isSame || (method === 'DELETE' && /^(?:sessions?|tokens?|login|auth)$/.test(last));
    const isRevoked =
      /^(?:revoke|revocation|invalidate)(?: token)?$/.test(last) &&
      /(?:^| )(?:tokens?|oauth|oauth2|auth|connect)(?= |$)/.test(`${before} ${last}`) &&
      facts.isNear(login);
    const word = words.logout.test(last)
      ? facts.says(words.logout)
      : words.logout.test(facts.spoken) && !facts.isAlien(last, words.logout)
        ? 2
        : 0;
    if (word === 0 && !isEnd && !(isRevoked && method === 'POST')) return 0;
    const isExact = words.logout.test(last) && !facts.isAlien(last, words.logout);
    const own = word + (isExact ? 1 : 0) + (isEnd ? 3 : 0) + (isSame ? 2 : 0) + (isRevoked ? 1 : 0);
    const other = (facts.isAlien(last, logoutOrOthers) ? 1 : 0) + (facts.mentions(ofOthers) ? 2 : 0);
    return own + (facts.isNear(login) ? 1 : 0) - other - (method === 'GET' ? 2 : 0);
  },
  refresh(facts, login) {
    const { method, last, grant, leaves } = facts;
    if (
      !/^(?:POST|PUT|GET|PATCH)$/.test(method) ||
      (facts.has('password') && (!facts.has('refresh') || (grant !== 'refresh_token' && grant !== 'any')))
    )
      return 0;
    if (facts.variables > (login?.variables ?? 0)) return 0;
    const isGrant =
      grant === 'refresh_token' || (grant === 'any' && facts.has('refresh') && facts.count('refresh') > 0);
    const isHere = words.refresh.test(last) && !facts.isAlien(last, words.refresh);
    const isSpoken =
      words.refresh.test(facts.spoken) &&
      /(?:^| )(?:tokens?|session|jwt|auth|access)(?= |$)/.test(facts.spoken) &&
      !facts.isAlien(last, words.refresh);
    const isTaking = facts.has('refresh') || leaves.some(({ means }) => means === 'token');
    if (!isGrant && !isHere && !isSpoken) return 0;
    // A word alone may renew anything.
    const isOfSession =
      isTaking ||
      facts.isNear(login) ||
      /(?:^| )(?:tokens?|auth|jwt|sessions?|oauth)(?= |$)/.test(
        `${facts.before} ${last} ${facts.spoken} ${facts.folder}`,
      );
    if (!isGrant && !isOfSession && login !== undefined && facts.segments.length > 1) return 0;
    return (
      (isHere ? 3 : 0) +
      (isSpoken ? 1 : 0) +
      (isGrant ? 4 : 0) +
      (isTaking ? 2 : 0) +
      (facts.isNear(login) ? 1 : 0) -
      // A GET changes nothing, unless it carries what it renews.
      (method === 'GET' ? (facts.isSecured ? 1 : 3) : 0)
    );
  },
};

/** Finds the requests that may be each call, the likeliest first. */
export function candidatesOf(requests: readonly ImportedRequest[]): Record<Role, Candidate[]> {
  const all = requests.map((request) => new Facts(request));
  const first = new Map(all.toReversed().map((facts) => [facts.key, facts]));
  const different = all.filter((facts) => first.get(facts.key) === facts);
  const isOfAdmins = (facts: Facts): boolean =>
    [...facts.segments, facts.folder, facts.spoken].some((each) => ofAdmins.test(each)) ||
    facts.leaves.some(
      ({ member, means }) =>
        means === undefined &&
        typeof member.value === 'string' &&
        member.value.length < 40 &&
        ofAdmins.test(splitWords(member.value).join(' ')),
    );
  const found = (score: (facts: Facts) => number, isDoubtful?: (facts: Facts) => boolean): Candidate[] =>
    different
      .map((facts) => ({
        facts,
        request: facts.request,
        score: score(facts),
        byName:
          isDoubtful?.(facts) === true || (facts.leaves.length === 0 && facts.method !== 'GET' && !facts.isSecured),
      }))
      .filter((each) => each.score > 0)
      // What is for administrators comes last, and is no call of people who log in elsewhere.
      .map(({ facts, request, score: own, byName }) => ({
        request,
        byName,
        score: isOfAdmins(facts) ? Math.max(0.5, own - 3) : own,
      }))
      .toSorted((one, other) => other.score - one.score);
  // Of several log-ins the one is nearer that gives what the renewal of the text takes.
  const isRenewed = different.some((facts) => facts.has('refresh') && scores.refresh(facts, undefined) > 3);
  const login = found((facts) => {
    const own = scores.login(facts, undefined);
    return own > 0 && isRenewed && facts.gives.has('refresh') ? own + 2 : own;
  });
  const [best] = login;
  const loginFacts = best && different.find(({ request }) => request === best.request);
  const isLoginOfAdmins = loginFacts !== undefined && isOfAdmins(loginFacts);
  // What is beside another log-in of the text is of that one's sessions.
  const otherLogins = different.filter(({ request }) =>
    login.some((each) => each !== best && each.request === request),
  );
  const isOfAnother = (facts: Facts): boolean =>
    !facts.isNear(loginFacts) &&
    facts.path !== loginFacts?.path &&
    otherLogins.some((other) => other.path !== loginFacts?.path && facts.isNear(other));
  const beside = (role: Role, isDoubtful?: (facts: Facts) => boolean) =>
    found((facts) => {
      const isForeign = isOfAdmins(facts) && loginFacts !== undefined && !isLoginOfAdmins;
      if (isForeign || facts.sendsInQuery) return 0;
      const own = scores[role](facts, loginFacts);
      return own > 0 && isOfAnother(facts) ? Math.max(0.5, own - 3) : own;
    }, isDoubtful);
  // Where people are a resource that can be listed too, an administrator may be who adds them.
  const isResource = (facts: Facts): boolean =>
    ofPeople.test(facts.last) &&
    facts.request.security?.length !== 0 &&
    different.some(({ method, path }) => path === facts.path && /^(?:GET|DELETE)$/.test(method));
  const register = beside('register', isResource);
  const profile = beside('profile');
  // What a token is sent for is rather the profile than what has its name alone.
  const withToken = found((facts) => {
    const isReading = facts.method === 'GET' && facts.says(words.logout) + facts.says(words.refresh) === 0;
    if (!facts.hasToken || facts.sendsInQuery || !isReading || (isOfAdmins(facts) && !isLoginOfAdmins)) return 0;
    return facts.segments.some(
      (segment) => words.profile.test(segment) || /^(?:users?|accounts?|sessions?)$/.test(segment),
    )
      ? 4
      : 3;
  }).map(({ request, score }): Candidate => ({ request, score, byName: true }));
  const isAmong = withToken.some(({ request }) => profile.some((each) => each.request === request));
  const merged = isAmong ? profile : profile.concat(withToken).toSorted((one, other) => other.score - one.score);
  return { login, register, profile: merged, logout: beside('logout'), refresh: beside('refresh') };
}
