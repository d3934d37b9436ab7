import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from './route-dependencies.ts';
import { commonHeaders, sendError } from './responses.ts';

/**
 * True if all readers agree where a request ends. Node ignores an unknown Transfer-Encoding and accepts any that ends in
 * `chunked`; a proxy may read another end, and take the rest for another client's request (RFC 9112, sections 6.1 and 11.2).
 * So only `chunked` alone or none is accepted.
 */
export function isFramingUnambiguous({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  const codings: string[] = [];
  let hasLength = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Lengths first, since this runs for every header.
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') codings.push(rawHeaders[index + 1] ?? '');
    else if (name.length === 14 && name.toLowerCase() === 'content-length') hasLength = true;
  }
  if (codings.length === 0) return true;
  return codings.length === 1 && codings[0]?.toLowerCase() === 'chunked' && !hasLength && httpVersion === '1.1';
}

/** Connections on which nothing more is answered, since the start of the next request is unknown. */
export type EndedConnections = WeakSet<Socket>;

/** Answers 400 to a request with an ambiguous end, and closes its connection. Before all other hooks. */
export function rejectAmbiguousFraming(app: App, ended: EndedConnections): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const goOn = (): void => {
      // A request that arrived in one packet with the one before is not answered.
      if (ended.has(raw.socket)) reply.hijack();
      else done();
    };
    if (!ended.has(raw.socket) && !isFramingUnambiguous(raw)) {
      ended.add(raw.socket);
      sendError(request, reply.headers({ ...commonHeaders, connection: 'close' }), 'bad-request');
    } else if (raw.headers['transfer-encoding'] === undefined) {
      goOn();
    } else {
      // Node reports some errors of chunks only after the head.
      setImmediate(goOn);
    }
  });
}
