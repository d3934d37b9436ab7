import type { InterfaceCall, InterfaceDescription } from '../../preload/contract/interface.ts';
import type { Operation } from '../../preload/contract/names.ts';
import { CallPaths } from './call-paths.ts';
import { listCalls, type ApiCall } from './list-calls.ts';
import type { RejectedCookie } from './cookies.ts';
import { RequestAuthenticator } from './request-authenticator.ts';
import { expressionPath } from './expression.ts';
import { updateOutputs, refreshOutput, enteredOutputs, type Credential } from './credential.ts';
import { Identifiers } from './identifiers.ts';
import { matches } from './matching.ts';
import { expressionsIn, expressionsOf, publicOutputs } from './outputs.ts';
import { variableValues } from './read-description.ts';
import { operationSecurity } from './security-schemes.ts';
import { isLoginSuccess, isLogoutSuccess } from './success.ts';
import { createBody, padded, type Encoding } from './request-body.ts';
import {
  fillTextTemplate,
  isByUsername,
  isFieldName,
  isIdentityTemplate,
  isRecord,
  fieldsByMember,
  placeholderNames,
  parseJson,
  extractValues,
  toText,
  type PlainJson,
  type PlaceholderValues,
} from './template.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** What goes out: an absolute address, and headers in the order in which they are written. */
type WireRequest = {
  method: string;
  url: string;
  headers: Headers;
  body?: string | undefined;
  /** The passwords that stand in the address, as they were typed. */
  secretsInUrl?: readonly string[];
};

/** What one call says beside what the description says. */
type Said = {
  /** By the names of the interface's own fields. A text is sent as it is. */
  fields?: PlaceholderValues | string | undefined;
  credential?: Credential | undefined;
  /** In the place of the scheme that the description names. */
  scheme?: string | undefined;
  /** After all others. */
  headers?: Headers | undefined;
  method?: string | undefined;
  /** In the place of the call's, after the server's address. */
  path?: string | undefined;
  withoutAccept?: boolean | undefined;
  /** In the place of the call's. */
  encoding?: Encoding | undefined;
  /** The bytes that the body has at least, by blanks of JSON or by one more field of a form. */
  paddedTo?: number | undefined;
};

/** What a description has, for what is asked of a server and what the forms show. */
export type ApiFeatures = {
  registrations: readonly ('registro' | 'register')[];
  /** The fields that registering takes; an email and a password unless the description says otherwise. */
  fields: ReadonlySet<string>;
  /** Whether logging in takes a user name, and no email. */
  byUsername: boolean;
  logout: boolean;
  refresh: boolean;
  cookie: boolean;
};

const locationIn = (rawHeaders: Headers): string | undefined =>
  rawHeaders.find(([header]) => header.toLowerCase() === 'location')?.[1];

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

/** An address with one more part of its query. */
const withQuery = (url: string, query: string | undefined): string =>
  query === undefined || query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;

/** The passwords of fields, as texts. */
const passwordsIn = (fields: PlaceholderValues): string[] =>
  [fields['password'], fields['cpassword']].flatMap((value) =>
    value === undefined || value === null || value === '' ? [] : [toText(value)],
  );

/**
 * Translates between the words of `interface.md` and those of a server. It is the one place that knows addresses, methods,
 * encodings and names of fields, for all that calls a server and all that stands in for one.
 */
export class ApiAdapter {
  readonly description: InterfaceDescription;
  readonly features: ApiFeatures;
  readonly baseUrl: string;
  /** How accounts are told apart: by an email, a user name or both. */
  readonly identifiers: Identifiers;
  readonly #calls: ReadonlyMap<ApiCall, InterfaceCall>;
  readonly #values: Readonly<Record<string, string>>;
  /** Between the server's address and the paths of the calls. */
  readonly prefix: string;
  readonly #given: Readonly<Record<string, string>>;
  /** The outputs that are no secrets. */
  readonly #open: ReadonlySet<string>;
  readonly #paths: CallPaths;
  readonly #credentials: RequestAuthenticator;

  /**
   * @param baseUrl a value of `parseBaseUrl`
   * @param variables what was given for the description's variables; `variableFaults` found nothing wrong with it
   */
  constructor(description: InterfaceDescription, baseUrl: string, variables: Readonly<Record<string, string>> = {}) {
    const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
    this.description = description;
    this.baseUrl = baseUrl;
    this.#given = variables;
    this.#values = { ...variableValues(description, variables, origin), origin };
    this.#calls = operationsOf(description);
    this.#open = publicOutputs(description);
    const { prefix } = description;
    this.#paths = new CallPaths({ baseUrl, prefix, values: this.#values, open: this.#open, calls: this.#calls });
    this.prefix = this.#paths.prefix;
    const sentTo = (name: ApiCall): string | undefined => {
      const call = this.#calls.get(name);
      return call && URL.parse(baseUrl + this.#paths.of(call))?.pathname;
    };
    this.#credentials = new RequestAuthenticator(description, { baseUrl, sentTo });
    this.features = { ...hasOf(this.#calls), cookie: this.#credentials.isCookie };
    this.identifiers = new Identifiers({
      registration: this.#calls.get('registro') ?? this.#calls.get('register'),
      login: this.#calls.get('login'),
    });
  }

  /** The request of a call. It is a bug to ask for one that the description does not have. */
  request(name: ApiCall, said: Said = {}): WireRequest {
    const call = this.#callOf(name);
    const { fields, credential = {}, method = call.method } = said;
    const usual = said.encoding ?? this.encodingOf(name);
    // What is sent as it is can only be a body.
    const encoding = usual === 'query' && typeof fields === 'string' ? 'json' : usual;
    const values = { ...this.#values, ...credential.outputs, token: credential.token };
    const isRegistration = this.features.registrations.some((each) => each === name);
    const identifiers = isRegistration ? this.identifiers : undefined;
    const made = createBody(call, { fields, values, encoding, asked: this.features.fields, identifiers });
    const written = padded(made, encoding, said.paddedTo);
    const body = encoding === 'query' ? undefined : written;
    const url = this.baseUrl + (said.path ?? this.#paths.of(call, credential));
    const own = new Set(said.headers?.map(([header]) => header.toLowerCase()));
    return {
      method,
      url: encoding === 'query' ? withQuery(url, written) : url,
      headers: [
        ...(said.withoutAccept ? [] : [['Accept', 'application/json'] as const]),
        ...(body === undefined ? [] : [['Content-Type', contentTypes[encoding === 'form' ? 'form' : 'json']] as const]),
        ...this.#credentials.headers(name, credential, { method, scheme: said.scheme }),
        ...this.#fixedHeaders(values).filter(([header]) => !own.has(header.toLowerCase())),
        ...(said.headers ?? []),
      ],
      body,
      ...(encoding === 'query' && typeof fields === 'object' && { secretsInUrl: passwordsIn(fields) }),
    };
  }

  /** The call to make before another: that for the cookie against forged requests, while it is not held. */
  csrfRequestIfNeeded(name: ApiCall, held: Credential): WireRequest | undefined {
    return this.csrfValue(held) === undefined ? this.csrfRequest(name, held) : undefined;
  }

  /** The call that gives the cookie against forged requests; undefined where none does, and for a call that needs none. */
  csrfRequest(name: ApiCall, { cookies = {} }: Credential): WireRequest | undefined {
    if (this.csrfPath === undefined || !this.needsCsrf(name)) return undefined;
    const headers = [
      ['Accept', 'application/json'] as const,
      ...this.#credentials.headers('perfil', { cookies }, { method: 'GET' }),
      ...this.#fixedHeaders(this.#values),
    ];
    return { method: 'GET', url: this.baseUrl + this.csrfPath, headers };
  }

  /** Whether a call is one that the server may refuse for its token against forged requests. */
  needsCsrf(name: ApiCall): boolean {
    return this.description.csrf !== undefined && this.#callOf(name).method !== 'GET';
  }

  /** The token against forged requests that is held. */
  csrfValue({ cookies }: Credential): string | undefined {
    return this.#credentials.csrfValue(cookies);
  }

  /**
   * What is held after an answer: outputs of its body if it is one to registering, logging in or renewing, those that its
   * call alone has, and outputs of its headers and cookies in any case.
   * @param more.fields what the call was sent with
   */
  credentialAfter(
    name: ApiCall | 'csrf',
    answer: { status: number; rawHeaders: Headers; body: string },
    held: Credential,
    { fields, nowMs = Date.now() }: { fields?: Said['fields']; nowMs?: number } = {},
  ): Credential {
    const isOk = answer.status >= 200 && answer.status < 300;
    const givesTokens = isOk && ['registro', 'register', 'login', 'refresh'].includes(name);
    const own = isOk && name !== 'csrf' ? expressionsIn(this.#calls.get(name)?.outputs) : {};
    const outputs = updateOutputs(this.description, answer, held, { givesTokens, own });
    const { cookies } = this.#credentials.cookiesIn(answer.rawHeaders, held, nowMs);
    const { token: given, ...others } = outputs;
    const { token, cookies: kept } = this.#credentials.selectCredential(cookies, given, held);
    const open = Object.keys(others).filter((each) => this.#open.has(each));
    const typed = [...new Set([...enteredOutputs(others, fields, held), ...open])];
    return {
      ...(token !== undefined && { token }),
      ...(Object.keys(others).length > 0 && { outputs: others }),
      ...(typed.length > 0 && { typed }),
      ...(kept && { cookies: kept }),
    };
  }

  /**
   * Whether a session can be renewed: all that the call for it says is held, and something of it renews. A refresh token
   * that this call has no place for would be left behind, so that it cannot.
   */
  canRefresh(held: Credential): boolean {
    const { token, outputs = {} } = held;
    const call = this.#calls.get('refresh');
    if (!call || this.pathFault('refresh', held)) return false;
    const values: PlaceholderValues = { ...this.#values, ...outputs, token };
    const names = placeholderNames(call.body);
    if (!names.every((name) => values[name] !== undefined)) return false;
    const { headers } = this.description;
    const isHeld = (name: string): boolean => Object.hasOwn({ ...outputs, token }, name);
    const refreshName = refreshOutput(this.description);
    const inHeaders = refreshName !== undefined && placeholderNames(headers).includes(refreshName);
    if (names.some(isHeld) || (inHeaders && values[refreshName] !== undefined)) return true;
    const way = this.#credentials.schemeFor('refresh', held);
    if (operationSecurity(this.description, 'refresh')) return way !== undefined && way.type !== 'none';
    const isAlone = refreshName === undefined || outputs[refreshName] === undefined;
    return token !== undefined && way !== undefined && way.type !== 'none' && isAlone;
  }

  /** The cookies that the description names, that an answer set and that were not kept, with the reason of each. */
  droppedCookies(rawHeaders: Headers, nowMs = Date.now()): RejectedCookie[] {
    return this.#credentials.cookiesIn(rawHeaders, {}, nowMs).dropped;
  }

  /**
   * What is held with another token in the place of its own, which for a cookie is its value.
   * @param like what is held of a session, for the name of that cookie
   */
  withToken(held: Credential, token: string, like = held): Credential {
    return this.#credentials.withToken(held, token, like);
  }

  /**
   * What is held after an answer in which a token was found, that no output names.
   * @param place where the reader found it
   */
  withDetectedToken(held: Credential, token: string | undefined, place: string | undefined): Credential {
    return this.#credentials.withDetectedToken(held, token, place);
  }

  /** Whether a session is kept by its cookie, where others are kept by a token. */
  usesSessionCookie = (held: Credential): boolean => this.#credentials.sessionCookie(held.cookies) !== undefined;

  /**
   * The session cookie that an answer sets. `isOnly` says whether a session is nothing else: a token in the answer is then
   * for something else.
   */
  sessionCookieIn(rawHeaders: Headers): { value: string | undefined; isOnly: boolean } {
    const { cookies } = this.#credentials.cookiesIn(rawHeaders, {}, Date.now());
    const value = this.#credentials.sessionCookie(cookies);
    return { value, isOnly: this.#credentials.isCookieAlone || (this.features.cookie && value !== undefined) };
  }

  /** See {@link isLoginSuccess}; undefined for every call but the log-in. */
  isLoginSuccess(
    name: ApiCall,
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

  /** See {@link isLogoutSuccess}; false for every call but the log-out. */
  isLogoutSuccess(
    name: ApiCall,
    { status, rawHeaders }: { status: number; rawHeaders: Headers },
    url: string,
  ): boolean {
    return name === 'salir' && isLogoutSuccess({ status, location: locationIn(rawHeaders), url });
  }

  /** Whether an answer says that there is no session. */
  isUnauthenticated(status: number, body: string): boolean {
    return this.description.unauthenticated.some(
      (each) => each.status === status && (each.body === undefined || matches(each.body, parseJson(body))),
    );
  }

  /** The call that a request is, by its method and its address: an absolute one at this server, or what follows that. */
  callOf(method: string, url: string): ApiCall | undefined {
    return this.callsAt(url).find((call) => call.method === method.toUpperCase())?.name;
  }

  /** The calls that an address is for, whatever the method, the nearest first. */
  callsAt(url: string): { name: ApiCall; method: string }[] {
    return this.#paths.callsAt(url);
  }

  /**
   * What a request is to the interface of `interface.md`: the operation that its address is for, and its method where that
   * is another one there. With a method that the description does not have, it is one that no interface has. To renew a
   * session is to log in by other means.
   */
  toDefaultInterface(method: string, url: string): { name: Operation; method: string } | undefined {
    const calls = this.callsAt(url).map((call) => ({
      method: call.method,
      name: call.name === 'refresh' ? ('login' as const) : call.name,
    }));
    const wanted = method === 'HEAD' ? 'GET' : method;
    const call = calls.find((each) => each.method === wanted);
    const { name } = call ?? calls[0] ?? {};
    if (name === undefined) return undefined;
    const own = name === 'perfil' ? 'GET' : 'POST';
    if (call) return { name, method: method === 'HEAD' ? 'HEAD' : own };
    return { name, method: method === own ? 'PUT' : method };
  }

  /** The operation whose path an address has, whatever the method. */
  operationAt(url: string): Operation | undefined {
    return this.callsAt(url).find(isOperation)?.name;
  }

  /** The operation of `interface.md` that a request is. */
  operationOf(method: string, url: string): Operation | undefined {
    const call = this.callOf(method, url);
    return call === 'refresh' ? undefined : call;
  }

  /** The interface's own fields in the body of a request; undefined where it holds no object. */
  fieldsOf(name: ApiCall, contentType: string, body: string): Record<string, PlainJson> | undefined {
    const isForm = this.isForm(contentType);
    const sent = isForm ? Object.fromEntries(new URLSearchParams(body)) : parseJson(body);
    return isRecord(sent) ? this.fieldsIn(name, sent) : undefined;
  }

  /** The same, in the query of an address; undefined for a call whose fields go in its body. */
  fieldsInQuery(name: ApiCall, url: string): Record<string, PlainJson> | undefined {
    if (this.#calls.get(name)?.encoding !== 'query') return undefined;
    const [, query = ''] = url.split('#', 1)[0]!.split(/\?(.*)/s, 2);
    return this.fieldsIn(name, Object.fromEntries(new URLSearchParams(query)));
  }

  /** The same, of a body that was read. */
  fieldsIn(name: ApiCall, sent: Record<string, PlainJson>): Record<string, PlainJson> {
    const template = this.#calls.get(name)?.body;
    const fields = template === undefined || isIdentityTemplate(template) ? sent : extractValues(template, sent);
    if (name === 'login') return this.identifiers.inLogin(fields, sent);
    return this.features.registrations.some((each) => each === name)
      ? { ...fields, ...this.identifiers.inRegistration(sent) }
      : fields;
  }

  /** See {@link fieldsByMember}, of the body of a call. */
  fieldsByMember = (name: ApiCall): Readonly<Record<string, string>> => fieldsByMember(this.#calls.get(name)?.body);

  /** Whether a body of this type is a form. */
  isForm(contentType: string): boolean {
    return contentType.toLowerCase().startsWith(contentTypes.form);
  }

  /** Whether a call has a form for its body. */
  takesForm(name: ApiCall): boolean {
    const call = this.#calls.get(name);
    return call !== undefined && (call.encoding ?? this.description.encoding) === 'form';
  }

  /** The path of an address beside the calls, that no interface has. */
  beside(word: string): string {
    return `${this.prefix}/${word}`;
  }

  encodingOf(name: ApiCall): Encoding {
    return this.#callOf(name).encoding ?? this.description.encoding;
  }

  methodOf(name: ApiCall): string {
    return this.#callOf(name).method;
  }

  /** The path that gives the cookie against forged requests, after the server's address. */
  get csrfPath(): string | undefined {
    const from = this.description.csrf?.from;
    return from === undefined ? undefined : (fillTextTemplate(from, this.#values, encodeURIComponent) ?? from);
  }

  /**
   * Why a call cannot be made with what is held: its path needs a value that no answer gave, or one that may stand in no
   * path since it would lead elsewhere, or would show a secret.
   */
  pathFault(name: ApiCall, held: Credential): { output: string; why: 'missing' | 'unsafe' } | undefined {
    return this.#paths.fault(this.#callOf(name), held);
  }

  /** The expressions of the answer to a call, by the names of the outputs. */
  expressionsOf = (name: ApiCall): Readonly<Record<string, string>> =>
    expressionsOf(this.description, this.#calls.get(name));

  /** Whether an output is no secret. */
  isPublicOutput = (output: string): boolean => this.#open.has(output);

  /** Where parts of an answer are by the description, as places of the reader (`data.token`, `headers.x`). */
  outputPaths(name: ApiCall): Readonly<Partial<Record<'token' | 'user' | 'message', string>>> {
    const { token, user, message } = this.expressionsOf(name);
    return {
      ...(token !== undefined && { token: expressionPath(token) }),
      ...(user !== undefined && { user: expressionPath(user) }),
      ...(message !== undefined && { message: expressionPath(message) }),
    };
  }

  /** The path of a call after the server's address, with its query. Where a value of an answer stands is a zero. */
  path(name: ApiCall): string {
    return this.#paths.of(this.#callOf(name));
  }

  /** The description with the values that were given for it, but for secret ones. */
  filled(): InterfaceDescription {
    const variables = Object.entries(this.description.variables).map(([name, said]) => {
      const value = said.secret ? undefined : this.#given[name];
      return [name, value === undefined ? said : { ...said, default: value }] as const;
    });
    return { ...this.description, variables: Object.fromEntries(variables) };
  }

  /** The same interface with something in the place of each secret value that was given for it. */
  withoutSecrets(insteadOf: (name: string) => string): ApiAdapter {
    const given = Object.entries(this.#given).map(([name, value]) => [
      name,
      this.description.variables[name]?.secret ? insteadOf(name) : value,
    ]);
    return new ApiAdapter(this.description, this.baseUrl, Object.fromEntries(given));
  }

  /** What people copy of the interface's paths along with an address: beginnings of the prefix, and whole paths. */
  pasted(): string[] {
    return this.#paths.pasted();
  }

  /** A call as people write it: `POST /api/auth/local`. A variable without a value is named. */
  formatCall(name: ApiCall): string {
    const call = this.#callOf(name);
    return `${call.method} ${this.#paths.shown(call)}`;
  }

  #callOf(name: ApiCall): InterfaceCall {
    // A description with one registration has it under one of the two names.
    const other = name === 'registro' ? 'register' : 'registro';
    const call =
      this.#calls.get(name) ?? (name === 'registro' || name === 'register' ? this.#calls.get(other) : undefined);
    if (!call) throw new Error(`the description ${this.description.name} has no call ${name}`);
    return call;
  }

  #fixedHeaders(values: PlaceholderValues): Headers {
    return Object.entries(this.description.headers).flatMap(([name, template]) => {
      const value = fillTextTemplate(template, values);
      return value === undefined ? [] : [[name, value] as const];
    });
  }
}

const isOperation = (call: { name: ApiCall; method: string }): call is { name: Operation; method: string } =>
  call.name !== 'refresh';

/** Under which of the interface's own names the calls of a description go. */
function operationsOf(description: InterfaceDescription): Map<ApiCall, InterfaceCall> {
  const registrations = listCalls(description).filter(({ name }) => name === 'register');
  const calls = listCalls(description).flatMap(({ name, call }): [ApiCall, InterfaceCall][] => {
    if (name === 'profile') return [['perfil', call]];
    if (name === 'logout') return [['salir', call]];
    if (name !== 'register') return [[name, call]];
    const isFirstOfTwo = registrations.length === 2 && call === registrations[0]?.call;
    const repeats = placeholderNames(call.body).includes('cpassword');
    return [[!isFirstOfTwo && (repeats || registrations.length === 2) ? 'register' : 'registro', call]];
  });
  return new Map(calls);
}

function hasOf(calls: ReadonlyMap<ApiCall, InterfaceCall>): Omit<ApiFeatures, 'cookie'> {
  const registrations = (['registro', 'register'] as const).filter((name) => calls.has(name));
  return {
    registrations,
    fields: new Set(
      registrations.flatMap((name) => placeholderNames(calls.get(name)?.body)).filter((name) => isFieldName(name)),
    ),
    byUsername: isByUsername(calls.get('login')?.body),
    logout: calls.has('salir'),
    refresh: calls.has('refresh'),
  };
}
