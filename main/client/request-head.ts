import { validateHeaderName, validateHeaderValue, type ClientRequest } from 'node:http';
import type { TransportCall, HeaderList, TransportRequest } from './call.ts';
import { basicCredentials, isForwarding, type ProxyCredentials, type Target } from './dial.ts';
import type { ProxyRoute } from './proxy-route.ts';
import { networkErrorCode, type TransportFailure } from './transport-failure.ts';

/** Other methods send Content-Length even without content (RFC 9110, 8.6). Node would send an empty chunk. */
const methodsWithoutContent = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The target of a request, or why Node would refuse to write it, before anything is connected. */
export function targetOf({
  url,
  headers,
}: TransportRequest): { ok: true; value: Target } | { ok: false; failure: TransportFailure } {
  try {
    const { protocol, hostname, port } = new URL(url);
    for (const [name, value] of headers) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    const secure = protocol === 'https:';
    const host = hostname.replace(/^\[|\]$/g, '');
    return { ok: true, value: { url, secure, host, port: Number(port || (secure ? 443 : 80)) } };
  } catch (error) {
    return { ok: false, failure: { kind: 'unsendable', code: networkErrorCode(error) } };
  }
}

/** The caller's headers with those that HTTP/1.1 requires (RFC 9112, 3.2 and 6). */
function headersToWrite({ method, url, headers, body }: TransportRequest): HeaderList {
  const has = (name: string): boolean => headers.some(([given]) => given.toLowerCase() === name);
  const framed = has('content-length') || has('transfer-encoding');
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  const needsLength = !framed && (body !== undefined || !methodsWithoutContent.has(method.toUpperCase()));
  return [
    ...(has('host') ? [] : [['Host', new URL(url).host] as const]),
    ...headers,
    ...(needsLength ? [['Content-Length', String(length)] as const] : []),
  ];
}

/** The headers to write. A request that a proxy forwards has the whole URL as its path, and the proxy's credentials. */
export function headToWrite(
  request: TransportRequest,
  target: Target,
  { route, credentials }: { route: ProxyRoute; credentials: ProxyCredentials | undefined },
): { path?: string; headers: HeaderList } {
  const headers = headersToWrite(request);
  if (!isForwarding(route, target)) return { headers };
  const authorization = credentials ? [['Proxy-Authorization', basicCredentials(credentials)] as const] : [];
  return { path: request.url.replace(/#.*$/s, ''), headers: [...headers, ...authorization] };
}

/**
 * The head as Node wrote it; without a connection, as it was prepared, marked as such.
 * Node does not document `_header`: the test "the record has the head exactly as written" guards it.
 * @param outgoing Node's request, once it was passed to a connection
 */
export function headOf(
  request: TransportRequest,
  outgoing: ClientRequest | undefined,
  isConnected: boolean,
): TransportCall['request']['head'] {
  const written: unknown = outgoing && Reflect.get(outgoing, '_header');
  if (typeof written === 'string' && isConnected) return { text: written, source: 'as-written' };
  const target = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const lines = [`${request.method} ${target ? target.pathname + target.search : request.url} HTTP/1.1`];
  const headers = target ? headersToWrite(request) : request.headers;
  return {
    text: [...lines, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n'),
    source: 'as-prepared',
  };
}
