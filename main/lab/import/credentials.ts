import { receivedHeaders } from '../../client/reading/headers.ts';
import { readJson } from '../../client/reading/json.ts';
import { findToken } from '../../client/reading/token.ts';
import { isSecretByName } from '../../client/secrets/is-secret.ts';
import { namesSecret, namingOf } from '../../client/secrets/secret-names.ts';
import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import { headerNameProblem } from '../../interface/header-name.ts';
import { isRecord, parseJson } from '../../interface/template.ts';
import type { Learned } from './call-template.ts';
import type { Pair, Security, SeenRequest } from './seen-request.ts';

type Certainty = 'sure' | 'guess';

const isHeader =
  (wanted: RegExp) =>
  ([name]: Pair): boolean =>
    wanted.test(name);

/** Finds how the calls of a session carry its credential. */
export function securityAmong({ login, inside }: { login: SeenRequest | undefined; inside: readonly SeenRequest[] }): {
  value: Security;
  is: Certainty;
} {
  for (const request of inside) {
    const [, sent = ''] = request.headers.find(isHeader(/^authorization$/i)) ?? [];
    const scheme = /^([\w-]{1,50})\s+\S/.exec(sent)?.[1];
    if (scheme !== undefined && !/^basic$/i.test(scheme)) return { value: { type: 'http', scheme }, is: 'sure' };
    const own = request.headers.find(
      ([name]) =>
        headerNameProblem(name) === undefined &&
        /token|session|auth|jwt/i.test(name) &&
        !/csrf|xsrf|refresh/i.test(name) &&
        !login?.headers.some(([other]) => other.toLowerCase() === name.toLowerCase()),
    );
    if (own && request.security === undefined)
      return { value: { type: 'apiKey', in: 'header', name: own[0] }, is: 'guess' };
  }
  const said = inside.find(({ security }) => security !== undefined)?.security;
  if (said) return { value: said, is: 'sure' };
  const cookie = cookieAmong(inside) ?? cookieOf(login);
  if (cookie !== undefined) return { value: { type: 'apiKey', in: 'cookie', name: cookie }, is: 'guess' };
  return { value: { type: 'http', scheme: 'Bearer' }, is: 'guess' };
}

/** The names of the cookies that a request sends. */
export const cookiesOf = (request: SeenRequest): string[] =>
  request.headers
    .filter(isHeader(/^cookie$/i))
    .flatMap(([, value]) => value.split(';').map((each) => each.split('=', 1)[0]!.trim()));

const isSessionName = (name: string): boolean =>
  /sess|sid$|auth|token|jwt/i.test(name) && !/csrf|xsrf|refresh/i.test(name) && /^[\w.*-]{3,100}$/.test(name);

const cookieAmong = (requests: readonly SeenRequest[]): string | undefined =>
  requests.flatMap(cookiesOf).map(bareCookie).find(isSessionName);

/** The cookie that a log-in sets, where its answer has no token. */
function cookieOf(login: SeenRequest | undefined): string | undefined {
  const answer = login?.answers.find(({ status }) => status < 400);
  if (!answer || tokenIn(answer) !== undefined) return undefined;
  const set = answer.headers.filter(isHeader(/^set-cookie$/i)).flatMap(([, value]) => value.split('\n'));
  return set.map((each) => bareCookie(each.split('=', 1)[0]!.trim())).find(isSessionName);
}

const bareCookie = (name: string): string => name.replace(/^__(?:Secure|Host)-/, '');

type Answer = SeenRequest['answers'][number];

function tokenIn({ headers, body }: Answer): string | undefined {
  const read = readJson(body);
  return findToken(read?.json ?? body, body, receivedHeaders(headers))?.path;
}

/** Where the parts of the answer to a log-in are, as far as an example tells. */
export function outputsOf(
  login: SeenRequest | undefined,
  security: Security['type'],
  needsRefresh: boolean,
): { value: InterfaceDescription['outputs']; parts: { at: string; is: Certainty }[] } {
  const answer = login?.answers.find(({ status }) => status >= 200 && status < 300);
  const token = answer && security !== 'apiKey' ? tokenIn(answer) : undefined;
  const json = answer && parseJson(answer.body);
  const refresh = isRecord(json) ? Object.keys(json).find((name) => /refresh/i.test(name)) : undefined;
  return {
    value: {
      ...(token !== undefined && { token: expressionOf(token) }),
      ...((refresh !== undefined || needsRefresh) && {
        refreshToken: `$response.body#/${pointerPart(refresh ?? 'refresh_token')}`,
      }),
    },
    parts: [
      ...(token === undefined ? [] : [{ at: 'outputs.token', is: 'sure' as const }]),
      ...(refresh === undefined && !needsRefresh
        ? []
        : [{ at: 'outputs.refreshToken', is: refresh === undefined ? ('guess' as const) : ('sure' as const) }]),
    ],
  };
}

const pointerPart = (name: string): string => name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');

/** The runtime expression of a place of the reader: `data.token`, `headers.authorization`, `body`. */
function expressionOf(place: string): string {
  const header = /^headers\.(.+)$/.exec(place)?.[1];
  if (header !== undefined) return `$response.header.${header}`;
  if (place === 'body') return '$response.body';
  return `$response.body#/${place
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map(pointerPart)
    .join('/')}`;
}

/** Headers that every browser or tool sends, or that name one request. */
const usual =
  /^(?:user-agent|referer|origin|cache-control|pragma|priority|dnt|te|range|if-.*|sec-.*|upgrade-.*|x-(?:xsrf|csrf)-token|x-requested-with|x-request-id|x-correlation-id|traceparent|tracestate|baggage|x-forwarded-.*|postman-token|forwarded|via|.*csrf.*|x-amzn-.*|x-b3-.*|sentry-.*)$/i;

/** The headers that all calls have in common, and that no client sends by itself. A secret one is a variable. */
export function fixedHeaders(
  requests: readonly SeenRequest[],
  security: Security,
  learned: Learned,
): Record<string, string> {
  const [first, ...others] = requests;
  const isOfCredential = (name: string) =>
    security.type === 'apiKey' && security.in === 'header' && security.name.toLowerCase() === name.toLowerCase();
  const common = (first?.headers ?? []).filter(
    ([name, value]) =>
      !usual.test(name) &&
      headerNameProblem(name) === undefined &&
      value !== '' &&
      value.length <= 2000 &&
      !isOfCredential(name) &&
      others.every(({ headers }) => headers.some(([other]) => other.toLowerCase() === name.toLowerCase())),
  );
  const own = common.slice(0, 20).map(([name, value]) => {
    const isVariable = value.includes('{{');
    const isKey = (isVariable ? namesSecret(name) : isSecretByName(value, namingOf(name))) || /key$/i.test(name);
    if (isKey && !value.includes('{{')) learned.dropped.add(`headers.${name}`);
    return [
      name,
      isKey ? learned.variable(name, { secret: true }) : learned.constant(name, value, `headers.${name}`),
    ] as const;
  });
  // A server that goes by cookies asks where a call comes from.
  const origin = security.type === 'apiKey' && security.in === 'cookie' ? [['Origin', '{{origin}}'] as const] : [];
  return Object.fromEntries([...own, ...origin]);
}

/** The cookie whose value goes back in a header, by the two names that Laravel, Django and Angular use. */
export function csrfOf(requests: readonly SeenRequest[], security: Security): InterfaceDescription['csrf'] {
  if (security.type !== 'apiKey' || security.in !== 'cookie') return undefined;
  const header = requests.flatMap(({ headers }) => headers).find(isHeader(/^x-(?:xsrf|csrf)-?token$/i))?.[0];
  const cookie = requests.flatMap(cookiesOf).find((name) => /^(?:xsrf-token|csrf-?token|csrf_token)$/i.test(name));
  if (header === undefined || cookie === undefined) return undefined;
  const from = requests.find(({ method, url }) => method === 'GET' && /csrf/i.test(url));
  const path = from && /^(?:https?:\/\/[^/?#]+|\{\{[^{}]+\}\})?(\/[^\s#\\?]*)/i.exec(from.url)?.[1];
  return { cookie, header, ...(path !== undefined && { from: path }) };
}
