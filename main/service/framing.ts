import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from './route-dependencies.ts';
import { commonHeaders, sendError } from './responses.ts';

/**
 * Whether it is certain where a request ends. Node takes every Transfer-Encoding that it does not know for none, and each
 * one that ends in `chunked` for chunks; a proxy before it may read another end out of the same head, and take the rest
 * for somebody else's request (RFC 9112, sections 6.1 and 11.2). So it is `chunked` and nothing else, or absent.
 */
export function isFramingUnambiguous({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  const codings: string[] = [];
  let hasLength = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Lengths are compared first, since every request comes by here.
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') codings.push(rawHeaders[index + 1] ?? '');
    else if (name.length === 14 && name.toLowerCase() === 'content-length') hasLength = true;
  }
  if (codings.length === 0) return true;
  return codings.length === 1 && codings[0]?.toLowerCase() === 'chunked' && !hasLength && httpVersion === '1.1';
}

/** The connections on which nothing is answered any more, since nobody knows where the next request begins. */
export type EndedConnections = WeakSet<Socket>;

/** Answers 400 to a request without a certain end, and ends its connection. Before all other hooks. */
export function rejectAmbiguousFraming(app: App, ended: EndedConnections): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const goOn = (): void => {
      // What came in one packet with the end of a connection is not answered.
      if (ended.has(raw.socket)) reply.hijack();
      else done();
    };
    if (!ended.has(raw.socket) && !isFramingUnambiguous(raw)) {
      ended.add(raw.socket);
      sendError(request, reply.headers({ ...commonHeaders, connection: 'close' }), 'bad-request');
    } else if (raw.headers['transfer-encoding'] === undefined) {
      goOn();
    } else {
      // Node finds some faults of the chunks only once the head was handed over.
      setImmediate(goOn);
    }
  });
}
