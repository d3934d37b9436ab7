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
  headerOf,
  isSessionCookie,
  isTokenHeader,
  schemeIn,
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

/** The values of the tokens that an answer to the log-in has. */
export function responseTokens(login: ImportedRequest | undefined): { token?: string; refreshToken?: string } {
  const [found] = successOf(login).flatMap((each) => {
    const token = tokenIn(each)?.value;
    const refreshToken = locateRefreshToken(parseJson(each.body), each.headers)?.value;
    return token === undefined && refreshToken === undefined
      ? []
      : [{ ...(token !== undefined && { token }), ...(refreshToken !== undefined && { refreshToken }) }];
  });
  return found ?? {};
}

/** How the calls of a session carry its credential, and which headers go along with every call. */
export type InferredSecurity = ImportedCredential & {
  /** API keys that the log-in needs, too: their values are asked for. */
  apiKeyHeaders: readonly string[];
  /** Headers that only the calls of a session have, beside its credential: they are of the log-in's answer. */
  sessionHeaders: readonly string[];
};

const bearer: SecurityScheme = { type: 'http', scheme: 'Bearer' };

type Calls = { [Role in 'login' | 'profile' | 'logout' | 'refresh']: ImportedRequest | undefined } & {
  /** Requests beside the five calls, which show the credential where those do not. */
  others: readonly ImportedRequest[];
};

const mostOthers = 200;

/** How the calls of a session carry its credential. */
export function inferSecurity({ login, profile, logout, refresh, others }: Calls): InferredSecurity {
  const inside = [profile, logout].filter((each) => each !== undefined);
  const shown = shownBy(login, inside);
  if (shown) return shown;
  const said = documented(login, [...inside, ...(refresh ? [refresh] : [])]);
  const isGiven = successOf(login).some((each) => tokenIn(each) !== undefined);
  const set = isGiven ? [] : cookiesSet(login);
  // What the log-in's answer shows outweighs what is only usual.
  if (said?.security && !(said.why === 'usual' && set.some(isSessionCookie)))
    return { ...said, security: said.security };
  const apiKeyHeaders = said?.apiKeyHeaders ?? [];
  const sent = isGiven || login === undefined ? [] : requestCookies(login);
  const name = sessionCookieIn([...inside.flatMap(requestCookies), ...set, ...sent], set);
  if (name !== undefined)
    return {
      security: { type: 'apiKey', in: 'cookie', name },
      why: 'by-name',
      apiKeyHeaders,
      sessionHeaders: [],
    };
  const isInBody = profile?.method !== 'GET' && leavesOf(profile?.body).some(({ means }) => means === 'token');
  if (isInBody && profile?.security === undefined)
    return { security: { type: 'none' }, why: 'by-name', apiKeyHeaders, sessionHeaders: [] };
  if (isGiven && inside.length > 0) return { security: bearer, why: 'usual', apiKeyHeaders, sessionHeaders: [] };
  // What else the text does in a session does it so.
  const rest = others.slice(0, mostOthers);
  const elsewhere = shownBy(login, rest) ?? documented(login, rest);
  if (elsewhere?.security) return { ...elsewhere, security: elsewhere.security, why: elsewhere.why ?? 'by-name' };
  const cookie = isGiven ? undefined : sessionCookieIn(rest.flatMap(requestCookies), []);
  if (cookie !== undefined)
    return {
      security: { type: 'apiKey', in: 'cookie', name: cookie },
      why: 'by-name',
      apiKeyHeaders,
      sessionHeaders: [],
    };
  return { security: bearer, why: 'usual', apiKeyHeaders, sessionHeaders: [] };
}

/** What the headers of requests show of it. */
function shownBy(
  login: ImportedRequest | undefined,
  requests: readonly ImportedRequest[],
): InferredSecurity | undefined {
  for (const request of requests) {
    const scheme = schemeIn(headerOf(request, /^authorization$/i)?.[1] ?? '');
    const sent = ownHeaders(request, login);
    if (scheme !== undefined)
      return { security: { type: 'http', scheme }, apiKeyHeaders: [], sessionHeaders: besideOf(sent) };
    const own = sent.find(isTokenHeader);
    if (own === undefined || request.security) continue;
    const sessionHeaders = besideOf(sent.filter((each) => each !== own));
    return {
      security: { type: 'apiKey', in: 'header', name: own },
      why: 'by-name',
      apiKeyHeaders: [],
      sessionHeaders,
    };
  }
  return undefined;
}

/** The cookie of a session among names: one that is called so, or the only one that a log-in sets. */
function sessionCookieIn(names: readonly string[], set: readonly string[]): string | undefined {
  const named = names.map(bareCookie).find(isSessionCookie);
  const [only] = set;
  return (
    named ?? (set.length === 1 && only !== undefined && !/csrf|xsrf|refresh/i.test(only) ? bareCookie(only) : undefined)
  );
}

/** The headers of a request that the log-in does not have, and that no client sends by itself. */
const ownHeaders = (request: ImportedRequest, login: ImportedRequest | undefined): string[] =>
  request.headers.flatMap(([name]) =>
    headerNameProblem(name) === undefined && !usual.test(name) && !login?.headers.some(([other]) => isSame(other, name))
      ? [name]
      : [],
  );

/** Of headers beside a credential those that say whose it is, as Rocket.Chat's `X-User-Id`. */
const besideOf = (names: readonly string[]): string[] =>
  names
    .filter((name) =>
      /(?:^|[-_])(?:user|account|client|uid|session|device|member|customer)(?:[-_]?(?:id|e?mail|name))?$/i.test(name),
    )
    .slice(0, 3);

/** The names of the cookies that answers to a log-in set. */
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
 * What a document says of it. A list of credentials that are needed together is one way in. What the log-in needs, too, is
 * no session's; a document that has one sentence for all calls says it of the log-in as well.
 */
function documented(
  login: ImportedRequest | undefined,
  inside: readonly ImportedRequest[],
): (Omit<InferredSecurity, 'security'> & { security?: SecurityScheme }) | undefined {
  const ways = inside.flatMap(({ security }) => security ?? []).filter((each) => each.length > 0);
  const [first] = inside.flatMap(({ security }) =>
    security && security.some((each) => each.length > 0) ? [security] : [],
  );
  const [needed = []] = login?.security ?? [];
  if (first === undefined)
    return needed.length > 0 ? { apiKeyHeaders: needed.flatMap(headerNameOf), sessionHeaders: [] } : undefined;
  const isGiven = successOf(login).some((each) => tokenIn(each) !== undefined);
  const set = cookiesSet(login);
  const likely = (each: ImportedCredential): number => {
    const { security } = each;
    if (security.type === 'http') return 4;
    if (security.type !== 'apiKey') return 0;
    if (security.in === 'cookie')
      return !isGiven && set.some((name) => isSame(bareCookie(name), bareCookie(security.name))) ? 5 : 2;
    return isTokenHeader(security.name) ? 3 : 1;
  };
  const isOfLogin = (each: ImportedCredential): boolean => needed.some((other) => isSameCredential(each, other));
  const choices = first.flatMap((way) =>
    way.map((each) => ({ way, each, score: likely(each) - (isOfLogin(each) ? 3 : 0) })),
  );
  choices.sort((one, other) => other.score - one.score);
  const [best] = choices;
  // An API key that everybody sends is nobody's session.
  if (!best || (isOfLogin(best.each) && likely(best.each) < 2)) {
    return { apiKeyHeaders: [...new Set([...(best?.way ?? []), ...needed].flatMap(headerNameOf))], sessionHeaders: [] };
  }
  const others = best.way.filter((each) => each !== best.each);
  const rivals = choices.filter(
    ({ way, each, score }) => way !== best.way && score >= best.score && !isSameCredential(each, best.each),
  );
  const isOther =
    first.length === 1 &&
    ways.some((way) => !way.some((each) => isSameCredential(each, best.each)) && !way.every(isOfLogin));
  const why: GuessReason | undefined = best.each.why ?? (rivals.length > 0 || isOther ? 'several' : undefined);
  const session = others.filter((each) => !isOfLogin(each)).flatMap(headerNameOf);
  const sessionHeaders = besideOf(session);
  return {
    ...best.each,
    ...(why && { why }),
    apiKeyHeaders: [
      ...new Set([
        ...others.filter(isOfLogin).flatMap(headerNameOf),
        ...session.filter((each) => !sessionHeaders.includes(each)),
        ...needed.filter((each) => !isSameCredential(each, best.each)).flatMap(headerNameOf),
      ]),
    ],
    sessionHeaders,
  };
}

const pointerPart = (name: string): string => name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
const pointerTo = (way: readonly string[]): string =>
  way.length === 0 ? '$response.body' : `$response.body#${way.map((part) => `/${pointerPart(part)}`).join('')}`;

/** The runtime expression of a place of the reader: `data.token`, `headers.authorization`, `body`. */
const expressionOf = (place: string): string =>
  place.startsWith('headers.')
    ? `$response.header.${place.slice('headers.'.length)}`
    : pointerTo(place === 'body' ? [] : place.split(/[.[\]]+/).filter(Boolean));

type Outputs = { value: InterfaceDescription['outputs']; parts: FoundPart[] };

/**
 * Where the tokens are in the answer to a log-in, as far as an example tells.
 * @param renewal the request that renews, if the description sends it the refresh token
 */
export function inferOutputs(
  login: ImportedRequest | undefined,
  { security, sessionHeaders }: InferredSecurity,
  renewal: ImportedRequest | undefined,
): Outputs {
  const answers = successOf(login);
  const value: InterfaceDescription['outputs'] = {};
  const parts: FoundPart[] = [];
  const add = (name: string, expression: string, why?: GuessReason): void => {
    value[name] = expression;
    parts.push({ at: `outputs.${name}`, is: why === undefined ? 'sure' : 'guess', ...(why && { why }) });
  };
  const isCookie = security.type === 'apiKey' && security.in === 'cookie';
  const token = isCookie ? undefined : tokenOf(answers, security);
  if (token !== undefined) add('token', token);
  const [refresh] = answers.flatMap((each) => locateRefreshToken(parseJson(each.body), each.headers) ?? []);
  if (refresh !== undefined)
    add('refreshToken', 'way' in refresh ? pointerTo(refresh.way) : `$response.header.${refresh.header}`);
  else if (renewal !== undefined) {
    const taken = leavesOf(renewal.body).find(({ means }) => means === 'refresh')?.member.name;
    add('refreshToken', pointerTo([taken ?? 'refresh_token']), 'usual');
  }
  for (const header of sessionHeaders) {
    const name = outputNamed(header);
    const [found] = answers.flatMap((each) => placeNamed(each, header, name) ?? []);
    const around = /^(\$response\.body#.*)\/[^/]*$/.exec(token ?? '')?.[1] ?? '$response.body#';
    add(name, found ?? `${around}/${name}`, found === undefined ? 'usual' : undefined);
  }
  return { value, parts };
}

/** The output that a header is filled from: `X-User-Id` from `userId`. */
function outputNamed(header: string): string {
  const name = camelName(header.replace(/^x-/i, ''));
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The place of the token. Where the credential is a header of its own, an answer's header of that name is it. */
function tokenOf(answers: readonly ExampleResponse[], security: SecurityScheme): string | undefined {
  const own = security.type === 'apiKey' ? security.name : undefined;
  const [header] = answers.flatMap(({ headers }) => headers.filter(([name]) => own !== undefined && isSame(name, own)));
  if (header) return `$response.header.${header[0]}`;
  const [path] = answers.flatMap((each) => tokenIn(each)?.path ?? []);
  return path === undefined ? undefined : expressionOf(path);
}

/** Where an answer has what a header is named after: in a header of that name, or in the body. */
function placeNamed({ headers, body }: ExampleResponse, header: string, name: string): string | undefined {
  if (headers.some(([each]) => isSame(each, header))) return `$response.header.${header}`;
  const folded = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  const waiting: { value: PlainJson | undefined; way: readonly string[] }[] = [{ value: parseJson(body), way: [] }];
  for (const { value, way } of waiting) {
    if (!isRecord(value) || way.length > 5 || waiting.length > 500) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (folded(key) === folded(name) && !isRecord(inner)) return pointerTo([...way, key]);
      waiting.push({ value: inner, way: [...way, key] });
    }
  }
  return undefined;
}

const headerValue = InterfaceDescription.shape.headers.unwrap().valueType;

/** Headers that every browser or tool sends, or that name one request. */
const usual =
  /^(?:accept|accept-.*|content-.*|authorization|cookie|user-agent|referer|origin|cache-control|pragma|priority|dnt|te|range|if-.*|sec-.*|upgrade-.*|x-(?:xsrf|csrf)-token|x-requested-with|x-request-id|x-correlation-id|traceparent|tracestate|baggage|x-forwarded-.*|postman-token|forwarded|via|.*csrf.*|x-amzn-.*|x-b3-.*|sentry-.*)$/i;

/** The headers that all calls have in common, and that no client sends by itself. A secret one is a variable. */
export function inferHeaders(
  requests: readonly ImportedRequest[],
  { security, apiKeyHeaders, sessionHeaders }: InferredSecurity,
  draft: DescriptionDraft,
): Record<string, string> {
  const [first, ...others] = requests;
  const isApiKeyIn = (place: 'header' | 'cookie') => security.type === 'apiKey' && security.in === place;
  const common = (first?.headers ?? []).filter(
    ([name, value]) =>
      !usual.test(name) &&
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
    ...sessionHeaders.map((name) => [name, `{{${outputNamed(name)}}}`]),
    // A server that goes by cookies asks where a call comes from.
    ...(isApiKeyIn('cookie') ? [['Origin', '{{origin}}']] : []),
  ]);
}

/** The cookie whose value goes back in a header, by the names that Laravel, Django and Angular use. */
export function inferCsrf(
  requests: readonly ImportedRequest[],
  security: SecurityScheme,
): InterfaceDescription['csrf'] {
  if (security.type !== 'apiKey' || security.in !== 'cookie') return undefined;
  const header = requests.map((request) => headerOf(request, /^x-(?:xsrf|csrf)-?token$/i)?.[0]).find(Boolean);
  const cookie = requests.flatMap(requestCookies).find((name) => /^(?:xsrf-token|csrf-?token|csrf_token)$/i.test(name));
  if (header === undefined || cookie === undefined) return undefined;
  const from = requests.find(({ method, url }) => method === 'GET' && /csrf/i.test(url))?.url ?? '';
  const path = /^(?:https?:\/\/[^/?#]+|\{\{[^{}]+\}\})?(\/[^\s#\\?]*)/i.exec(from)?.[1];
  return { cookie, header, ...(path !== undefined && { from: path }) };
}
