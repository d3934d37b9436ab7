import type { InterfaceCall, InterfaceDescription } from '../../preload/contract/interface.ts';
import type { Operation } from '../../preload/contract/names.ts';
import type { ApiRequest, Headers, RequestOptions } from './api-request.ts';
import { CallPaths } from './call-paths.ts';
import { callsByName, featuresOf, type ApiFeatures } from './api-features.ts';
import type { ApiCall } from './list-calls.ts';
import {
  isAccountCall,
  isOfPendingLogin,
  listAccountCalls,
  secretFieldsIn,
  type AccountCall,
  type CallAboutAccount,
} from './account-calls.ts';
import { isSafeConnection, type RejectedCookie } from './cookies.ts';
import { SecondFactor } from './second-factor.ts';
import { RequestAuthenticator } from './request-authenticator.ts';
import { expressionPath } from './expression.ts';
import { updateOutputs, refreshOutput, enteredOutputs, type Credential } from './credential.ts';
import { Identifiers } from './identifiers.ts';
import { matches } from './matching.ts';
import { expressionsIn, expressionsOf, publicOutputs } from './outputs.ts';
import { variableValues } from './read-description.ts';
import { operationSecurity } from './security-schemes.ts';
import { isLoginSuccess, isLogoutSuccess } from './success.ts';
import {
  contentTypes,
  createBody,
  encodeBody,
  isFormType,
  padded,
  passwordsIn,
  type Encoding,
} from './request-body.ts';
import {
  fillTemplate,
  fillTextTemplate,
  isIdentityTemplate,
  isRecord,
  fieldsByMember,
  placeholderNames,
  parseJson,
  extractValues,
  withUsername,
  type PlainJson,
  type PlaceholderValues,
} from './template.ts';

/** Any call of a description but the one for the CSRF cookie. */
export type AnyCall = ApiCall | AccountCall;

const locationIn = (rawHeaders: Headers): string | undefined =>
  rawHeaders.find(([header]) => header.toLowerCase() === 'location')?.[1];

const withQuery = (url: string, query: string | undefined): string =>
  query === undefined || query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;

const givingTokens: ReadonlySet<string> = new Set(['registro', 'register', 'login', 'refresh']);

/**
 * Encodes and decodes requests and responses between the terms of `interface.md` and those of a server. It is the only
 * place that knows paths, methods, encodings and field names, for everything that calls a server or mocks one.
 */
export class ApiAdapter {
  readonly description: InterfaceDescription;
  readonly features: ApiFeatures;
  readonly baseUrl: string;
  /** What identifies an account: its email, its user name or both. */
  readonly identifiers: Identifiers;
  readonly #calls: ReadonlyMap<ApiCall, InterfaceCall>;
  readonly #accountCalls: ReadonlyMap<AccountCall, CallAboutAccount>;
  readonly secondFactor: SecondFactor;
  readonly #values: Readonly<Record<string, string>>;
  readonly paths: CallPaths;
  readonly authenticator: RequestAuthenticator;
  /** Outputs that are no secrets, by name. */
  readonly publicOutputs: ReadonlySet<string>;
  readonly #variables: Readonly<Record<string, string>>;

  /**
   * @param baseUrl a value of `parseBaseUrl`
   * @param variables the values of the description's variables, checked by `variableFaults`
   */
  constructor(description: InterfaceDescription, baseUrl: string, variables: Readonly<Record<string, string>> = {}) {
    const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
    this.description = description;
    this.baseUrl = baseUrl;
    this.#variables = variables;
    this.#values = { ...variableValues(description, variables, origin), origin };
    this.#calls = callsByName(description);
    this.#accountCalls = new Map(listAccountCalls(description).map(({ name, call }) => [name, call]));
    const { hostname } = URL.parse(baseUrl) ?? { hostname: '' };
    this.secondFactor = new SecondFactor(description, { host: hostname, isSafe: isSafeConnection(baseUrl) });
    this.publicOutputs = publicOutputs(description);
    const { prefix } = description;
    this.paths = new CallPaths({
      baseUrl,
      prefix,
      values: this.#values,
      publicOutputs: this.publicOutputs,
      calls: this.#calls,
    });
    const pathnameOf = (name: ApiCall): string | undefined => {
      const call = this.#calls.get(name);
      return call && URL.parse(baseUrl + this.paths.of(call))?.pathname;
    };
    this.authenticator = new RequestAuthenticator(description, { baseUrl, pathnameOf });
    this.features = { ...featuresOf(this.#calls), cookie: this.authenticator.isCookie };
    this.identifiers = new Identifiers({
      registration: this.#calls.get('registro') ?? this.#calls.get('register'),
      login: this.#calls.get('login'),
    });
  }

  /** Builds the request of a call. Throws if the description has no such call. */
  request(name: ApiCall, options: RequestOptions = {}): ApiRequest {
    const call = this.#callOf(name);
    const { fields, credential = {}, method = call.method } = options;
    const requested = options.encoding ?? this.encodingOf(name);
    // A string can only be sent as a body.
    const encoding = requested === 'query' && typeof fields === 'string' ? 'json' : requested;
    const values = { ...this.#values, ...credential.outputs, token: credential.token };
    const isRegistration = this.features.registrations.some((each) => each === name);
    const identifiers = isRegistration ? this.identifiers : undefined;
    const encoded = createBody(call, { fields, values, encoding, known: this.features.fields, identifiers });
    const written = padded(encoded, encoding, options.paddedTo);
    const body = encoding === 'query' ? undefined : written;
    const url = this.baseUrl + (options.path ?? this.paths.of(call, credential));
    const overridden = new Set(options.headers?.map(([header]) => header.toLowerCase()));
    return {
      method,
      url: encoding === 'query' ? withQuery(url, written) : url,
      headers: [
        ...(options.withoutAccept ? [] : [['Accept', 'application/json'] as const]),
        ...(body === undefined ? [] : [['Content-Type', contentTypes[encoding === 'form' ? 'form' : 'json']] as const]),
        ...this.authenticator.headers(name, credential, { method, scheme: options.scheme }),
        ...this.#descriptionHeaders(values).filter(([header]) => !overridden.has(header.toLowerCase())),
        ...(options.headers ?? []),
      ],
      body,
      ...(encoding === 'query' && typeof fields === 'object' && { secretsInUrl: passwordsIn(fields) }),
    };
  }

  /**
   * Builds the request of a call about the account. Throws if the description has no such call.
   * @param options.fields what the user typed, by the names of placeholders
   * @param options.credential of the session, or of the pending login
   * @param options.headers added after all others
   */
  accountRequest(
    name: AccountCall,
    {
      fields = {},
      credential = {},
      headers = [],
    }: { fields?: PlaceholderValues; credential?: Credential; headers?: Headers } = {},
  ): ApiRequest {
    const call = this.#accountCalls.get(name);
    if (!call) throw new Error(`the description ${this.description.name} has no call ${name}`);
    const values = { ...this.#values, ...credential.outputs, token: credential.token };
    const filled = call.body && (fillTemplate(call.body, { ...values, ...withUsername(call.body, fields) }) ?? {});
    const encoding = (call.encoding ?? this.description.encoding) === 'form' ? 'form' : 'json';
    const body = isRecord(filled) ? encodeBody(filled, encoding) : undefined;
    const { method } = call;
    return {
      method,
      url: this.baseUrl + this.paths.of(call, credential),
      headers: [
        ['Accept', 'application/json'],
        ...(body === undefined ? [] : [['Content-Type', contentTypes[encoding]] as const]),
        ...this.authenticator.headers('profile', credential, { method, sendsAllCookies: isOfPendingLogin(name) }),
        ...this.#descriptionHeaders(values),
        ...headers,
      ],
      body,
      ...(body !== undefined && { secretsInBody: secretFieldsIn(fields) }),
    };
  }

  hasAccountCall = (name: AccountCall): boolean => this.#accountCalls.has(name);

  /** The calls about the account that a request may be. Several may share a path. */
  accountCallsAt = (method: string, url: string): AccountCall[] =>
    this.paths
      .matching(this.#accountCalls, url)
      .filter((call) => call.method === method)
      .map(({ name }) => name);

  /** The values of all placeholders in the body of a call about the account, of whatever type. */
  readAccountFields(name: AccountCall, contentType: string, body: string): Record<string, PlainJson> {
    const template = this.#accountCalls.get(name)?.body;
    const sent = isFormType(contentType) ? Object.fromEntries(new URLSearchParams(body)) : parseJson(body);
    return template === undefined ? {} : extractValues(template, sent, () => true);
  }

  /** True if the body of a call about the account is a form, whose values have no types. */
  takesFormAt = (name: AccountCall): boolean =>
    (this.#accountCalls.get(name)?.encoding ?? this.description.encoding) === 'form';

  /** The expressions of the outputs of an account call's own response, by name. */
  accountOutputs = (name: AccountCall): Readonly<Record<string, string>> =>
    expressionsIn(this.#accountCalls.get(name)?.outputs);

  /** As {@link pathFault}, for a call about the account. */
  accountPathFault(name: AccountCall, credential: Credential): ReturnType<ApiAdapter['pathFault']> {
    const call = this.#accountCalls.get(name);
    return call && this.paths.fault(call, credential);
  }

  /** True if a status means success for a call: 2xx, or one that the description lists for that call. */
  isSuccessStatus(name: AnyCall, status: number): boolean {
    const listed = isAccountCall(name) ? this.#accountCalls.get(name)?.ok : undefined;
    return (status >= 200 && status < 300) || (listed?.includes(status) ?? false);
  }

  /** The form fields that the body of an account call has; none if the description has no such call. */
  fieldNamesOf = (name: AccountCall): readonly string[] => placeholderNames(this.#accountCalls.get(name)?.body);

  /** The request for the CSRF cookie, if the call needs one and the session has none. */
  csrfRequestIfNeeded(name: AnyCall, credential: Credential): ApiRequest | undefined {
    return this.authenticator.csrfValue(credential.cookies) === undefined
      ? this.csrfRequest(name, credential)
      : undefined;
  }

  /** The request that sets the CSRF cookie; undefined if the API has none, or if the call needs no CSRF token. */
  csrfRequest(name: AnyCall, { cookies = {} }: Credential): ApiRequest | undefined {
    if (this.csrfPath === undefined || !this.needsCsrf(name)) return undefined;
    const headers = [
      ['Accept', 'application/json'] as const,
      ...this.authenticator.headers('profile', { cookies }, { method: 'GET' }),
      ...this.#descriptionHeaders(this.#values),
    ];
    return { method: 'GET', url: this.baseUrl + this.csrfPath, headers };
  }

  needsCsrf(name: AnyCall): boolean {
    const call = isAccountCall(name) ? this.#accountCalls.get(name) : this.#callOf(name);
    return this.description.csrf !== undefined && call?.method !== 'GET';
  }

  /**
   * The session's credential after a response: with the outputs of its body if it is one to a registration, login, code or
   * renewal, with the outputs of its own call, and always with those of its headers and with its cookies.
   * @param more.fields the fields of the request
   */
  credentialAfter(
    name: AnyCall | 'csrf',
    response: { status: number; rawHeaders: Headers; body: string },
    before: Credential,
    { fields, nowMs = Date.now() }: { fields?: RequestOptions['fields']; nowMs?: number } = {},
  ): Credential {
    const isOk = name !== 'csrf' && this.isSuccessStatus(name, response.status);
    const givesTokens = isOk && (givingTokens.has(name) || name.startsWith('code.'));
    const callOutputs = isOk ? this.#outputsOfCall(name) : {};
    const outputs = updateOutputs(this.description, response, before, { givesTokens, callOutputs });
    const jar = this.authenticator.cookiesIn(response.rawHeaders, before, nowMs);
    const { token: issued, ...others } = outputs;
    const { token, cookies } = this.authenticator.selectCredential(jar.cookies, issued, before);
    const open = Object.keys(others).filter((each) => this.publicOutputs.has(each));
    const typed = [...new Set([...enteredOutputs(others, fields, before), ...open])];
    return {
      ...(token !== undefined && { token }),
      ...(Object.keys(others).length > 0 && { outputs: others }),
      ...(typed.length > 0 && { typed }),
      ...(cookies && { cookies }),
    };
  }

  /**
   * True if the session has every value that the renewal sends, and one of them can renew it. False if it has a refresh
   * token that the renewal does not send.
   */
  canRefresh(credential: Credential): boolean {
    const { token, outputs = {} } = credential;
    const call = this.#calls.get('refresh');
    if (!call || this.pathFault('refresh', credential)) return false;
    const values: PlaceholderValues = { ...this.#values, ...outputs, token };
    const names = placeholderNames(call.body);
    if (!names.every((name) => values[name] !== undefined)) return false;
    const { headers } = this.description;
    const isOfSession = (name: string): boolean => Object.hasOwn({ ...outputs, token }, name);
    const refreshName = refreshOutput(this.description);
    const inHeaders = refreshName !== undefined && placeholderNames(headers).includes(refreshName);
    if (names.some(isOfSession) || (inHeaders && values[refreshName] !== undefined)) return true;
    const scheme = this.authenticator.schemeFor('refresh', credential);
    const isSent = scheme !== undefined && scheme.type !== 'none';
    if (operationSecurity(this.description, 'refresh')) return isSent;
    const hasNoRefreshToken = refreshName === undefined || outputs[refreshName] === undefined;
    return token !== undefined && isSent && hasNoRefreshToken;
  }

  /** The cookies of the description that a response set and that were rejected, each with the reason. */
  droppedCookies(rawHeaders: Headers, nowMs = Date.now()): RejectedCookie[] {
    return this.authenticator.cookiesIn(rawHeaders, {}, nowMs).dropped;
  }

  /** The session cookie that a response sets. With `isOnly`, a token in the response is not the session's. */
  sessionCookieIn(rawHeaders: Headers): { value: string | undefined; isOnly: boolean } {
    const { cookies } = this.authenticator.cookiesIn(rawHeaders, {}, Date.now());
    const value = this.authenticator.sessionCookie(cookies);
    return { value, isOnly: this.authenticator.isCookieAlone || (this.features.cookie && value !== undefined) };
  }

  /** See {@link isLoginSuccess}; undefined for every call but the login. */
  isLoginSuccess(
    name: AnyCall,
    { status, rawHeaders, body }: { status: number; rawHeaders: Headers; body: string },
    url: string,
  ): boolean | undefined {
    if (name !== 'login') return undefined;
    return isLoginSuccess(this.description.calls.login.success, {
      status,
      location: locationIn(rawHeaders),
      body,
      url,
    });
  }

  /** See {@link isLogoutSuccess}; false for every call but the logout. */
  isLogoutSuccess(
    name: AnyCall,
    { status, rawHeaders }: { status: number; rawHeaders: Headers },
    url: string,
  ): boolean {
    return name === 'logout' && isLogoutSuccess({ status, location: locationIn(rawHeaders), url });
  }

  /** True if the description lists the response among those without a session. */
  isUnauthenticated(status: number, body: string): boolean {
    return this.description.unauthenticated.some(
      (each) => each.status === status && (each.body === undefined || matches(each.body, parseJson(body))),
    );
  }

  /** The call of a request. `url` is absolute, or what follows the base URL. */
  callOf(method: string, url: string): ApiCall | undefined {
    return this.paths.callsAt(url).find((call) => call.method === method.toUpperCase())?.name;
  }

  /**
   * A request in terms of `interface.md`: the operation of its URL, and the method that the operation has there; a method
   * that the description does not have stays a wrong one. A renewal counts as a login.
   */
  toDefaultInterface(method: string, url: string): { name: Operation; method: string } | undefined {
    const calls = this.paths.callsAt(url).map((call) => ({
      method: call.method,
      name: call.name === 'refresh' ? ('login' as const) : call.name,
    }));
    const matched = method === 'HEAD' ? 'GET' : method;
    const call = calls.find((each) => each.method === matched);
    const { name } = call ?? calls[0] ?? {};
    if (name === undefined) return undefined;
    const standard = name === 'profile' ? 'GET' : 'POST';
    if (call) return { name, method: method === 'HEAD' ? 'HEAD' : standard };
    return { name, method: method === standard ? 'PUT' : method };
  }

  /** The operation of a URL, whatever the method. */
  operationAt(url: string): Operation | undefined {
    return this.paths.callsAt(url).find(isOperation)?.name;
  }

  operationOf(method: string, url: string): Operation | undefined {
    const call = this.callOf(method, url);
    return call === 'refresh' ? undefined : call;
  }

  /** The form fields in the body of a request; undefined if the body is no object. */
  fieldsOf(name: ApiCall, contentType: string, body: string): Record<string, PlainJson> | undefined {
    const isForm = isFormType(contentType);
    const sent = isForm ? Object.fromEntries(new URLSearchParams(body)) : parseJson(body);
    return isRecord(sent) ? this.fieldsIn(name, sent) : undefined;
  }

  /** The form fields in the query of a URL; undefined for a call that sends them in its body. */
  fieldsInQuery(name: ApiCall, url: string): Record<string, PlainJson> | undefined {
    if (this.#calls.get(name)?.encoding !== 'query') return undefined;
    const [, query = ''] = url.split('#', 1)[0]!.split(/\?(.*)/s, 2);
    return this.fieldsIn(name, Object.fromEntries(new URLSearchParams(query)));
  }

  /** The form fields in a parsed body. */
  fieldsIn(name: ApiCall, sent: Record<string, PlainJson>): Record<string, PlainJson> {
    const template = this.#calls.get(name)?.body;
    const fields = template === undefined || isIdentityTemplate(template) ? sent : extractValues(template, sent);
    if (name === 'login') return this.identifiers.inLogin(fields, sent);
    return this.features.registrations.some((each) => each === name)
      ? { ...fields, ...this.identifiers.inRegistration(sent) }
      : fields;
  }

  /** See {@link fieldsByMember}. */
  fieldsByMember = (name: ApiCall): Readonly<Record<string, string>> => fieldsByMember(this.#calls.get(name)?.body);

  takesForm(name: ApiCall): boolean {
    const call = this.#calls.get(name);
    return call !== undefined && (call.encoding ?? this.description.encoding) === 'form';
  }

  /** A path that no call has. */
  unknownPath(word: string): string {
    return `${this.paths.prefix}/${word}`;
  }

  encodingOf(name: ApiCall): Encoding {
    return this.#callOf(name).encoding ?? this.description.encoding;
  }

  methodOf(name: ApiCall): string {
    return this.#callOf(name).method;
  }

  /** The path that sets the CSRF cookie, after the base URL. */
  get csrfPath(): string | undefined {
    const from = this.description.csrf?.from;
    return from === undefined ? undefined : (fillTextTemplate(from, this.#values, encodeURIComponent) ?? from);
  }

  /** Why the path of a call cannot be filled: no response gave a value, or its value is a secret or leads elsewhere. */
  pathFault(name: ApiCall, credential: Credential): { output: string; why: 'missing' | 'unsafe' } | undefined {
    return this.paths.fault(this.#callOf(name), credential);
  }

  /** The expressions of the outputs of a call, by name. */
  expressionsOf = (name: ApiCall): Readonly<Record<string, string>> =>
    expressionsOf(this.description, this.#calls.get(name));

  /** The paths of parts of a response by the description, as in interpretations: `data.token`, `headers.x`. */
  outputPaths(name: AnyCall): Readonly<Partial<Record<'token' | 'user' | 'message', string>>> {
    const { token, user, message } = isAccountCall(name)
      ? { ...expressionsIn(this.description.outputs), ...this.accountOutputs(name) }
      : this.expressionsOf(name);
    return {
      ...(token !== undefined && { token: expressionPath(token) }),
      ...(user !== undefined && { user: expressionPath(user) }),
      ...(message !== undefined && { message: expressionPath(message) }),
    };
  }

  /** The path and query of a call after the base URL, with 0 for a value of a response. */
  path(name: ApiCall): string {
    return this.paths.of(this.#callOf(name));
  }

  /** The description with its variables' values as defaults, except secret ones. */
  filled(): InterfaceDescription {
    const variables = Object.entries(this.description.variables).map(([name, variable]) => {
      const value = variable.secret ? undefined : this.#variables[name];
      return [name, value === undefined ? variable : { ...variable, default: value }] as const;
    });
    return { ...this.description, variables: Object.fromEntries(variables) };
  }

  /** The adapter with a replacement for the value of each secret variable. */
  withoutSecrets(replacementFor: (name: string) => string): ApiAdapter {
    const values = Object.entries(this.#variables).map(([name, value]) => [
      name,
      this.description.variables[name]?.secret ? replacementFor(name) : value,
    ]);
    return new ApiAdapter(this.description, this.baseUrl, Object.fromEntries(values));
  }

  /** A call for people: `POST /api/auth/local`, with the name of each variable that has no value. */
  formatCall(name: ApiCall): string {
    const call = this.#callOf(name);
    return `${call.method} ${this.paths.format(call)}`;
  }

  #callOf(name: ApiCall): InterfaceCall {
    // A description with one registration lists it under one of the two names.
    const other = name === 'registro' ? 'register' : 'registro';
    const call =
      this.#calls.get(name) ?? (name === 'registro' || name === 'register' ? this.#calls.get(other) : undefined);
    if (!call) throw new Error(`the description ${this.description.name} has no call ${name}`);
    return call;
  }

  #outputsOfCall = (name: AnyCall): Readonly<Record<string, string>> =>
    isAccountCall(name) ? this.accountOutputs(name) : expressionsIn(this.#calls.get(name)?.outputs);

  #descriptionHeaders(values: PlaceholderValues): Headers {
    return Object.entries(this.description.headers).flatMap(([name, template]) => {
      const value = fillTextTemplate(template, values);
      return value === undefined ? [] : [[name, value] as const];
    });
  }
}

const isOperation = (call: { name: ApiCall; method: string }): call is { name: Operation; method: string } =>
  call.name !== 'refresh';
