import { randomUUID } from 'node:crypto';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { create } from 'axios';
import { addressText, failureOf, type TransportFailure } from './transport-failure.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Anything HTTP/1.1 can say: the rules of the interface bind the client above, not this. */
export type TransportRequest = {
  method: string;
  /** Absolute, http or https. */
  url: string;
  /** In this order and case, duplicates kept. Host, Content-Length and Connection are added where they lack. */
  headers: HeaderList;
  body?: string;
};

export type TransportResponse = {
  status: number;
  statusText: string;
  httpVersion: string;
  /** As received: order, case and duplicates kept. */
  rawHeaders: HeaderList;
  /** Decompressed and read as UTF-8; a byte order mark is still there. */
  body: string;
};

/** Milliseconds since the call began; what did not happen (a reused connection, say) is absent. */
export type Timings = {
  dnsMs?: number;
  connectMs?: number;
  tlsMs?: number;
  firstByteMs?: number;
  totalMs: number;
};

/** One exchange as it was. It holds secrets: whoever keeps or shows it redacts it. */
export type Exchange = {
  id: string;
  /** ISO 8601. */
  startedAt: string;
  request: TransportRequest & {
    /** Request line and headers as written, with their line ends; `as-prepared` if Node no longer shows that. */
    head: { text: string; source: 'as-written' | 'as-prepared' };
  };
  /** `ip:port` at the other end, once connected. */
  remote?: string;
  reusedConnection: boolean;
  timings: Timings;
  /** Also beside a failure, when the head had arrived; the body is then what came before the failure. */
  response?: TransportResponse;
  failure?: TransportFailure;
};

export type TransportResult =
  | { ok: true; response: TransportResponse; exchange: Exchange }
  | { ok: false; failure: TransportFailure; exchange: Exchange };

export type TransportLimits = { connectSeconds: number; totalSeconds: number; bodyBytes: number };

export type Transport = ReturnType<typeof createTransport>;

const defaultLimits: TransportLimits = { connectSeconds: 10, totalSeconds: 30, bodyBytes: 1024 * 1024 };

/** Below the five seconds after which Node's and Apache's servers close an idle connection. */
const idleConnectionMs = 4_000;

/** Node gives up one address of a name for the next after 250 ms, which a slow network needs for an honest answer. */
const addressAttemptMs = 1_000;

/** Sent with an explicit length even without content (RFC 9110, 8.6). */
const methodsWithContent = new Set(['POST', 'PUT', 'PATCH']);

/**
 * The one way to any server. Statuses are data, redirects are answers, nothing is added to a request that HTTP does not
 * need, and no environment variable redirects it. A failure is a value; each exchange goes to `record`.
 */
export function createTransport(
  options: { record?: (exchange: Exchange) => void; limits?: Partial<TransportLimits> } = {},
) {
  const limits = { ...defaultLimits, ...options.limits };
  const agentOptions = { keepAlive: true, timeout: idleConnectionMs, autoSelectFamilyAttemptTimeout: addressAttemptMs };
  const httpAgent = new http.Agent(agentOptions);
  const httpsAgent = new https.Agent(agentOptions);
  const client = create({
    httpAgent,
    httpsAgent,
    proxy: false,
    maxRedirects: 0,
    maxBodyLength: -1,
    maxContentLength: -1,
    responseType: 'stream',
    validateStatus: () => true,
    transformRequest: (data: unknown) => data,
  });

  return {
    /** Sends one request, once. Aborting `signal` ends it in any phase with the failure `cancelled`. */
    async send(request: TransportRequest, { signal }: { signal?: AbortSignal } = {}): Promise<TransportResult> {
      const startedAt = new Date();
      const started = performance.now();
      const sinceStart = (): number => Math.round((performance.now() - started) * 10) / 10;
      const seen: Seen = { timings: {}, reusedConnection: false, chunks: [] };

      const end = new AbortController();
      const stop = (failure: TransportFailure): void => {
        seen.stopped ??= failure;
        end.abort();
      };
      const cancel = (): void => stop({ kind: 'cancelled' });
      const timeout = (phase: 'connect' | 'total', seconds: number): NodeJS.Timeout =>
        setTimeout(() => stop({ kind: 'timeout', phase, seconds }), seconds * 1000);
      const totalTimer = timeout('total', limits.totalSeconds);
      const connectTimer = timeout('connect', limits.connectSeconds);
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();

      try {
        const answer = await client.request<Readable>({
          method: request.method,
          url: request.url,
          ...(request.body !== undefined && { data: request.body }),
          signal: end.signal,
          // axios would normalise header names, drop characters from values, and add headers of its own.
          transport: {
            request: (prepared: https.RequestOptions, onResponse: (response: IncomingMessage) => void) => {
              const { protocol } = new URL(request.url);
              const outgoing = (protocol === 'https:' ? https : http).request(
                { ...prepared, method: request.method, headers: headersToWrite(request).flat() },
                (incoming) => {
                  seen.incoming = incoming;
                  seen.timings.firstByteMs = sinceStart();
                  onResponse(incoming);
                },
              );
              watch(outgoing, seen, sinceStart, () => clearTimeout(connectTimer));
              return outgoing;
            },
          },
        });
        let bytes = 0;
        for await (const chunk of answer.data as AsyncIterable<Buffer>) {
          bytes += chunk.length;
          if (bytes > limits.bodyBytes) {
            const tooLarge = { kind: 'too-large', status: answer.status, limitBytes: limits.bodyBytes } as const;
            stop(tooLarge);
            break;
          }
          seen.chunks.push(chunk);
        }
      } catch (error) {
        seen.thrown = error;
      } finally {
        clearTimeout(totalTimer);
        clearTimeout(connectTimer);
        signal?.removeEventListener('abort', cancel);
      }

      const response = seen.incoming && responseOf(seen.incoming, seen.chunks);
      const failed = seen.stopped !== undefined || seen.thrown !== undefined;
      const failure = failed
        ? (seen.stopped ?? failureOf(seen.socketError ?? seen.thrown, request.url, response?.status))
        : undefined;
      const exchange: Exchange = {
        id: randomUUID(),
        startedAt: startedAt.toISOString(),
        request: { ...request, head: headOf(seen, request) },
        ...(seen.remote !== undefined && { remote: seen.remote }),
        reusedConnection: seen.reusedConnection,
        timings: { ...seen.timings, totalMs: sinceStart() },
        ...(response && { response }),
        ...(failure && { failure }),
      };
      options.record?.(exchange);
      if (failure) return { ok: false, failure, exchange };
      if (!response) throw new Error('an exchange ended without a response and without a failure');
      return { ok: true, response, exchange };
    },

    /** Closes the idle connections. */
    close(): void {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

type Seen = {
  outgoing?: ClientRequest;
  incoming?: IncomingMessage;
  chunks: Buffer[];
  remote?: string;
  reusedConnection: boolean;
  timings: Omit<Timings, 'totalMs'>;
  /** Why we ended it ourselves; whatever error follows is only the echo. */
  stopped?: TransportFailure;
  /** Node's own error, which names every address tried; axios' wrapper does not. */
  socketError?: Error;
  thrown?: unknown;
};

function watch(outgoing: ClientRequest, seen: Seen, sinceStart: () => number, onConnected: () => void): void {
  seen.outgoing = outgoing;
  outgoing.on('error', (error) => (seen.socketError ??= error));
  outgoing.once('socket', (socket) => {
    const connected = (): void => {
      onConnected();
      const { remoteAddress, remotePort } = socket;
      if (remoteAddress !== undefined) seen.remote = addressText(remoteAddress, remotePort);
    };
    if (outgoing.reusedSocket || !socket.connecting) {
      seen.reusedConnection = outgoing.reusedSocket;
      connected();
      return;
    }
    const secure = 'encrypted' in socket;
    socket.once('lookup', () => (seen.timings.dnsMs = sinceStart()));
    socket.once('connect', () => {
      seen.timings.connectMs = sinceStart();
      if (!secure) connected();
    });
    socket.once('secureConnect', () => {
      seen.timings.tlsMs = sinceStart();
      connected();
    });
  });
}

/** The caller's headers, and before and after them what HTTP/1.1 cannot do without (RFC 9112, 3.2 and 6). */
function headersToWrite({ method, url, headers, body }: TransportRequest): HeaderList {
  const has = (name: string): boolean => headers.some(([given]) => given.toLowerCase() === name);
  const framed = has('content-length') || has('transfer-encoding');
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  const needsLength = !framed && (body !== undefined || methodsWithContent.has(method.toUpperCase()));
  return [
    ...(has('host') ? [] : [['Host', new URL(url).host] as const]),
    ...headers,
    ...(needsLength ? [['Content-Length', String(length)] as const] : []),
  ];
}

/**
 * The head as Node wrote it, if a connection was there to write it to. `_header` is not documented (the test "records the head exactly as written" guards it);
 * without it, what was prepared is shown and marked so.
 */
function headOf({ outgoing, remote }: Seen, request: TransportRequest): Exchange['request']['head'] {
  const written: unknown = outgoing && Reflect.get(outgoing, '_header');
  if (typeof written === 'string' && remote !== undefined) return { text: written, source: 'as-written' };
  const target = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const lines = [`${request.method} ${target ? target.pathname + target.search : request.url} HTTP/1.1`];
  const headers = target ? headersToWrite(request) : request.headers;
  return {
    text: [...lines, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n'),
    source: 'as-prepared',
  };
}

function responseOf(incoming: IncomingMessage, chunks: Buffer[]): TransportResponse {
  const { rawHeaders } = incoming;
  return {
    status: incoming.statusCode ?? 0,
    statusText: incoming.statusMessage ?? '',
    httpVersion: incoming.httpVersion,
    rawHeaders: rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
    ),
    body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks)),
  };
}
