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

/** The headers that are kept with their values, in small letters; of all others only how many there were. */
const known = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges age allow alt-svc authorization cache-control
  cf-ray connection cookie date etag expires from host if-match if-modified-since if-none-match keep-alive last-modified
  location max-forwards origin pragma proxy-authenticate proxy-authorization range referer retry-after server
  server-timing set-cookie strict-transport-security te traceparent trailer transfer-encoding upgrade user-agent vary via
  warning www-authenticate x-content-type-options x-correlation-id x-frame-options x-powered-by x-request-id
  x-requested-with x-runtime x-xss-protection`.split(/\s+/),
);
/** Families of them, each with the endings that are in use: a server may write anything into the name of a header. */
const knownFamilies = [
  /^content-(?:type|length|encoding|language|disposition|location|range|md5|digest|security-policy(?:-report-only)?)$/,
  /^access-control-(?:allow-(?:origin|methods|headers|credentials)|expose-headers|max-age|request-(?:method|headers))$/,
  /^(?:x-)?rate-?limit(?:-(?:limit|remaining|reset|used|resource|policy)(?:-(?:second|minute|hour|day))?)?$/,
  /^cross-origin-(?:opener|resource|embedder)-policy$/,
];

/** Whether a header is kept with its value. */
function isKnown(name: string): boolean {
  const lower = name.toLowerCase();
  return known.has(lower) || knownFamilies.some((family) => family.test(lower));
}

/** Their values are secrets, but for the scheme before them. */
const credentials: Record<string, SecretKind> = {
  authorization: 'token',
  'proxy-authorization': 'proxy-credential',
  cookie: 'cookie',
  'set-cookie': 'cookie',
};

/**
 * A call as it is kept, exported and reported: without its secrets, and of what might hold one that nobody knows only
 * what it was; and what is shown of its bodies in this run besides. `token` is one that was found in the answer by the
 * rules for reading.
 */
export function redactCall(
  call: TransportCall,
  secretRegistry: SecretRegistry,
  token: string | undefined,
): { kept: Pick<RecordedCall, 'request' | 'response'>; covered: InMemoryBodies } {
  const { request, response } = call;
  watchSecrets(call, secretRegistry, token);
  const isAdded = (name: string): boolean => request.added?.includes(name) ?? false;
  const [line = '', ...lines] = request.head.text.split('\r\n');
  const sent = lines.flatMap((each): [name: string, value: string][] => {
    const colon = each.indexOf(':');
    return colon < 0 ? [] : [[each.slice(0, colon), each.slice(colon + 1).trimStart()]];
  });
  const listed = sent.filter(([name]) => isKnown(name) || isAdded(name));
  const headersSent = listed.flatMap(([name, value]): RedactedText => [
    `${name}: `,
    ...(isAdded(name) ? [secretRegistry.referenceFor(value, 'other')] : keptValue(name, value, secretRegistry)),
    '\r\n',
  ]);
  const answered = (response?.rawHeaders ?? []).filter(([name]) => isKnown(name));
  const [sentOne, answeredOne] = [sentBody(call), answeredBody(call, token)];
  const body = sentOne && redactBody(sentOne, secretRegistry);
  const answer = answeredOne && redactBody(answeredOne, secretRegistry);
  const kept = {
    request: {
      method: request.method,
      url: keptAddress(request.url, secretRegistry),
      head: {
        text: joined([...keptAddress(line, secretRegistry), ...(line === '' ? [] : ['\r\n']), ...headersSent, '\r\n']),
        source: request.head.source,
      },
      ...(sent.length > listed.length && { moreHeaders: sent.length - listed.length }),
      added: request.added && [...request.added],
      body: body?.kept,
    },
    response: response &&
      answer && {
        status: response.status,
        httpVersion: response.httpVersion,
        headers: answered.map(([name, value]): [string, RedactedText] => [
          name,
          keptValue(name, value, secretRegistry),
        ]),
        ...(response.rawHeaders.length > answered.length && {
          moreHeaders: response.rawHeaders.length - answered.length,
        }),
        body: answer.kept,
      },
  };
  return { kept, covered: { request: body?.covered, response: answer?.covered } };
}

/** The body that a call sent, with what there is to know of it. */
function sentBody({ request }: TransportCall): RawBody | undefined {
  if (request.body === undefined) return undefined;
  const contentType = headerOf(request.headers, 'content-type');
  return { text: request.body, bytes: Buffer.from(request.body), contentType, isOurs: true };
}

/** The body that came back. */
function answeredBody(call: TransportCall, token: string | undefined): RawBody | undefined {
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
    mayHoldToken: token === undefined && mayGiveToken(call),
  };
}

/** Whether an answer may hold a token: to a login or a registration, or, where the sender does not say, to all but a GET. */
function mayGiveToken({ interpreted, request }: TransportCall): boolean {
  const operation = interpreted?.requestedOperation ?? interpreted?.operation;
  if (operation === undefined) return request.method !== 'GET';
  return operation === 'login' || operation === 'registro' || operation === 'register';
}

const headerOf = (headers: TransportResponse['rawHeaders'], wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** Returns the value of a header without its secrets. */
function keptValue(name: string, value: string, secretRegistry: SecretRegistry): RedactedText {
  const lower = name.toLowerCase();
  const kind = credentials[lower];
  if (kind === 'cookie') return keptCookies(value, secretRegistry, lower === 'set-cookie');
  if (kind !== undefined) {
    const [, scheme = '', secret = ''] = /^([A-Za-z][\w-]{0,30}[ \t]{1,9})?(.*)$/s.exec(value) ?? [];
    return secret === '' ? [value] : [...(scheme === '' ? [] : [scheme]), secretRegistry.referenceFor(secret, kind)];
  }
  if (lower === 'location' || lower === 'content-location' || lower === 'referer')
    return keptAddress(value, secretRegistry);
  const naming = classifyName(name);
  if (isSecretByName(value, naming)) return [secretRegistry.referenceFor(value, naming.kind)];
  return redactText(value, secretRegistry, { places: namedIn(value) });
}

/** `realm="x", token="…"`: the parameters of a challenge (RFC 9110, 11.2), and pairs wherever else a header has them. */
const parameter = /([\w.*-]{1,60})[ \t]{0,9}=[ \t]{0,9}(?:"((?:[^"\\]|\\.){1,4000})"|([^\s,;&"<>]{1,4000}))/dg;

/** The parameters of a header that are named as secrets. */
function namedIn(value: string): FoundSecret[] {
  if (!value.includes('=')) return [];
  return Array.from(value.matchAll(parameter)).flatMap(({ indices, 1: name = '', 2: quoted, 3: bare = '' }) => {
    const naming = classifyName(name);
    const [from, to] = indices?.[quoted === undefined ? 3 : 2] ?? [0, 0];
    return isSecretByName(quoted ?? bare, naming) ? [{ from, to, value: quoted ?? bare, kind: naming.kind }] : [];
  });
}

/**
 * Cuts the value of each cookie, and leaves its name and what is said of it. A cookie may have no name (RFC 6265bis, 5.7),
 * and its name may be that of an attribute.
 */
function keptCookies(value: string, secretRegistry: SecretRegistry, isSet: boolean): RedactedText {
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

/** What a redirect hands over, and what signs an address. */
const isCode = /^(?:code|codigo|state|ticket|sig|signature)$/i;

/**
 * Cuts secrets out of an address: what stands under a secret name in its query or is a known secret there, however it is
 * encoded, and what looks like one in its path, as reset and confirmation links have it.
 */
function keptAddress(address: string, secretRegistry: SecretRegistry): RedactedText {
  const places: FoundSecret[] = [];
  const host = address.indexOf('://');
  const path = host < 0 ? 0 : `${address}/`.indexOf('/', host + 3);
  for (const { 0: part, index } of address.matchAll(/[^/?&#;\s]+/g)) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? '' : part.slice(0, equals);
    const value = part.slice(equals + 1);
    const meant = equals < 0 ? value : decodeFormValue(value);
    const naming = classifyName(decodeFormValue(name));
    const isKnown = equals >= 0 && secretRegistry.isRegistered(meant);
    const isSecret =
      isKnown || isSecretByName(meant, naming) || isCode.test(name) || (index >= path && isOpaque(value));
    if (!isSecret || value === '') continue;
    const from = index + equals + 1;
    // It is percent-encoded where the call is sent again.
    places.push({ from, to: from + value.length, value: meant, kind: naming.kind });
  }
  return redactText(address, secretRegistry, { places });
}

/** Every token that its form tells, and every hash of a password, has one of these. */
const mayHoldForms = /[|$\\]|eyJ/;

/** So many secrets that an answer brings are looked for in what comes after it. */
const mostWatched = 100;

/** The texts of a body that was sent, with their names. */
const textsSent = ({ body = '', headers }: TransportCall['request']): Iterable<{ name: string; value: string }> =>
  isForm(headerOf(headers, 'content-type')) ? fieldsOfForm(body) : textsIn(body);

/** Secrets of a call are looked for from now on, wherever nobody expects them. */
function watchSecrets(
  { request, response }: TransportCall,
  secretRegistry: SecretRegistry,
  token: string | undefined,
): void {
  const watch = (value: string, kind: SecretKind, origin: 'sent' | 'received'): void => {
    // A short one of ours counts where it is a whole value.
    if (value !== '' && (origin === 'sent' || value.length >= shortestWithinText))
      secretRegistry.register(value, kind, origin);
  };
  if (token !== undefined) watch(token, 'token', 'received');
  for (const [name, value] of request.headers) {
    const isAdded = request.added?.includes(name) ?? false;
    // The address is not secret, nor is any part of it.
    if (isAdded && isSecretAt(value, request.url)) watch(value, 'other', 'sent');
    const kind = credentials[name.toLowerCase()];
    if (kind === 'token') watch(value.replace(/^[A-Za-z][\w-]{0,30}[ \t]{1,9}/, ''), kind, 'sent');
  }
  for (const value of request.secretsInUrl ?? []) watch(value, 'password', 'sent');
  for (const { name, value } of textsSent(request)) {
    const naming = classifyName(name);
    if (isSecretByName(value, naming)) watch(value, naming.kind, 'sent');
  }
  const { body = '' } = response ?? {};
  if (!mayHoldForms.test(body)) return;
  let left = mostWatched;
  for (const { name, value } of textsIn(body)) {
    if (left === 0) return;
    const naming = classifyName(name);
    // An id of somebody was not handed out to be sent back.
    const isToken = looksLikeToken(value) && !(naming.says === 'identity' && isPipeToken(value));
    const isHash = !isToken && isPasswordHash(value) && isSecretByName(value, naming);
    if (isToken || isHash) left -= 1;
    if (isToken) watch(value, 'token', 'received');
    else if (isHash) watch(value, 'hash', 'received');
  }
}
