import { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { Respond } from './recording-server.ts';

const started = (more: string): string => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${more}\r\n`;

/** No HTTP library gives these answers on purpose; a recording server does. */
export const badAnswers = {
  /** It takes the request and says nothing. */
  hanging: () => undefined,

  /** It begins an answer, and goes on with a byte every ten milliseconds. */
  dripping(_request, socket) {
    socket.write(started('Content-Length: 100000\r\n'));
    const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write(' ')), 10);
    return undefined;
  },

  /** It ends in the middle of the body. */
  truncated(_request, socket) {
    socket.end(`${started('Content-Length: 100\r\n')}{"to`);
    return undefined;
  },

  /** It ends in the middle of the head. */
  headless(_request, socket) {
    socket.end('HTTP/1.1 200 OK\r\nContent-Ty');
    return undefined;
  },

  /** It sends two kilobytes that are two megabytes once unpacked. */
  gzipBomb() {
    const bytes = gzipSync(Buffer.alloc(2 * 1024 * 1024));
    const head = started(`Content-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n`);
    return Buffer.concat([Buffer.from(head), bytes]);
  },

  /** It never ends, at full speed. */
  endless(_request, socket) {
    socket.write(started('Transfer-Encoding: chunked\r\n'));
    const more = (): void => {
      if (!socket.destroyed) socket.write(`400\r\n${'x'.repeat(1024)}\r\n`, more);
    };
    more();
    return undefined;
  },

  /** It breaks the connection off without an answer; over plain TCP, by a reset. */
  reset(_request, socket) {
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
    return undefined;
  },

  /** It speaks something other than HTTP. */
  notHttp: () => 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
} satisfies Record<string, Respond>;
