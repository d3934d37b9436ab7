import { receivedHeaders } from '../../client/reading/headers.ts';
import { readJson } from '../../client/reading/json.ts';
import { findToken } from '../../client/reading/token.ts';
import { isSecretByName } from '../../client/secrets/is-secret.ts';
import { namesSecret, classifyName } from '../../client/secrets/secret-names.ts';
import { headerNameProblem } from '../../interface/header-name.ts';
import { locateRefreshToken } from '../../interface/refresh-token.ts';
import { isRecord, parseJson, type PlainJson } from '../../interface/template.ts';
import type { GuessReason } from '../../../preload/contract/guess-reason.ts';
import { InterfaceDescription, type FoundPart } from '../../../preload/contract/interface.ts';
import { leavesOf } from './infer-body.ts';
import { camelName, type DescriptionDraft } from './description-draft.ts';
import {
  cookieName,
  requestCookies,
  findHeader,
  isSessionCookie,
  isTokenHeader,
  tokenScheme,
  type ImportedCredential,
  type ExampleResponse,
  type ImportedRequest,
  type SecurityScheme,
} from './imported-request.ts';

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const bareCookie = (name: string): string => name.replace(/^__(?:Secure|Host)-/, '');

const successOf = (request: ImportedRequest | undefined): readonly ExampleResponse[] =>
  request?.responses.filter(({ status }) => status >= 200 && status < 300) ?? [];
const tokenIn = ({ headers, body }: ExampleResponse) =>
  findToken(readJson(body)?.json ?? body, body, receivedHeaders(headers));

/** The tokens in the example of the log-in response. */
export function responseTokens(login: ImportedRequest | undefined): { token?: string; refreshToken?: string } {
  const [tokens] = successOf(login).flatMap((each) => {
    const token = tokenIn(each)?.value;
    const refreshToken = locateRefreshToken(parseJson(each.body), each.headers)?.value;
    return token === undefined && refreshToken === undefined
      ? []
      : [{ ...(token !== undefined && { token }), ...(refreshToken !== undefined && { refreshToken }) }];
  });
  return tokens ?? {};
}

/** How the calls of a session carry its credential, and further headers. */
type InferredSecurity = ImportedCredential & {
  /** API keys that the log-in needs as well; the user enters their values. */
  apiKeyHeaders: readonly string[];
  /** Headers of the session beside its credential, whose values are in the log-in response. */
  sessionHeaders: readonly string[];
};

const bearer: SecurityScheme = { type: 'http', scheme: 'Bearer' };

type Calls = { [Role in 'login' | 'profile' | 'logout' | 'refresh']: ImportedRequest | undefined } & {
  /** Requests beside the five calls, for the case that those do not show the credential. */
  others: readonly ImportedRequest[];
};

const maxOthers = 200;

/** How the calls of a session carry its credential. */
export function inferSecurity({ login, profile, logout, refresh, others }: Calls): InferredSecurity {
  const inside = [profile, logout].filter((each) => each !== undefined);
  const sent = securityOfHeaders(login, inside);
  if (sent) return sent;
  const documented = documentedSecurity(login, [...inside, ...(refresh ? [refresh] : [])]);
  const hasToken = successOf(login).some((each) => tokenIn(each) !== undefined);
  const setCookies = hasToken ? [] : cookiesSet(login);
  // A session cookie of the log-in response outweighs the usual scheme.
  if (documented?.security && !(documented.why === 'usual' && setCookies.some(isSessionCookie)))
    return { ...documented, security: documented.security };
  const inferred = (security: SecurityScheme, why: GuessReason): InferredSecurity => ({
    security,
    why,
    apiKeyHeaders: documented?.apiKeyHeaders ?? [],
    sessionHeaders: [],
  });
  const loginCookies = hasToken || login === undefined ? [] : requestCookies(login);
  const name = sessionCookieIn([...inside.flatMap(requestCookies), ...setCookies, ...loginCookies], setCookies);
  if (name !== undefined) return inferred({ type: 'apiKey', in: 'cookie', name }, 'by-name');
  const isInBody = profile?.method !== 'GET' && leavesOf(profile?.body).some(({ means }) => means === 'token');
  if (isInBody && profile?.security === undefined) return inferred({ type: 'none' }, 'by-name');
  if (hasToken && inside.length > 0) return inferred(bearer, 'usual');
  // The other requests of the text may be of the same session.
  const rest = others.slice(0, maxOthers);
  const elsewhere = securityOfHeaders(login, rest) ?? documentedSecurity(login, rest);
  if (elsewhere?.security) return { ...elsewhere, security: elsewhere.security, why: elsewhere.why ?? 'by-name' };
  const cookie = hasToken ? undefined : sessionCookieIn(rest.flatMap(requestCookies), []);
  return cookie === undefined
    ? inferred(bearer, 'usual')
    : inferred({ type: 'apiKey', in: 'cookie', name: cookie }, 'by-name');
}

/** The security that the headers of requests show. */
function securityOfHeaders(
  login: ImportedRequest | undefined,
  requests: readonly ImportedRequest[],
): InferredSecurity | undefined {
  for (const request of requests) {
    const scheme = tokenScheme(request);
    const sent = ownHeaders(request, login);
    if (scheme !== undefined)
      return { security: { type: 'http', scheme }, apiKeyHeaders: [], sessionHeaders: identityHeaders(sent) };
    const own = sent.find(isTokenHeader);
    if (own === undefined || request.security) continue;
    const sessionHeaders = identityHeaders(sent.filter((each) => each !== own));
    return {
      security: { type: 'apiKey', in: 'header', name: own },
      why: 'by-name',
      apiKeyHeaders: [],
      sessionHeaders,
    };
  }
  return undefined;
}

/** The session cookie: one with a name of such, or the only one that the log-in sets. */
function sessionCookieIn(names: readonly string[], setCookies: readonly string[]): string | undefined {
  const named = names.map(bareCookie).find(isSessionCookie);
  const [only] = setCookies;
  return (
    named ??
    (setCookies.length === 1 && only !== undefined && !/csrf|xsrf|refresh/i.test(only) ? bareCookie(only) : undefined)
  );
}

/** The headers of a request that the log-in does not have and no client sends by itself. */
const ownHeaders = (request: ImportedRequest, login: ImportedRequest | undefined): string[] =>
  request.headers.flatMap(([name]) =>
    headerNameProblem(name) === undefined &&
    !commonHeader.test(name) &&
    !login?.headers.some(([other]) => isSame(other, name))
      ? [name]
      : [],
  );

/** Headers beside a credential that identify its user, such as Rocket.Chat's `X-User-Id`. */
const identityHeaders = (names: readonly string[]): string[] =>
  names
    .filter((name) =>
      /(?:^|[-_])(?:user|account|client|uid|session|device|member|customer)(?:[-_]?(?:id|e?mail|name))?$/i.test(name),
    )
    .slice(0, 3);

/** The names of the cookies that the log-in sets. */
const cookiesSet = (login: ImportedRequest | undefined): string[] =>
  (login?.responses ?? [])
    .filter(({ status }) => status >= 200 && status < 400)
    .flatMap(({ headers }) => headers.filter(([name]) => isSame(name, 'set-cookie')))
    .flatMap(([, value]) => value.split('\n').map(cookieName))
    .filter((name) => name !== '');

const isSameCredential = ({ security: one }: ImportedCredential, { security: other }: ImportedCredential): boolean =>
  JSON.stringify(one).toLowerCase() === JSON.stringify(other).toLowerCase();
const headerNameOf = ({ security }: ImportedCredential): string[] =>
  security.type === 'apiKey' && security.in === 'header' ? [security.name] : [];

/**
 * The security that a document declares. A credential that the log-in needs as well is not that of the session, unless the
 * document declares one security for all calls.
 */
function documentedSecurity(
  login: ImportedRequest | undefined,
  inside: readonly ImportedRequest[],
): (Omit<InferredSecurity, 'security'> & { security?: SecurityScheme }) | undefined {
  const alternatives = inside.flatMap(({ security }) => security ?? []).filter((each) => each.length > 0);
  const [first] = inside.flatMap(({ security }) =>
    security && security.some((each) => each.length > 0) ? [security] : [],
  );
  const [needed = []] = login?.security ?? [];
  if (first === undefined)
    return needed.length > 0 ? { apiKeyHeaders: needed.flatMap(headerNameOf), sessionHeaders: [] } : undefined;
  const hasToken = successOf(login).some((each) => tokenIn(each) !== undefined);
  const setCookies = cookiesSet(login);
  const likelihood = ({ security }: ImportedCredential): number => {
    if (security.type === 'http') return 4;
    if (security.type !== 'apiKey') return 0;
    if (security.in === 'cookie')
      return !hasToken && setCookies.some((name) => isSame(bareCookie(name), bareCookie(security.name))) ? 5 : 2;
    return isTokenHeader(security.name) ? 3 : 1;
  };
  const isOfLogin = (each: ImportedCredential): boolean => needed.some((other) => isSameCredential(each, other));
  const choices = first.flatMap((together) =>
    together.map((credential) => ({
      together,
      credential,
      score: likelihood(credential) - (isOfLogin(credential) ? 3 : 0),
    })),
  );
  choices.sort((one, other) => other.score - one.score);
  const [best] = choices;
  // An API key that the log-in sends too is no session.
  if (!best || (isOfLogin(best.credential) && likelihood(best.credential) < 2)) {
    return {
      apiKeyHeaders: [...new Set([...(best?.together ?? []), ...needed].flatMap(headerNameOf))],
      sessionHeaders: [],
    };
  }
  const others = best.together.filter((each) => each !== best.credential);
  const rivals = choices.filter(
    ({ together, credential, score }) =>
      together !== best.together && score >= best.score && !isSameCredential(credential, best.credential),
  );
  const isOther =
    first.length === 1 &&
    alternatives.some(
      (needs) => !needs.some((each) => isSameCredential(each, best.credential)) && !needs.every(isOfLogin),
    );
  const why: GuessReason | undefined = best.credential.why ?? (rivals.length > 0 || isOther ? 'several' : undefined);
  const session = others.filter((each) => !isOfLogin(each)).flatMap(headerNameOf);
  const sessionHeaders = identityHeaders(session);
  return {
    ...best.credential,
    ...(why && { why }),
    apiKeyHeaders: [
      ...new Set([
        ...others.filter(isOfLogin).flatMap(headerNameOf),
        ...session.filter((each) => !sessionHeaders.includes(each)),
        ...needed.filter((each) => !isSameCredential(each, best.credential)).flatMap(headerNameOf),
      ]),
    ],
    sessionHeaders,
  };
}

const pointerPart = (name: string): string => name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
const pointerTo = (path: readonly string[]): string =>
  path.length === 0 ? '$response.body' : `$response.body#${path.map((part) => `/${pointerPart(part)}`).join('')}`;

/** The runtime expression of a path of the token finder: `data.token`, `headers.authorization`, `body`. */
const expressionOf = (path: string): string =>
  path.startsWith('headers.')
    ? `$response.header.${path.slice('headers.'.length)}`
    : pointerTo(path === 'body' ? [] : path.split(/[.[\]]+/).filter(Boolean));

type Outputs = { value: InterfaceDescription['outputs']; parts: FoundPart[] };

/**
 * The expressions of the tokens in the log-in response, as far as an example shows them.
 * @param refreshCall the call to which the description sends the refresh token, if any
 */
export function inferOutputs(
  login: ImportedRequest | undefined,
  { security, sessionHeaders }: InferredSecurity,
  refreshCall: ImportedRequest | undefined,
): Outputs {
  const examples = successOf(login);
  const value: InterfaceDescription['outputs'] = {};
  const parts: FoundPart[] = [];
  const add = (name: string, expression: string, why?: GuessReason): void => {
    value[name] = expression;
    parts.push({ at: `outputs.${name}`, is: why === undefined ? 'sure' : 'guess', ...(why && { why }) });
  };
  const isCookie = security.type === 'apiKey' && security.in === 'cookie';
  const token = isCookie ? undefined : tokenExpression(examples, security);
  if (token !== undefined) add('token', token);
  const [refresh] = examples.flatMap((each) => locateRefreshToken(parseJson(each.body), each.headers) ?? []);
  if (refresh !== undefined)
    add('refreshToken', 'way' in refresh ? pointerTo(refresh.way) : `$response.header.${refresh.header}`);
  else if (refreshCall !== undefined) {
    const member = leavesOf(refreshCall.body).find(({ means }) => means === 'refresh')?.member.name;
    add('refreshToken', pointerTo([member ?? 'refresh_token']), 'usual');
  }
  for (const header of sessionHeaders) {
    const name = outputNameFor(header);
    const [shown] = examples.flatMap((each) => namedExpression(each, header, name) ?? []);
    const parent = /^(\$response\.body#.*)\/[^/]*$/.exec(token ?? '')?.[1] ?? '$response.body#';
    add(name, shown ?? `${parent}/${name}`, shown === undefined ? 'usual' : undefined);
  }
  return { value, parts };
}

/** The output for a header: `userId` for `X-User-Id`. */
function outputNameFor(header: string): string {
  const name = camelName(header.replace(/^x-/i, ''));
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The expression of the token. A response header with the name of the credential is preferred. */
function tokenExpression(examples: readonly ExampleResponse[], security: SecurityScheme): string | undefined {
  const own = security.type === 'apiKey' ? security.name : undefined;
  const [header] = examples.flatMap(({ headers }) =>
    headers.filter(([name]) => own !== undefined && isSame(name, own)),
  );
  if (header) return `$response.header.${header[0]}`;
  const [path] = examples.flatMap((each) => tokenIn(each)?.path ?? []);
  return path === undefined ? undefined : expressionOf(path);
}

/** The expression of the value for a header: a response header of that name, or a member of the body. */
function namedExpression({ headers, body }: ExampleResponse, header: string, name: string): string | undefined {
  if (headers.some(([each]) => isSame(each, header))) return `$response.header.${header}`;
  const normalize = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  const queue: { value: PlainJson | undefined; path: readonly string[] }[] = [{ value: parseJson(body), path: [] }];
  for (const { value, path } of queue) {
    if (!isRecord(value) || path.length > 5 || queue.length > 500) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (normalize(key) === normalize(name) && !isRecord(inner)) return pointerTo([...path, key]);
      queue.push({ value: inner, path: [...path, key] });
    }
  }
  return undefined;
}

const headerValue = InterfaceDescription.shape.headers.unwrap().valueType;

/** Headers that browsers and tools send by themselves, or that identify one request. */
const commonHeader =
  /^(?:accept|accept-.*|content-.*|authorization|cookie|user-agent|referer|origin|cache-control|pragma|priority|dnt|te|range|if-.*|sec-.*|upgrade-.*|x-(?:xsrf|csrf)-token|x-requested-with|x-request-id|x-correlation-id|traceparent|tracestate|baggage|x-forwarded-.*|postman-token|forwarded|via|.*csrf.*|x-amzn-.*|x-b3-.*|sentry-.*)$/i;

/** The headers that all calls have in common and no client sends by itself. A secret is a variable. */
export function inferHeaders(
  requests: readonly ImportedRequest[],
  { security, apiKeyHeaders, sessionHeaders }: InferredSecurity,
  draft: DescriptionDraft,
): Record<string, string> {
  const [first, ...others] = requests;
  const isApiKeyIn = (location: 'header' | 'cookie') => security.type === 'apiKey' && security.in === location;
  const common = (first?.headers ?? []).filter(
    ([name, value]) =>
      !commonHeader.test(name) &&
      headerNameProblem(name) === undefined &&
      value !== '' &&
      headerValue.safeParse(value).success &&
      !(isApiKeyIn('header') && security.type === 'apiKey' && isSame(security.name, name)) &&
      !sessionHeaders.some((other) => isSame(other, name)) &&
      others.every(({ headers }) => headers.some(([other]) => isSame(other, name))),
  );
  const own = common.slice(0, 20).map(([name, value]) => {
    const isVariable = value.includes('{{');
    const isKey = (isVariable ? namesSecret(name) : isSecretByName(value, classifyName(name))) || /key$/i.test(name);
    if (!isKey) return [name, draft.constant(name, value, `headers.${name}`)];
    if (!isVariable) draft.dropped.add(`headers.${name}`);
    return [name, draft.variable(name, { secret: true })];
  });
  const isNew = (name: string): boolean =>
    !common.some(([other]) => isSame(other, name)) && headerNameProblem(name) === undefined;
  return Object.fromEntries([
    ...own,
    ...apiKeyHeaders.filter(isNew).map((name) => [name, draft.variable(name, { secret: true })]),
    ...sessionHeaders.map((name) => [name, `{{${outputNameFor(name)}}}`]),
    // Servers with session cookies often check the origin.
    ...(isApiKeyIn('cookie') ? [['Origin', '{{origin}}']] : []),
  ]);
}

/** The CSRF cookie and header, by the names of Laravel, Django and Angular. */
export function inferCsrf(
  requests: readonly ImportedRequest[],
  security: SecurityScheme,
): InterfaceDescription['csrf'] {
  if (security.type !== 'apiKey' || security.in !== 'cookie') return undefined;
  const header = requests.map((request) => findHeader(request, /^x-(?:xsrf|csrf)-?token$/i)?.[0]).find(Boolean);
  const cookie = requests.flatMap(requestCookies).find((name) => /^(?:xsrf-token|csrf-?token|csrf_token)$/i.test(name));
  if (header === undefined || cookie === undefined) return undefined;
  const from = requests.find(({ method, url }) => method === 'GET' && /csrf/i.test(url))?.url ?? '';
  const path = /^(?:https?:\/\/[^/?#]+|\{\{[^{}]+\}\})?(\/[^\s#\\?]*)/i.exec(from)?.[1];
  return { cookie, header, ...(path !== undefined && { from: path }) };
}
