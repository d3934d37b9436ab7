import { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { Respond } from './recording-server.ts';

const started = (more: string): string => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${more}\r\n`;

/** No HTTP library gives these answers on purpose; a recording server does. */
export const badAnswers = {
  /** It takes the request and says nothing. */
  hanging: () => undefined,

  /** It begins an answer, and goes on with a byte every ten milliseconds. */
  dripping: (_request, socket) => {
    socket.write(started('Content-Length: 100000\r\n'));
    const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write(' ')), 10);
    return undefined;
  },

  /** It ends in the middle of the body. */
  truncated: (_request, socket) => {
    socket.end(`${started('Content-Length: 100\r\n')}{"to`);
    return undefined;
  },

  /** It ends in the middle of the head. */
  headless: (_request, socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Ty');
    return undefined;
  },

  /** It sends some kilobytes that are twenty megabytes once unpacked. */
  gzipBomb: () => {
    const bytes = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const head = started(`Content-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n`);
    return Buffer.concat([Buffer.from(head), bytes]);
  },

  /** It never ends, at full speed. */
  endless: (_request, socket) => {
    socket.write(started('Transfer-Encoding: chunked\r\n'));
    // A socket that has failed calls back at once for ever.
    const more = (error?: Error | null): void => {
      if (!error && !socket.destroyed) socket.write(`400\r\n${'x'.repeat(1024)}\r\n`, more);
    };
    more();
    return undefined;
  },

  /** It breaks the connection off without an answer; over plain TCP, by a reset. */
  reset: (_request, socket) => {
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
    return undefined;
  },

  /** It speaks something other than HTTP. */
  notHttp: () => 'SSH-2.0-OpenSSH_9.2\r\n\r\n',

  /** It sends the frame that HTTP/2 begins with (RFC 9113, 3.4). */
  http2: () => Buffer.from('00000c040000000000000300000064000400010000', 'hex'),

  /** Its head is longer than any limit of ours. */
  hugeHead: () => started(`X-Long: ${'h'.repeat(300 * 1024)}\r\nContent-Length: 2\r\n`) + '{}',
} satisfies Record<string, Respond>;

/** These break a sentence of RFC 9112 each. */
export const brokenHttp = {
  /** 6.3: a length beside chunks. */
  lengthBesideChunks: () => started('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n') + '2\r\n{}\r\n0\r\n\r\n',
  /** 6.3: the length twice. */
  doubledLength: () => started('Content-Length: 2\r\nContent-Length: 3\r\n') + '{} ',
  /** 6.3: a list of lengths. */
  listedLength: () => started('Content-Length: 2, 3\r\n') + '{} ',
  /** 2.2: lines that end with LF alone. */
  bareLineFeeds: () => started('Content-Length: 2\r\n').replaceAll('\r', '') + '{}',
  /** 7.1: a chunk whose size is no number. */
  wrongChunk: () => started('Transfer-Encoding: chunked\r\n') + 'size\r\n{}\r\n0\r\n\r\n',
  /** 5.1: a name of a header with a blank in it. */
  blankInName: () => started('X Y: z\r\nContent-Length: 2\r\n') + '{}',
} satisfies Record<string, Respond>;
