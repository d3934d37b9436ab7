import { receivedHeaders } from '../../client/reading/headers.ts';
import { readJson } from '../../client/reading/json.ts';
import { findToken } from '../../client/reading/token.ts';
import { isSecretByName } from '../../client/secrets/is-secret.ts';
import { namesSecret, namingOf } from '../../client/secrets/secret-names.ts';
import { headerNameProblem } from '../../interface/header-name.ts';
import { isRecord, parseJson } from '../../interface/template.ts';
import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import type { Draft } from './draft.ts';
import { headerOf, schemeIn, type ExampleResponse, type ImportedRequest, type Security } from './imported-request.ts';

type Certainty = 'sure' | 'guess';

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const bareCookie = (name: string): string => name.replace(/^__(?:Secure|Host)-/, '');
const isSessionCookie = (name: string): boolean =>
  /sess|sid$|auth|token|jwt/i.test(name) && !/csrf|xsrf|refresh/i.test(name) && /^[\w.*-]{3,100}$/.test(name);

const cookieName = (pair: string): string => pair.split('=', 1)[0]!.trim();

/** The names of the cookies that a request sends. */
export const cookiesOf = (request: ImportedRequest): string[] =>
  request.headers.filter(([name]) => isSame(name, 'cookie')).flatMap(([, value]) => value.split(';').map(cookieName));

const tokenPathIn = ({ headers, body }: ExampleResponse): string | undefined =>
  findToken(readJson(body)?.json ?? body, body, receivedHeaders(headers))?.path;

/** How the calls of a session carry its credential. */
export function inferSecurity(
  login: ImportedRequest | undefined,
  inside: readonly ImportedRequest[],
): { value: Security; is: Certainty } {
  for (const request of inside) {
    const scheme = schemeIn(headerOf(request, /^authorization$/i)?.[1] ?? '');
    if (scheme !== undefined) return { value: { type: 'http', scheme }, is: 'sure' };
    const own = request.headers.find(
      ([name]) =>
        headerNameProblem(name) === undefined &&
        /token|session|auth|jwt/i.test(name) &&
        !/csrf|xsrf|refresh/i.test(name) &&
        !login?.headers.some(([other]) => isSame(other, name)),
    );
    if (own && !request.security) return { value: { type: 'apiKey', in: 'header', name: own[0] }, is: 'guess' };
  }
  const said = inside.find(({ security }) => security)?.security;
  if (said) return { value: said, is: 'sure' };
  const success = login?.responses.find(({ status }) => status < 400);
  const isSet = success && tokenPathIn(success) === undefined;
  const setCookies = isSet ? success.headers.filter(([name]) => isSame(name, 'set-cookie')) : [];
  const cookies = [
    ...inside.flatMap(cookiesOf),
    ...setCookies.flatMap(([, value]) => value.split('\n').map(cookieName)),
  ];
  const name = cookies.map(bareCookie).find(isSessionCookie);
  return {
    value: name === undefined ? { type: 'http', scheme: 'Bearer' } : { type: 'apiKey', in: 'cookie', name },
    is: 'guess',
  };
}

const pointerPart = (name: string): string => name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');

/** The runtime expression of a place of the reader: `data.token`, `headers.authorization`, `body`. */
function expressionOf(place: string): string {
  if (place.startsWith('headers.')) return `$response.header.${place.slice('headers.'.length)}`;
  const parts = place === 'body' ? [] : place.split(/[.[\]]+/).filter(Boolean);
  return ['$response.body', parts.map((part) => `/${pointerPart(part)}`).join('')].filter(Boolean).join('#');
}

/** Where the tokens are in the answer to a log-in, as far as an example tells. */
export function inferOutputs(
  login: ImportedRequest | undefined,
  security: Security,
  needsRefresh: boolean,
): { value: InterfaceDescription['outputs']; parts: { at: string; is: Certainty }[] } {
  const success = login?.responses.find(({ status }) => status >= 200 && status < 300);
  const token = success && security.type !== 'apiKey' ? tokenPathIn(success) : undefined;
  const json = success && parseJson(success.body);
  const refresh = isRecord(json) ? Object.keys(json).find((name) => /refresh/i.test(name)) : undefined;
  const value: InterfaceDescription['outputs'] = {};
  const parts: { at: string; is: Certainty }[] = [];
  if (token !== undefined) {
    value['token'] = expressionOf(token);
    parts.push({ at: 'outputs.token', is: 'sure' });
  }
  if (refresh !== undefined || needsRefresh) {
    value['refreshToken'] = `$response.body#/${pointerPart(refresh ?? 'refresh_token')}`;
    parts.push({ at: 'outputs.refreshToken', is: refresh === undefined ? 'guess' : 'sure' });
  }
  return { value, parts };
}

/** Headers that every browser or tool sends, or that name one request. */
const usual =
  /^(?:user-agent|referer|origin|cache-control|pragma|priority|dnt|te|range|if-.*|sec-.*|upgrade-.*|x-(?:xsrf|csrf)-token|x-requested-with|x-request-id|x-correlation-id|traceparent|tracestate|baggage|x-forwarded-.*|postman-token|forwarded|via|.*csrf.*|x-amzn-.*|x-b3-.*|sentry-.*)$/i;

/** The headers that all calls have in common, and that no client sends by itself. A secret one is a variable. */
export function inferHeaders(
  requests: readonly ImportedRequest[],
  security: Security,
  draft: Draft,
): Record<string, string> {
  const [first, ...others] = requests;
  const isApiKeyIn = (place: 'header' | 'cookie') => security.type === 'apiKey' && security.in === place;
  const common = (first?.headers ?? []).filter(
    ([name, value]) =>
      !usual.test(name) &&
      headerNameProblem(name) === undefined &&
      value !== '' &&
      value.length <= 2000 &&
      !(isApiKeyIn('header') && security.type === 'apiKey' && isSame(security.name, name)) &&
      others.every(({ headers }) => headers.some(([other]) => isSame(other, name))),
  );
  const own = common.slice(0, 20).map(([name, value]) => {
    const isVariable = value.includes('{{');
    const isKey = (isVariable ? namesSecret(name) : isSecretByName(value, namingOf(name))) || /key$/i.test(name);
    if (!isKey) return [name, draft.constant(name, value, `headers.${name}`)];
    if (!isVariable) draft.dropped.add(`headers.${name}`);
    return [name, draft.variable(name, true)];
  });
  // A server that goes by cookies asks where a call comes from.
  return Object.fromEntries(isApiKeyIn('cookie') ? [...own, ['Origin', '{{origin}}']] : own);
}

/** The cookie whose value goes back in a header, by the names that Laravel, Django and Angular use. */
export function inferCsrf(requests: readonly ImportedRequest[], security: Security): InterfaceDescription['csrf'] {
  if (security.type !== 'apiKey' || security.in !== 'cookie') return undefined;
  const header = requests.map((request) => headerOf(request, /^x-(?:xsrf|csrf)-?token$/i)?.[0]).find(Boolean);
  const cookie = requests.flatMap(cookiesOf).find((name) => /^(?:xsrf-token|csrf-?token|csrf_token)$/i.test(name));
  if (header === undefined || cookie === undefined) return undefined;
  const from = requests.find(({ method, url }) => method === 'GET' && /csrf/i.test(url))?.url ?? '';
  const path = /^(?:https?:\/\/[^/?#]+|\{\{[^{}]+\}\})?(\/[^\s#\\?]*)/i.exec(from)?.[1];
  return { cookie, header, ...(path !== undefined && { from: path }) };
}
