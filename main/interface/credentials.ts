import type { InterfaceDescription, OwnSecurity, Security } from '../../preload/contract/interface.ts';
import type { WireCall } from './calls-of.ts';
import {
  cookieHeader,
  cookiePlace,
  isCookieNamed,
  isSafeConnection,
  takeCookies,
  type NamedCookie,
} from './cookies.ts';
import type { HeldCredential } from './held-values.ts';
import { cookieAmong, cookiesOf, outputIn, ownSecuritiesOf, securitiesOf } from './securities.ts';

type Headers = readonly (readonly [name: string, value: string])[];
type Cookies = Readonly<Record<string, string>>;

/** How the credential of an interface is carried: which headers and cookies go out with a call, and which cookies are kept. */
export class Credentials {
  readonly #description: InterfaceDescription;
  readonly #baseUrl: string;
  /** The path of a call, as an answer's cookies name it. */
  readonly #sentTo: (name: WireCall) => string | undefined;
  readonly #ways: readonly Security[];
  readonly #sessionCookies: readonly string[];
  /** Of those cookies that one call alone has for its credential: a refresh token. */
  readonly #ownCookies: readonly string[];

  constructor(
    description: InterfaceDescription,
    { baseUrl, sentTo }: { baseUrl: string; sentTo: (name: WireCall) => string | undefined },
  ) {
    this.#description = description;
    this.#baseUrl = baseUrl;
    this.#sentTo = sentTo;
    this.#ways = securitiesOf(description);
    this.#sessionCookies = cookiesOf(this.#ways);
    this.#ownCookies = [
      ...cookiesOf(ownSecuritiesOf(description, 'refresh')),
      ...cookiesOf(ownSecuritiesOf(description, 'salir')),
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
    name: WireCall,
    held: HeldCredential,
    { method, scheme }: { method: string; scheme?: string | undefined },
  ): Headers {
    const { csrf } = this.#description;
    const { cookies = {} } = held;
    const way = this.wayOf(name, held);
    const output = way && outputIn(way);
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
  wayOf(name: WireCall, held: HeldCredential): OwnSecurity | undefined {
    return (ownSecuritiesOf(this.#description, name) ?? this.#ways).find((way) => {
      if (way.type === 'none') return true;
      const output = outputIn(way);
      return output === undefined
        ? cookieAmong(held.cookies ?? {}, cookiesOf([way])) !== undefined
        : this.#valueOf(output, held) !== undefined;
    });
  }

  /** The token of a session that is a cookie is that cookie's value, and goes in no header. */
  #valueOf(output: string, held: HeldCredential): string | undefined {
    if (output !== 'token') return held.outputs?.[output];
    return this.sessionCookie(held.cookies) === undefined ? held.token : undefined;
  }

  /** A refresh token goes to the calls that it is for: to that which renews, and to that which ends the session. */
  #isSent(cookie: string, name: WireCall, way: OwnSecurity | undefined): boolean {
    const isOf = (patterns: readonly string[]): boolean => patterns.some((each) => isCookieNamed(cookie, each));
    const { csrf } = this.#description;
    if (isOf(csrf ? [csrf.cookie] : []) || isOf(cookiesOf(way && [way]))) return true;
    return name === 'salir' && isOf(this.#ownCookies);
  }

  /** The value of the session's cookie, where one is held. */
  sessionCookie = (cookies: Cookies = {}): string | undefined => cookieAmong(cookies, this.#sessionCookies)?.[1];

  /**
   * What a session is kept by, of its cookies and of a token that an answer gave beside them: the one or the other.
   * @param before what was held of the session before that answer
   */
  keptBy(cookies: Cookies, given: string | undefined, before: HeldCredential): HeldCredential {
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
  withFound(held: HeldCredential, token: string | undefined, place: string | undefined): HeldCredential {
    const isCookieFirst = this.isCookie && this.sessionCookie(held.cookies) !== undefined;
    if (token === undefined || this.isCookieAlone || isCookieFirst || place === cookiePlace) return held;
    return held.cookies ? { ...held, token, cookies: this.#withoutSession(held.cookies) } : { ...held, token };
  }

  /** See {@link Wire.withToken}. */
  withToken(held: HeldCredential, token: string, like: HeldCredential): HeldCredential {
    const [name] = cookieAmong(like.cookies ?? {}, this.#sessionCookies) ?? [];
    if (name === undefined && !this.isCookie) return { ...held, token };
    const usual = (this.#sessionCookies[0] ?? '').replace('*', '');
    return { ...held, token, cookies: { ...held.cookies, [name ?? usual]: token } };
  }

  /** The session's has to reach the profile, and a refresh token its call. A page reads that against forged requests. */
  #namedCookies(): NamedCookie[] {
    const { csrf } = this.#description;
    const named = (of: NamedCookie['of'], patterns: readonly string[], sentTo?: string): NamedCookie[] =>
      patterns.map((pattern) => ({ of, pattern, sentTo }));
    const renewal = ownSecuritiesOf(this.#description, 'refresh') ? 'refresh' : 'salir';
    return [
      ...named('session', this.#sessionCookies, this.#sentTo('perfil')),
      ...named('csrf', csrf ? [csrf.cookie] : []),
      ...named('refresh', this.#ownCookies, this.#sentTo(renewal)),
    ];
  }

  /** The cookies that are held after an answer, and those that the description names and that were not kept. */
  cookiesIn(rawHeaders: Headers, { cookies = {} }: HeldCredential, nowMs: number): ReturnType<typeof takeCookies> {
    const named = this.#namedCookies();
    if (named.length === 0) return { cookies: {}, dropped: [] };
    const host = URL.parse(this.#baseUrl)?.hostname ?? '';
    return takeCookies(cookies, rawHeaders, named, { host, isSafe: isSafeConnection(this.#baseUrl), nowMs });
  }

  /** The value of the cookie against forged requests, as its header has it. */
  csrfValue(cookies: Cookies = {}): string | undefined {
    const { csrf } = this.#description;
    const [, value] = cookieAmong(cookies, csrf ? [csrf.cookie] : []) ?? [];
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
