import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** One request, byte for byte as it came in. Each character of `raw` is one byte. */
export type RecordedRequest = {
  raw: string;
  requestLine: string;
  method: string;
  target: string;
  /** In order, with names as written and duplicates kept. */
  headers: [name: string, value: string][];
  /** In UTF-8. */
  body: string;
  /** Which connection brought it, counted from 0. */
  connection: number;
};

/** Returns the bytes to answer, or nothing. The socket is for answers that HTTP libraries would not give. */
export type Respond = (request: RecordedRequest, socket: Socket) => string | Buffer | undefined;

export type RecordingServer = Awaited<ReturnType<typeof startRecordingServer>>;

/**
 * Starts a bare TCP (or TLS) server, on 127.0.0.1 unless told, that speaks no HTTP of its own: what it records is what
 * was on the wire. Bodies are read by their Content-Length; anything else ends with the head.
 */
export async function startRecordingServer(
  respond: Respond,
  tls?: TlsOptions,
  { host = '127.0.0.1', port: wanted = 0 }: { host?: string; port?: number } = {},
) {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let receivedBytes = 0;

  function serve(socket: Socket): void {
    const connection = connections;
    connections += 1;
    let pending = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that goes away is part of what is tested.
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      receivedBytes += chunk.length;
      pending = Buffer.concat([pending, chunk]);
      for (let taken = take(pending, connection); taken; taken = take(pending, connection)) {
        pending = pending.subarray(taken.length);
        requests.push(taken.request);
        const answer = respond(taken.request, socket);
        if (answer !== undefined && !socket.destroyed) socket.write(answer);
      }
    });
  }

  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, host, resolve);
  });
  const port = portOf(server);

  return {
    port,
    origin: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    requests,
    /** Answers how many there ever were. Over TLS, only those count whose handshake came to its end. */
    connections: () => connections,
    /** Answers the bytes within TLS, where there is TLS. */
    receivedBytes: () => receivedBytes,
    openConnections: () => sockets.size,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the port that a TCP server listens on. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a listening TCP server');
  return address.port;
}

/** Makes a whole HTTP/1.1 answer. A body that is not a string is sent as JSON. */
export function answer(status: number, body: unknown = '', headers: Record<string, string> = {}): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n${text}`;
}

function take(bytes: Buffer, connection: number): { request: RecordedRequest; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [requestLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const bodyLength = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
  const length = headEnd + 4 + bodyLength;
  if (bytes.length < length) return undefined;
  const [method = '', target = ''] = requestLine.split(' ');
  const raw = bytes.subarray(0, length).toString('latin1');
  const body = bytes.subarray(headEnd + 4, length).toString('utf8');
  return { request: { raw, requestLine, method, target, headers, body, connection }, length };
}
