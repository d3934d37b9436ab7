import type { RecordedCall, RedactedText } from '../../../preload/contract/calls.ts';
import type { TransportCall, TransportResponse } from '../call.ts';
import { isSecretAt } from '../extra-headers.ts';
import { isSecretByName } from '../secrets/is-secret.ts';
import { decodeFormValue, shortestWithinText } from '../secrets/known-secrets.ts';
import { isPasswordHash, isPipeToken, looksLikeToken, type FoundSecret } from '../secrets/secret-forms.ts';
import { classifyName, type SecretKind } from '../secrets/secret-names.ts';
import { redactText, type SecretRegistry } from '../secrets/secret-registry.ts';
import type { InMemoryBodies } from './in-memory-bodies.ts';
import { fieldsOfForm, isForm, isOpaque, redactBody, textsIn, type RawBody } from './redact-body.ts';
import { joined } from './redacted-text.ts';

/** The headers that are stored with their values, in lower case; all others are only counted. */
const storedHeaders = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges age allow alt-svc authorization cache-control
  cf-ray connection cookie date etag expires from host if-match if-modified-since if-none-match keep-alive last-modified
  location max-forwards origin pragma proxy-authenticate proxy-authorization range referer retry-after server
  server-timing set-cookie strict-transport-security te traceparent trailer transfer-encoding upgrade user-agent vary via
  warning www-authenticate x-content-type-options x-correlation-id x-frame-options x-powered-by x-request-id
  x-requested-with x-runtime x-xss-protection`.split(/\s+/),
);
/** Each with the endings that are in use: a server may write anything into the name of a header. */
const storedFamilies = [
  /^content-(?:type|length|encoding|language|disposition|location|range|md5|digest|security-policy(?:-report-only)?)$/,
  /^access-control-(?:allow-(?:origin|methods|headers|credentials)|expose-headers|max-age|request-(?:method|headers))$/,
  /^(?:x-)?rate-?limit(?:-(?:limit|remaining|reset|used|resource|policy)(?:-(?:second|minute|hour|day))?)?$/,
  /^cross-origin-(?:opener|resource|embedder)-policy$/,
];

function isStoredHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return storedHeaders.has(lower) || storedFamilies.some((family) => family.test(lower));
}

/** Headers whose values are secrets, apart from the scheme before them. */
const credentialHeaders: Record<string, SecretKind> = {
  authorization: 'token',
  'proxy-authorization': 'proxy-credential',
  cookie: 'cookie',
  'set-cookie': 'cookie',
};

/**
 * The parts of a call that are stored, exported and reported, with references for its secrets; of what might contain an
 * unknown secret, only a description. `inMemory` is what this run of the application shows of the bodies.
 * @param token the token that was found in the response
 */
export function redactCall(
  call: TransportCall,
  secretRegistry: SecretRegistry,
  token: string | undefined,
): { kept: Pick<RecordedCall, 'request' | 'response'>; inMemory: InMemoryBodies } {
  const { request, response } = call;
  registerSecrets(call, secretRegistry, token);
  const isAdded = (name: string): boolean => request.added?.includes(name) ?? false;
  const [line = '', ...lines] = request.head.text.split('\r\n');
  const sent = lines.flatMap((each): [name: string, value: string][] => {
    const colon = each.indexOf(':');
    return colon < 0 ? [] : [[each.slice(0, colon), each.slice(colon + 1).trimStart()]];
  });
  const listed = sent.filter(([name]) => isStoredHeader(name) || isAdded(name));
  const headersSent = listed.flatMap(([name, value]): RedactedText => [
    `${name}: `,
    ...(isAdded(name) ? [secretRegistry.referenceFor(value, 'other')] : redactHeader(name, value, secretRegistry)),
    '\r\n',
  ]);
  const answered = (response?.rawHeaders ?? []).filter(([name]) => isStoredHeader(name));
  const [requestBody, responseBody] = [requestBodyOf(call), responseBodyOf(call, token)];
  const redactedRequest = requestBody && redactBody(requestBody, secretRegistry);
  const redactedResponse = responseBody && redactBody(responseBody, secretRegistry);
  const kept = {
    request: {
      method: request.method,
      url: redactUrl(request.url, secretRegistry),
      head: {
        text: joined([...redactUrl(line, secretRegistry), ...(line === '' ? [] : ['\r\n']), ...headersSent, '\r\n']),
        source: request.head.source,
      },
      ...(sent.length > listed.length && { moreHeaders: sent.length - listed.length }),
      added: request.added && [...request.added],
      body: redactedRequest?.kept,
    },
    response: response &&
      redactedResponse && {
        status: response.status,
        httpVersion: response.httpVersion,
        headers: answered.map(([name, value]): [string, RedactedText] => [
          name,
          redactHeader(name, value, secretRegistry),
        ]),
        ...(response.rawHeaders.length > answered.length && {
          moreHeaders: response.rawHeaders.length - answered.length,
        }),
        body: redactedResponse.kept,
      },
  };
  return { kept, inMemory: { request: redactedRequest?.inMemory, response: redactedResponse?.inMemory } };
}

function requestBodyOf({ request }: TransportCall): RawBody | undefined {
  if (request.body === undefined) return undefined;
  const contentType = headerOf(request.headers, 'content-type');
  return { text: request.body, bytes: Buffer.from(request.body), contentType, isOurs: true };
}

function responseBodyOf(call: TransportCall, token: string | undefined): RawBody | undefined {
  const { response, failure } = call;
  if (!response) return undefined;
  const { body, bodyBytes, receivedBytes, rawHeaders, status } = response;
  return {
    text: body,
    bytes: bodyBytes,
    ...(receivedBytes !== undefined && { receivedBytes }),
    contentType: headerOf(rawHeaders, 'content-type'),
    isRefusal: status >= 400,
    isCut: failure !== undefined || receivedBytes !== undefined,
    mayHoldToken: token === undefined && mayIssueToken(call),
    ...(call.request.body !== undefined && { sent: call.request.body }),
  };
}

/** True for a login or a registration; if the operation is not known, for every method but GET. */
function mayIssueToken({ interpreted, request }: TransportCall): boolean {
  const operation = interpreted?.requestedOperation ?? interpreted?.operation;
  if (operation === undefined) return request.method !== 'GET';
  return operation === 'login' || operation === 'registro' || operation === 'register';
}

const headerOf = (headers: TransportResponse['rawHeaders'], name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

function redactHeader(name: string, value: string, secretRegistry: SecretRegistry): RedactedText {
  const lower = name.toLowerCase();
  const kind = credentialHeaders[lower];
  if (kind === 'cookie') return redactCookies(value, secretRegistry, lower === 'set-cookie');
  if (kind !== undefined) {
    const [, scheme = '', secret = ''] = /^([A-Za-z][\w-]{0,30}[ \t]{1,9})?(.*)$/s.exec(value) ?? [];
    return secret === '' ? [value] : [...(scheme === '' ? [] : [scheme]), secretRegistry.referenceFor(secret, kind)];
  }
  if (lower === 'location' || lower === 'content-location' || lower === 'referer')
    return redactUrl(value, secretRegistry);
  const naming = classifyName(name);
  if (isSecretByName(value, naming)) return [secretRegistry.referenceFor(value, naming.kind)];
  return redactText(value, secretRegistry, { places: secretParameters(value) });
}

/** `realm="x", token="…"`: the parameters of a challenge (RFC 9110, 11.2), and pairs wherever else a header has them. */
const parameter = /([\w.*-]{1,60})[ \t]{0,9}=[ \t]{0,9}(?:"((?:[^"\\]|\\.){1,4000})"|([^\s,;&"<>]{1,4000}))/dg;

/** The parameters of a header that have the name of a secret. */
function secretParameters(value: string): FoundSecret[] {
  if (!value.includes('=')) return [];
  return Array.from(value.matchAll(parameter)).flatMap(({ indices, 1: name = '', 2: quoted, 3: bare = '' }) => {
    const naming = classifyName(name);
    const [from, to] = indices?.[quoted === undefined ? 3 : 2] ?? [0, 0];
    return isSecretByName(quoted ?? bare, naming) ? [{ from, to, value: quoted ?? bare, kind: naming.kind }] : [];
  });
}

/** Redacts the values of cookies. A cookie may have no name (RFC 6265bis, 5.7), or that of an attribute. */
function redactCookies(value: string, secretRegistry: SecretRegistry, isSet: boolean): RedactedText {
  return value.split(';').flatMap((part, at) => {
    const before = at === 0 ? '' : ';';
    if (isSet && at > 0 && attribute.test(part)) return redactText(before + part, secretRegistry);
    const [, name = '', secret = ''] = /^([^=]*=\s*|\s*)(.*)$/s.exec(part) ?? [];
    const shown = redactText(before + name, secretRegistry);
    return secret === '' ? shown : shown.concat(secretRegistry.referenceFor(secret, 'cookie'));
  });
}

const attribute =
  /^\s{0,9}(?:(?:path|domain|expires|max-age|samesite|priority)\s{0,9}=|(?:secure|httponly|partitioned)\s{0,9}$)/i;

/** Parameters of redirects, and signatures of URLs. */
const isCode = /^(?:code|codigo|state|ticket|sig|signature)$/i;

/**
 * Redacts a URL: parameters with the name or the value of a secret, however encoded, and what looks like a token in the
 * path, as in links to reset a password.
 */
function redactUrl(address: string, secretRegistry: SecretRegistry): RedactedText {
  const places: FoundSecret[] = [];
  const host = address.indexOf('://');
  const path = host < 0 ? 0 : `${address}/`.indexOf('/', host + 3);
  for (const { 0: part, index } of address.matchAll(/[^/?&#;\s]+/g)) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? '' : part.slice(0, equals);
    const value = part.slice(equals + 1);
    const decoded = equals < 0 ? value : decodeFormValue(value);
    const naming = classifyName(decodeFormValue(name));
    const isKnown = equals >= 0 && secretRegistry.isRegistered(decoded);
    const isSecret =
      isKnown || isSecretByName(decoded, naming) || isCode.test(name) || (index >= path && isOpaque(value));
    if (!isSecret || value === '') continue;
    const from = index + equals + 1;
    // A replay percent-encodes it again.
    places.push({ from, to: from + value.length, value: decoded, kind: naming.kind });
  }
  return redactText(address, secretRegistry, { places });
}

/** Every token that is recognised by its form, and every password hash, has one of these. */
const mayContainForms = /[|$\\]|eyJ/;

/** The most secrets of one response that are searched for from then on. */
const maxRegistered = 100;

/** The texts of a request's body, with their names. */
const requestTexts = ({ body = '', headers }: TransportCall['request']): Iterable<{ name: string; value: string }> =>
  isForm(headerOf(headers, 'content-type')) ? fieldsOfForm(body) : textsIn(body);

/** Registers the secrets of a call, so that they are found wherever they turn up from now on. */
function registerSecrets(
  { request, response, interpreted }: TransportCall,
  secretRegistry: SecretRegistry,
  token: string | undefined,
): void {
  const register = (value: string, kind: SecretKind, origin: 'sent' | 'received'): void => {
    // A short secret that was sent still counts as a whole value.
    if (value !== '' && (origin === 'sent' || value.length >= shortestWithinText))
      secretRegistry.register(value, kind, origin);
  };
  if (token !== undefined) register(token, 'token', 'received');
  for (const value of interpreted?.secrets ?? []) register(value, 'other', 'received');
  for (const [name, value] of request.headers) {
    const isAdded = request.added?.includes(name) ?? false;
    // The URL and its parts are not secret.
    if (isAdded && isSecretAt(value, request.url)) register(value, 'other', 'sent');
    const kind = credentialHeaders[name.toLowerCase()];
    if (kind === 'token') register(value.replace(/^[A-Za-z][\w-]{0,30}[ \t]{1,9}/, ''), kind, 'sent');
  }
  for (const value of request.secretsInUrl ?? []) register(value, 'password', 'sent');
  for (const value of request.secretsInBody ?? []) register(value, 'other', 'sent');
  for (const { name, value } of requestTexts(request)) {
    const naming = classifyName(name);
    if (isSecretByName(value, naming)) register(value, naming.kind, 'sent');
  }
  const { body = '' } = response ?? {};
  if (!mayContainForms.test(body)) return;
  let left = maxRegistered;
  for (const { name, value } of textsIn(body)) {
    if (left === 0) return;
    const naming = classifyName(name);
    // A user id is no credential.
    const isToken = looksLikeToken(value) && !(naming.says === 'identity' && isPipeToken(value));
    const isHash = !isToken && isPasswordHash(value) && isSecretByName(value, naming);
    if (isToken || isHash) left -= 1;
    if (isToken) register(value, 'token', 'received');
    else if (isHash) register(value, 'hash', 'received');
  }
}
