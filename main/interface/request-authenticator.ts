import type { InterfaceDescription, OperationSecurity, SecurityScheme } from '../../preload/contract/interface.ts';
import type { ApiCall } from './list-calls.ts';
import {
  cookieHeader,
  setCookiePath,
  isCookieNamed,
  isSafeConnection,
  updateCookieJar,
  type NamedCookie,
} from './cookies.ts';
import type { Credential } from './credential.ts';
import {
  findCookie,
  cookieNamePatterns,
  credentialOutput,
  operationSecurity,
  sessionSchemes,
} from './security-schemes.ts';

type Headers = readonly (readonly [name: string, value: string])[];
type Cookies = Readonly<Record<string, string>>;

/** How the credential of an interface is carried: which headers and cookies go out with a call, and which cookies are kept. */
export class RequestAuthenticator {
  readonly #description: InterfaceDescription;
  readonly #baseUrl: string;
  /** The path of a call, as an answer's cookies name it. */
  readonly #sentTo: (name: ApiCall) => string | undefined;
  readonly #ways: readonly SecurityScheme[];
  readonly #sessionCookies: readonly string[];
  /** Of those cookies that one call alone has for its credential: a refresh token. */
  readonly #ownCookies: readonly string[];

  constructor(
    description: InterfaceDescription,
    { baseUrl, sentTo }: { baseUrl: string; sentTo: (name: ApiCall) => string | undefined },
  ) {
    this.#description = description;
    this.#baseUrl = baseUrl;
    this.#sentTo = sentTo;
    this.#ways = sessionSchemes(description);
    this.#sessionCookies = cookieNamePatterns(this.#ways);
    this.#ownCookies = [
      ...cookieNamePatterns(operationSecurity(description, 'refresh')),
      ...cookieNamePatterns(operationSecurity(description, 'salir')),
    ].filter((pattern) => !this.#sessionCookies.includes(pattern));
  }

  /** Whether a session is a cookie before it is anything else. */
  get isCookie(): boolean {
    const [first] = this.#ways;
    return first?.type === 'apiKey' && first.in === 'cookie';
  }

  /** Whether nothing but a cookie can be a session. */
  get isCookieAlone(): boolean {
    return this.#ways.every((way) => way.type === 'apiKey' && way.in === 'cookie');
  }

  /** The headers that carry what is held in a call. */
  headers(
    name: ApiCall,
    held: Credential,
    { method, scheme }: { method: string; scheme?: string | undefined },
  ): Headers {
    const { csrf } = this.#description;
    const { cookies = {} } = held;
    const way = this.schemeFor(name, held);
    const output = way && credentialOutput(way);
    const value = output === undefined ? undefined : this.#valueOf(output, held);
    const sent = Object.fromEntries(Object.entries(cookies).filter(([each]) => this.#isSent(each, name, way)));
    const csrfValue = csrf && method !== 'GET' ? this.csrfValue(cookies) : undefined;
    return [
      ...(way?.type === 'http' && value !== undefined
        ? [['Authorization', `${scheme ?? way.scheme} ${value}`] as const]
        : []),
      ...(way?.type === 'apiKey' && value !== undefined ? [[way.name, value] as const] : []),
      ...(Object.keys(sent).length > 0 ? [['Cookie', cookieHeader(sent)] as const] : []),
      ...(csrf && csrfValue !== undefined ? [[csrf.header, csrfValue] as const] : []),
    ];
  }

  /** The way in which a call carries what is held: the first of its own, or of the session's, that something is held for. */
  schemeFor(name: ApiCall, held: Credential): OperationSecurity | undefined {
    return (operationSecurity(this.#description, name) ?? this.#ways).find((way) => {
      if (way.type === 'none') return true;
      const output = credentialOutput(way);
      return output === undefined
        ? findCookie(held.cookies ?? {}, cookieNamePatterns([way])) !== undefined
        : this.#valueOf(output, held) !== undefined;
    });
  }

  /** The token of a session that is a cookie is that cookie's value, and goes in no header. */
  #valueOf(output: string, held: Credential): string | undefined {
    if (output !== 'token') return held.outputs?.[output];
    return this.sessionCookie(held.cookies) === undefined ? held.token : undefined;
  }

  /** A refresh token goes to the calls that it is for: to that which renews, and to that which ends the session. */
  #isSent(cookie: string, name: ApiCall, way: OperationSecurity | undefined): boolean {
    const isOf = (patterns: readonly string[]): boolean => patterns.some((each) => isCookieNamed(cookie, each));
    const { csrf } = this.#description;
    if (isOf(csrf ? [csrf.cookie] : []) || isOf(cookieNamePatterns(way && [way]))) return true;
    return name === 'salir' && isOf(this.#ownCookies);
  }

  /** The value of the session's cookie, where one is held. */
  sessionCookie = (cookies: Cookies = {}): string | undefined => findCookie(cookies, this.#sessionCookies)?.[1];

  /**
   * What a session is kept by, of its cookies and of a token that an answer gave beside them: the one or the other.
   * @param before what was held of the session before that answer
   */
  selectCredential(cookies: Cookies, given: string | undefined, before: Credential): Credential {
    const cookie = this.sessionCookie(cookies);
    const wasToken = !this.isCookieAlone && this.sessionCookie(before.cookies) === undefined;
    const itsToken = given ?? (wasToken ? before.token : undefined);
    const isByCookie = cookie !== undefined && (this.isCookie || itsToken === undefined);
    const token = isByCookie ? cookie : itsToken;
    const kept = isByCookie ? cookies : this.#withoutSession(cookies);
    return { ...(token !== undefined && { token }), ...(Object.keys(kept).length > 0 && { cookies: kept }) };
  }

  #withoutSession = (cookies: Cookies = {}): Cookies =>
    Object.fromEntries(
      Object.entries(cookies).filter(([name]) => !this.#sessionCookies.some((each) => isCookieNamed(name, each))),
    );

  /** See {@link Wire.withFound}. */
  withDetectedToken(held: Credential, token: string | undefined, place: string | undefined): Credential {
    const isCookieFirst = this.isCookie && this.sessionCookie(held.cookies) !== undefined;
    if (token === undefined || this.isCookieAlone || isCookieFirst || place === setCookiePath) return held;
    return held.cookies ? { ...held, token, cookies: this.#withoutSession(held.cookies) } : { ...held, token };
  }

  /** See {@link Wire.withToken}. */
  withToken(held: Credential, token: string, like: Credential): Credential {
    const [name] = findCookie(like.cookies ?? {}, this.#sessionCookies) ?? [];
    if (name === undefined && !this.isCookie) return { ...held, token };
    const usual = (this.#sessionCookies[0] ?? '').replace('*', '');
    return { ...held, token, cookies: { ...held.cookies, [name ?? usual]: token } };
  }

  /** The session's has to reach the profile, and a refresh token its call. A page reads that against forged requests. */
  #namedCookies(): NamedCookie[] {
    const { csrf } = this.#description;
    const named = (of: NamedCookie['of'], patterns: readonly string[], sentTo?: string): NamedCookie[] =>
      patterns.map((pattern) => ({ of, pattern, sentTo }));
    const renewal = operationSecurity(this.#description, 'refresh') ? 'refresh' : 'salir';
    return [
      ...named('session', this.#sessionCookies, this.#sentTo('perfil')),
      ...named('csrf', csrf ? [csrf.cookie] : []),
      ...named('refresh', this.#ownCookies, this.#sentTo(renewal)),
    ];
  }

  /** The cookies that are held after an answer, and those that the description names and that were not kept. */
  cookiesIn(rawHeaders: Headers, { cookies = {} }: Credential, nowMs: number): ReturnType<typeof updateCookieJar> {
    const named = this.#namedCookies();
    if (named.length === 0) return { cookies: {}, dropped: [] };
    const host = URL.parse(this.#baseUrl)?.hostname ?? '';
    return updateCookieJar(cookies, rawHeaders, named, { host, isSafe: isSafeConnection(this.#baseUrl), nowMs });
  }

  /** The value of the cookie against forged requests, as its header has it. */
  csrfValue(cookies: Cookies = {}): string | undefined {
    const { csrf } = this.#description;
    const [, value] = findCookie(cookies, csrf ? [csrf.cookie] : []) ?? [];
    if (value === undefined) return undefined;
    try {
      const meant = decodeURIComponent(value);
      // A header has no line break. As it was set, the server may refuse it, and every other call still goes out.
      return /\p{Cc}/u.test(meant) ? value : meant;
    } catch {
      return value;
    }
  }
}
