import { formFieldNamed } from '../../client/reading/fields.ts';
import { isRecord, textOf, type PlainJson } from '../../interface/template.ts';
import { isSafePath, percentEncoded } from '../../interface/safe-path.ts';
import { looksSecret, type Draft } from './draft.ts';
import { headerOf, type ImportedRequest } from './imported-request.ts';

export const roles = ['login', 'register', 'profile', 'logout', 'refresh'] as const;
export type Role = (typeof roles)[number];
export type Candidate = { request: ImportedRequest; score: number };

type FormField = 'name' | 'email' | 'password' | 'cpassword';

/** Which field of a form a member of a body is. */
export function fieldOf(name: string, value: PlainJson): FormField | undefined {
  if (/(?:^|[^a-z])(?:user[_-]?name|login|user|usuario|user[_-]?id|account)\]?$/i.test(name)) {
    return isRecord(value) ? undefined : 'email';
  }
  const field = formFieldNamed(name);
  if (field !== undefined || !/password|passwd|pwd|contrase|clave/i.test(name)) return field;
  return /confirm|repeat|again|verif|repet|2\]?$/i.test(name) ? 'cpassword' : 'password';
}

/** The members of a body, three levels deep. */
export const fieldsIn = (
  body: PlainJson | undefined,
  depth = 0,
): { name: string; value: PlainJson; field?: FormField | undefined }[] =>
  !isRecord(body) || depth > 2
    ? []
    : Object.entries(body).flatMap(([name, value]) =>
        isRecord(value) ? fieldsIn(value, depth + 1) : [{ name, value, field: fieldOf(name, value) }],
      );

const words = {
  login: /log[-_ ]?in|log[-_ ]?on|sign[-_ ]?in|token|session|auth|acceso|entrar|iniciar/i,
  register: /regist|sign[-_ ]?up|create[-_ ]?account|new[-_ ]?user|alta\b|join\b/i,
  logout: /log[-_ ]?(?:out|off)|sign[-_ ]?(?:out|off)|revoke|salir|cerrar/i,
  profile:
    /^(?:me|users?|profile|sessions?|whoami|user-?info|accounts?|perfil|current.*|get-session|validate_token|self)$/i,
  refresh: /refresh|renew/i,
};
const plainLogin = /log[-_ ]?in|sign[-_ ]?in|entrar|acceso/i;
/** Takes a password too, and is no log-in. */
const otherPurpose = /forgot|reset|recover|change|update|verif|confirm|invite|admin|magic|otp|2fa|mfa/i;
const ownProfile = /^(?:me|whoami|user-?info|self|profile|perfil|current.*|get-session|validate_token)$/i;

/** What a request is judged by. */
class Facts {
  readonly method: string;
  readonly segments: string[];
  readonly last: string;
  readonly spoken: string;
  readonly fields: ReturnType<typeof fieldsIn>;
  readonly grant: string;
  readonly isSecured: boolean;
  readonly hasToken: boolean;
  readonly key: string;

  constructor(request: ImportedRequest) {
    const { method, url, name = '', body, security } = request;
    const path = url.replace(/^(?:https?:\/\/[^/?#]*|\{\{[^{}]*\}\})/i, '').replace(/[?#].*$/, '');
    this.method = method;
    this.segments = path.split('/').filter((segment) => segment !== '');
    this.last = this.segments.at(-1) ?? '';
    this.spoken = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
    this.fields = fieldsIn(body);
    const given = this.fields.find((each) => each.name === 'grant_type')?.value;
    this.grant = typeof given === 'string' ? given : (new URLSearchParams(url.split('?')[1]).get('grant_type') ?? '');
    const [, authorization] = headerOf(request, /^authorization$/i) ?? [];
    this.hasToken =
      security?.type === 'http' || (authorization !== undefined && !/^(?:basic\b|$)/i.test(authorization));
    this.isSecured =
      security !== undefined || authorization !== undefined || headerOf(request, /^cookie$/i) !== undefined;
    this.key = `${method} ${path} ${this.fields.map((each) => each.name).join()} ${this.grant}`;
  }

  count = (field: FormField): number => this.fields.filter((each) => each.field === field).length;

  /** How much a word says: most at the end of the path, less in the name, least on the way. */
  says(word: RegExp): number {
    const before = this.segments.slice(0, -1).join('/');
    return (word.test(this.last) ? 3 : 0) + (word.test(this.spoken) ? 2 : 0) + (word.test(before) ? 1 : 0);
  }

  /** In the last segment or the name. */
  mentions = (word: RegExp): boolean => word.test(this.last) || word.test(this.spoken);

  /** An address of a `.env`, which has no body. */
  isNamed = (word: RegExp): boolean => word.test(this.spoken) && /[_-]url$|[_-]endpoint$/i.test(this.spoken);
}

/** How likely a request is each call; 0 for no. */
const scores: Record<Role, (facts: Facts) => number> = {
  login(facts) {
    const { method, fields, last, grant } = facts;
    const isNamed = fields.length === 0 && facts.isNamed(plainLogin);
    if (method !== 'POST' || (!isNamed && facts.count('password') !== 1) || facts.count('cpassword') > 0) return 0;
    if (facts.mentions(words.register) || facts.mentions(otherPurpose)) return 0;
    const word = facts.says(words.login) + (plainLogin.test(last) ? 1 : 0) + (grant === 'password' ? 4 : 0);
    const more =
      (facts.count('email') > 0 ? 1 : 0) - (facts.count('name') > 0 ? 2 : 0) - Math.max(0, fields.length - 4);
    return word === 0 ? 0 : word + more;
  },
  register(facts) {
    const { method, last, grant } = facts;
    const isNamed = facts.count('password') === 0 && facts.isNamed(words.register);
    const hasPassword = isNamed || facts.count('password') > 0;
    if (!/^(?:POST|PUT)$/.test(method) || !hasPassword || grant !== '' || facts.mentions(otherPurpose)) return 0;
    const word = facts.says(words.register);
    if (word === 0 && plainLogin.test(last)) return 0;
    if (facts.count('email') + facts.count('name') === 0 && !isNamed) return 0;
    const byFields = (facts.count('cpassword') > 0 ? 3 : 0) + (facts.count('name') > 0 ? 2 : 0);
    return word + byFields + (/^users?$/i.test(last) ? 1 : 0);
  },
  profile(facts) {
    const { method, last, segments, isSecured, spoken } = facts;
    const word = /^(?:\{.*\}|:.*)$/.test(last) ? '' : last.replace(/^get[-_]/i, '').replace(/\.\w{1,4}$/, '');
    if (method !== 'GET' || !(words.profile.test(last) || words.profile.test(word))) return 0;
    const isMany = /^(?:users|accounts|sessions)$/i.test(last);
    const isSpoken = /\bme\b|profile|perfil|current|who ?am|session/i.test(spoken);
    const byPath = ownProfile.test(last) ? 3 : isMany ? (isSpoken ? 0 : -2) : 2;
    const isNear = segments.some((segment) => words.login.test(segment));
    return byPath + (isSecured ? 2 : 0) + (isSpoken ? 1 : 0) + (isNear ? 1 : 0);
  },
  logout(facts) {
    const { method, last } = facts;
    if (!/^(?:POST|DELETE|GET)$/.test(method) || facts.count('password') > 0) return 0;
    const isEnd = method === 'DELETE' && /^(?:sessions?|tokens?|login|auth)$/i.test(last);
    const word = facts.says(words.logout);
    return word > 1 || isEnd ? word + (isEnd ? 3 : 0) - (method === 'GET' ? 2 : 0) : 0;
  },
  refresh: (facts) =>
    facts.method === 'POST' && facts.count('password') === 0
      ? facts.says(words.refresh) + (facts.grant === 'refresh_token' ? 4 : 0)
      : 0,
};

/** Finds the requests that may be each call, the likeliest first. */
export function candidatesOf(requests: readonly ImportedRequest[]): Record<Role, Candidate[]> {
  const all = new Map(requests.map((request) => [request, new Facts(request)] as const));
  const first = new Map([...all].toReversed().map(([request, { key }]) => [key, request]));
  const different = [...all].filter(([request, { key }]) => first.get(key) === request);
  const found = (score: (facts: Facts) => number): Candidate[] =>
    different.map(([request, facts]) => ({ request, score: score(facts) })).filter((each) => each.score > 0);
  // What a token is sent for is rather the profile than what has its name alone.
  const withToken = found((facts) => {
    const isReading = facts.method === 'GET' && facts.says(words.logout) + facts.says(words.refresh) === 0;
    if (!facts.hasToken || !isReading) return 0;
    return facts.segments.some((segment) => words.profile.test(segment)) ? 4 : 3;
  });
  const profile = found(scores.profile);
  const isAmong = withToken.some(({ request }) => profile.some((each) => each.request === request));
  const byRole = {
    ...Object.fromEntries(roles.map((role) => [role, found(scores[role])])),
    profile: isAmong ? profile : profile.concat(withToken),
  } as Record<Role, Candidate[]>;
  for (const list of Object.values(byRole)) list.sort((one, other) => other.score - one.score);
  return byRole;
}

/** Where a request goes: the origin, if it is known, and the path with variables of the description in it. */
export type Place = { origin: string | undefined; path: string; query: string };

const addressParts = /^(?:(https?):\/\/([^/?#\s]+)|\{\{[^{}]+\}\}|([\w.-]+(?::\d+)?)(?=\/))?([^?#]*)(?:\?([^#]*))?/i;
/** A part of a path that is filled in: `{{realm}}`, `{realm}`, `:realm`. */
const parameter = /^(?:\{\{\s*(?:_\.)?([\w.-]+)\s*\}\}|\{([\w.-]+)\}|:([A-Za-z]\w*))$/;

/** Undefined if no description may have the address. Secrets in it are dropped and named. */
export function placeOf({ url }: ImportedRequest, draft: Draft, at: string): Place | undefined {
  const [, scheme, authority = '', bareHost, path = '', query = ''] = addressParts.exec(url.slice(0, 2000)) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  if (host !== authority.toLowerCase()) draft.dropped.add(`${at}.address`);
  const segments = path.split('/').map((segment) => {
    const name = parameter
      .exec(segment)
      ?.slice(1)
      .find((each) => each !== undefined);
    if (name !== undefined) return draft.variable(name);
    return looksSecret('', segment) ? undefined : segment;
  });
  if (segments.includes(undefined)) return undefined;
  const pairs = query.split('&').filter((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    if (value === '' || value.includes('{{')) return false;
    const isSecret = looksSecret(name, value);
    if (isSecret) draft.dropped.add(`${at}.query.${name}`);
    return !isSecret;
  });
  // Some programs write an address as it was typed.
  const [whole, rest] = [segments.join('/'), pairs.length === 0 ? '' : `?${pairs.join('&')}`].map(percentEncoded) as [
    string,
    string,
  ];
  const isUsable = isSafePath(whole + rest) && /^(?:\/.*)?$/s.test(whole) && /^[^\s#\\]{0,400}$/.test(whole + rest);
  const origin = scheme === undefined ? bareHost && `https://${bareHost}` : `${scheme.toLowerCase()}://${host}`;
  return isUsable
    ? { origin: origin && !/[{}]/.test(origin) && URL.canParse(origin) ? origin : undefined, path: whole, query: rest }
    : undefined;
}

/** Makes the body of a call: known names are placeholders, other constants stay, and secrets become variables. */
export function bodyOf(
  role: Role,
  { method, body, encoding }: ImportedRequest,
  draft: Draft,
): { [name: string]: PlainJson } | undefined {
  if (method === 'GET') return undefined;
  const isTypedIn = role === 'register' || role === 'login';
  const fields = fieldsIn(body);
  const unknown = fields.filter(
    ({ field, value }) => field === undefined && typeof value === 'string' && (value === '' || /@|\{\{/.test(value)),
  );
  // A log-in has something that says who it is, whatever its name.
  const who =
    role === 'login' && unknown.length === 1 && !fields.some(({ field }) => field === 'email')
      ? unknown[0]?.name
      : undefined;
  const memberOf = (name: string, value: PlainJson, at: string, depth: number): PlainJson | undefined => {
    const field = name === who ? 'email' : isTypedIn ? fieldOf(name, value) : undefined;
    if (!isRecord(value) && field !== undefined) {
      if (field === 'email' && !/mail|correo/i.test(name) && !/@/.test(textOf(value))) draft.guessed.add(at);
      return `{{${field}}}`;
    }
    if (!isTypedIn && /token|jwt/i.test(name))
      return /refresh/i.test(name) || role === 'refresh' ? '{{refreshToken}}' : '{{token}}';
    if (isRecord(value)) return membersOf(value, at, depth + 1);
    if (value === '' || value === null || Array.isArray(value)) return undefined;
    if (typeof value !== 'string') return encoding === 'form' ? textOf(value) : value;
    return value.length > 200 && !looksSecret(name, value) ? undefined : draft.constant(name, value, at);
  };
  const membersOf = (
    inner: { [name: string]: PlainJson },
    at: string,
    depth: number,
  ): { [name: string]: PlainJson } | undefined => {
    const isNamed = ([name]: [string, PlainJson]) => name !== '' && name !== '__proto__' && name.length <= 100;
    const members =
      depth > 8
        ? []
        : Object.entries(inner)
            .slice(0, 50)
            .filter(isNamed)
            .flatMap(([name, value]) => {
              const made = memberOf(name, value, `${at}.${name}`, depth);
              return made === undefined ? [] : [[name, made] as const];
            });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  };
  const made = body && membersOf(body, `calls.${role}.body`, 0);
  if (made !== undefined || !isTypedIn) return made;
  // A text that has the address alone.
  draft.guessed.add(`calls.${role}.body`);
  return { ...(role === 'register' && { name: '{{name}}' }), email: '{{email}}', password: '{{password}}' };
}
