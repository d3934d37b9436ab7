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
import { decodePercent } from './decode-percent.ts';

type Headers = readonly (readonly [name: string, value: string])[];
type Cookies = Readonly<Record<string, string>>;

/** Adds the credential of a session to requests, and takes cookies over from responses. */
export class RequestAuthenticator {
  readonly #description: InterfaceDescription;
  readonly #baseUrl: string;
  readonly #pathnameOf: (name: ApiCall) => string | undefined;
  readonly #schemes: readonly SecurityScheme[];
  readonly #sessionCookies: readonly string[];
  /** Cookies that only the renewal or the logout sends: a refresh token. */
  readonly #refreshCookies: readonly string[];

  constructor(
    description: InterfaceDescription,
    { baseUrl, pathnameOf }: { baseUrl: string; pathnameOf: (name: ApiCall) => string | undefined },
  ) {
    this.#description = description;
    this.#baseUrl = baseUrl;
    this.#pathnameOf = pathnameOf;
    this.#schemes = sessionSchemes(description);
    this.#sessionCookies = cookieNamePatterns(this.#schemes);
    this.#refreshCookies = [
      ...cookieNamePatterns(operationSecurity(description, 'refresh')),
      ...cookieNamePatterns(operationSecurity(description, 'logout')),
    ].filter((pattern) => !this.#sessionCookies.includes(pattern));
  }

  /** True if the first security scheme is a cookie. */
  get isCookie(): boolean {
    const [first] = this.#schemes;
    return first?.type === 'apiKey' && first.in === 'cookie';
  }

  /** True if every security scheme is a cookie. */
  get isCookieAlone(): boolean {
    return this.#schemes.every((scheme) => scheme.type === 'apiKey' && scheme.in === 'cookie');
  }

  /** The headers that authenticate a call. */
  headers(
    name: ApiCall,
    credential: Credential,
    {
      method,
      scheme: authorizationScheme,
      sendsAllCookies = false,
    }: { method: string; scheme?: string | undefined; sendsAllCookies?: boolean },
  ): Headers {
    const { csrf } = this.#description;
    const { cookies = {} } = credential;
    const scheme = this.schemeFor(name, credential);
    const output = scheme && credentialOutput(scheme);
    const value = output === undefined ? undefined : this.#valueOf(output, credential);
    const sent = Object.fromEntries(
      Object.entries(cookies).filter(([each]) => sendsAllCookies || this.#isSent(each, name, scheme)),
    );
    const csrfValue = csrf && method !== 'GET' ? this.csrfValue(cookies) : undefined;
    return [
      ...(scheme?.type === 'http' && value !== undefined
        ? [['Authorization', `${authorizationScheme ?? scheme.scheme} ${value}`] as const]
        : []),
      ...(scheme?.type === 'apiKey' && value !== undefined ? [[scheme.name, value] as const] : []),
      ...(Object.keys(sent).length > 0 ? [['Cookie', cookieHeader(sent)] as const] : []),
      ...(csrf && csrfValue !== undefined ? [[csrf.header, csrfValue] as const] : []),
    ];
  }

  /** The first security scheme of a call, or else of the session, that the credential has a value for. */
  schemeFor(name: ApiCall, credential: Credential): OperationSecurity | undefined {
    return (operationSecurity(this.#description, name) ?? this.#schemes).find((scheme) => {
      if (scheme.type === 'none') return true;
      const output = credentialOutput(scheme);
      return output === undefined
        ? findCookie(credential.cookies ?? {}, cookieNamePatterns([scheme])) !== undefined
        : this.#valueOf(output, credential) !== undefined;
    });
  }

  /** The token of a cookie session is sent as its cookie only. */
  #valueOf(output: string, { outputs, cookies, token }: Credential): string | undefined {
    if (output !== 'token') return outputs?.[output];
    return this.sessionCookie(cookies) === undefined ? token : undefined;
  }

  /** A refresh token is sent with the renewal and the logout only. */
  #isSent(cookie: string, name: ApiCall, scheme: OperationSecurity | undefined): boolean {
    const isOf = (patterns: readonly string[]): boolean => patterns.some((each) => isCookieNamed(cookie, each));
    const { csrf } = this.#description;
    if (isOf(csrf ? [csrf.cookie] : []) || isOf(cookieNamePatterns(scheme && [scheme]))) return true;
    return name === 'logout' && isOf(this.#refreshCookies);
  }

  sessionCookie = (cookies: Cookies = {}): string | undefined => findCookie(cookies, this.#sessionCookies)?.[1];

  /**
   * The credential of a session out of its cookies and the token of a response: the one or the other.
   * @param before the credential before that response
   */
  selectCredential(cookies: Cookies, issued: string | undefined, before: Credential): Credential {
    const cookie = this.sessionCookie(cookies);
    const wasToken = !this.isCookieAlone && this.sessionCookie(before.cookies) === undefined;
    const bearerToken = issued ?? (wasToken ? before.token : undefined);
    const isByCookie = cookie !== undefined && (this.isCookie || bearerToken === undefined);
    const token = isByCookie ? cookie : bearerToken;
    const stored = isByCookie ? cookies : this.#withoutSessionCookie(cookies);
    return { ...(token !== undefined && { token }), ...(Object.keys(stored).length > 0 && { cookies: stored }) };
  }

  /** The CSRF cookie alone. */
  withoutSession(cookies: Cookies = {}): Cookies {
    const { csrf } = this.#description;
    return Object.fromEntries(Object.entries(cookies).filter(([name]) => csrf && isCookieNamed(name, csrf.cookie)));
  }

  #withoutSessionCookie = (cookies: Cookies = {}): Cookies =>
    Object.fromEntries(
      Object.entries(cookies).filter(([name]) => !this.#sessionCookies.some((each) => isCookieNamed(name, each))),
    );

  /**
   * The credential with a token that was found in a response although no output names it.
   * @param path where it was found
   */
  withDetectedToken(credential: Credential, token: string | undefined, path: string | undefined): Credential {
    const { cookies } = credential;
    const isCookieFirst = this.isCookie && this.sessionCookie(cookies) !== undefined;
    if (token === undefined || this.isCookieAlone || isCookieFirst || path === setCookiePath) return credential;
    return cookies ? { ...credential, token, cookies: this.#withoutSessionCookie(cookies) } : { ...credential, token };
  }

  /**
   * The credential with its token replaced, which for a session cookie is its value.
   * @param like the credential that has the name of that cookie
   */
  withToken(credential: Credential, token: string, like = credential): Credential {
    const [name] = findCookie(like.cookies ?? {}, this.#sessionCookies) ?? [];
    if (name === undefined && !this.isCookie) return { ...credential, token };
    const usual = (this.#sessionCookies[0] ?? '').replace('*', '');
    return { ...credential, token, cookies: { ...credential.cookies, [name ?? usual]: token } };
  }

  /** The session cookie must be sent to the profile, and a refresh token to its call; a page reads the CSRF cookie. */
  #namedCookies(): NamedCookie[] {
    const { csrf } = this.#description;
    const named = (of: NamedCookie['of'], patterns: readonly string[], sentTo?: string): NamedCookie[] =>
      patterns.map((pattern) => ({ of, pattern, sentTo }));
    const renewal = operationSecurity(this.#description, 'refresh') ? 'refresh' : 'logout';
    return [
      ...named('session', this.#sessionCookies, this.#pathnameOf('profile')),
      ...named('csrf', csrf ? [csrf.cookie] : []),
      ...named('refresh', this.#refreshCookies, this.#pathnameOf(renewal)),
    ];
  }

  /** The cookies of a session after a response, and those of the description that were rejected. */
  cookiesIn(rawHeaders: Headers, { cookies = {} }: Credential, nowMs: number): ReturnType<typeof updateCookieJar> {
    const named = this.#namedCookies();
    if (named.length === 0) return { cookies: {}, dropped: [] };
    const host = URL.parse(this.#baseUrl)?.hostname ?? '';
    return updateCookieJar(cookies, rawHeaders, named, { host, isSafe: isSafeConnection(this.#baseUrl), nowMs });
  }

  /** The value of the CSRF cookie, as its header has it. */
  csrfValue(cookies: Cookies = {}): string | undefined {
    const { csrf } = this.#description;
    const [, value] = findCookie(cookies, csrf ? [csrf.cookie] : []) ?? [];
    if (value === undefined) return undefined;
    const decoded = decodePercent(value);
    // No header can have a control character: sent as it was set, the request still goes out.
    return /\p{Cc}/u.test(decoded) ? value : decoded;
  }
}
