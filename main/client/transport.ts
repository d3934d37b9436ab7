import { randomUUID } from 'node:crypto';
import { validateHeaderName, validateHeaderValue, type ClientRequest, type IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { create } from 'axios';
import { ConnectionSettings } from '../../preload/contract/connection.ts';
import { createConnectionPool, type Connection } from './connection-pool.ts';
import {
  basicCredentials,
  dial,
  isForwarding,
  isLocalhost,
  type Credentials,
  type DialOptions,
  type OnPhase,
  type Target,
} from './dial.ts';
import { proxyText, routesFor, type ResolveProxy, type Route } from './proxy-route.ts';
import { addressText, codeOf, failureOf, type TransportFailure } from './transport-failure.ts';
import { createTrust, type Security } from './trust.ts';

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
  /** Decompressed. */
  bodyBytes: Uint8Array;
};

/** Milliseconds since the call began; what did not happen (a reused connection, say) is absent. */
export type Timings = {
  dnsMs?: number;
  connectMs?: number;
  tlsMs?: number;
  firstByteMs?: number;
  totalMs: number;
};

/** One call as it was. It holds secrets: whoever keeps or shows it redacts it. */
export type Call = {
  id: string;
  /** ISO 8601. */
  startedAt: string;
  request: TransportRequest & {
    /** Request line and headers as written, with their line ends; `as-prepared` if Node no longer shows that. */
    head: { text: string; source: 'as-written' | 'as-prepared' };
  };
  /** `ip:port` at the other end, once connected; with a proxy, the proxy's. */
  remote?: string;
  /** `scheme://host:port` of the proxy it went through. */
  proxy?: string;
  /** What secured it; absent over plain http. */
  security?: Security;
  /** The address of a `localhost` name that was connected to: {@link SendOptions} says what for. */
  loopbackAddress?: string;
  reusedConnection: boolean;
  timings: Timings;
  /** Also beside a failure, when the head had arrived; the body is then what came before the failure. */
  response?: TransportResponse;
  failure?: TransportFailure;
};

export type TransportResult =
  { ok: true; response: TransportResponse; call: Call } | { ok: false; failure: TransportFailure; call: Call };

export type TransportLimits = {
  connectSeconds: number;
  firstByteSeconds: number;
  totalSeconds: number;
  bodyBytes: number;
};

export type TransportOptions = {
  record?: (call: Call) => void;
  /** How the one server of this transport is reached. */
  connection?: ConnectionSettings;
  /** Before those of `connection`. */
  limits?: Partial<TransportLimits>;
  /** From the vault, asked for when they are needed. */
  passphrase?: () => Promise<string | undefined>;
  proxyPassword?: () => Promise<string | undefined>;
  /** Without it the system's proxy settings are not known, and not followed. */
  resolveProxy?: ResolveProxy;
  /** PEM, one certificate each; without it, those of the operating system. */
  systemCertificates?: () => readonly string[];
  lookup?: LookupFunction;
};

export type SendOptions = {
  signal?: AbortSignal | undefined;
  /**
   * Of a `localhost` name: the address that answered when the token was given, and the only one it is sent to. It is
   * asked directly whatever the proxy settings have become, for the localhost of a proxy is another computer.
   */
  loopbackAddress?: string | undefined;
  /** Not on a connection that has lain idle, as is the rule for what changes something. */
  freshConnection?: boolean;
  /** False for a caller that records the call itself. */
  recorded?: boolean;
};

export type Transport = ReturnType<typeof createTransport>;

/** Of an answer, at most. */
export const bodyBytes = 1024 * 1024;

/** All others carry an explicit length even without content (RFC 9110, 8.6): Node would send them an empty chunk. */
const methodsWithoutContent = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** May be sent on a connection that turns out to be dead (RFC 9110, 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * The one way to a server, with that server's own settings. Statuses are data, redirects are answers, nothing is added
 * to a request that HTTP does not need, and no environment variable redirects it. A connection is whole, and its
 * certificate found good, before a request goes on it; what changes something goes on a new one, never on one that has
 * lain idle. A failure is a value; each call goes to `record`. Transports share no connections.
 */
export function createTransport(options: TransportOptions = {}) {
  const settings = options.connection ?? ConnectionSettings.parse({});
  const limits: TransportLimits = { ...settings.limits, bodyBytes, ...options.limits };
  const { authority, clientCertificate } = settings;
  const trust = createTrust({
    ...(authority && { authority }),
    ...(clientCertificate && { clientCertificate }),
    ...(options.passphrase && { passphrase: options.passphrase }),
    ...(options.systemCertificates && { systemCertificates: options.systemCertificates }),
  });
  const dialOptions: DialOptions = {
    trust,
    pins: settings.pins,
    ...(options.lookup && { lookup: options.lookup }),
  };
  const pool = createConnectionPool();
  const client = create({
    proxy: false,
    maxRedirects: 0,
    maxBodyLength: -1,
    maxContentLength: -1,
    responseType: 'stream',
    validateStatus: () => true,
    transformRequest: (data: unknown) => data,
  });

  /** Before any connection is opened, since the vault may keep it waiting. */
  async function credentialsOf(route: Route): Promise<Credentials | undefined> {
    if (route.via === 'direct' || route.username === undefined) return undefined;
    return { username: route.username, password: (await options.proxyPassword?.()) ?? '' };
  }

  /** A connection by the first way that leads anywhere: the next is for a proxy at whose address nothing answers. */
  async function connect(
    target: Target,
    { at, mayReuse, seen, signal, onPhase }: ConnectCall,
  ): Promise<Connected | { ok: false; failure: TransportFailure }> {
    const url = new URL(target.url);
    const routes = at === undefined ? await routesFor(url, settings.proxy, options.resolveProxy) : [direct];
    let failure: TransportFailure = { kind: 'proxy', proxy: '', problem: 'unresolved' };
    for (const route of routes ?? []) {
      seen.proxy = route.via === 'proxy' ? `${route.proxy.scheme}://${proxyText(route.proxy)}` : undefined;
      const key = JSON.stringify([url.origin, route, at]);
      const credentials = await credentialsOf(route);
      const idle = mayReuse ? pool.take(key) : undefined;
      if (idle) return { ok: true, connection: idle, route, credentials };
      const result = await dial(target, route, dialOptions, { at, credentials, signal, onPhase });
      if (result.ok) return { ok: true, connection: pool.add(key, target.secure, result), route, credentials };
      failure = result.failure;
      if (failure.kind !== 'proxy' || failure.problem !== 'unreachable') break;
    }
    return { ok: false, failure };
  }

  return {
    /** Sends one request, once. Aborting `signal` ends it in any phase with the failure `cancelled`. */
    async send(
      request: TransportRequest,
      { signal, loopbackAddress, freshConnection = false, recorded = true }: SendOptions = {},
    ): Promise<TransportResult> {
      const startedAt = new Date();
      const started = performance.now();
      const sinceStart = (): number => Math.round((performance.now() - started) * 10) / 10;
      const seen: Seen = { timings: {}, reusedConnection: false, answerBegun: false, chunks: [] };

      const end = new AbortController();
      const stop = (failure: TransportFailure): void => {
        seen.stopped ??= failure;
        end.abort();
      };
      const cancel = (): void => stop({ kind: 'cancelled' });
      const timeout = (phase: 'connect' | 'first-byte' | 'total', seconds: number): NodeJS.Timeout =>
        setTimeout(() => stop({ kind: 'timeout', phase, seconds }), seconds * 1000);
      const totalTimer = timeout('total', limits.totalSeconds);
      const connectTimer = timeout('connect', limits.connectSeconds);
      let firstByteTimer: NodeJS.Timeout | undefined;
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();

      const onPhase: OnPhase = (phase) => (seen.timings[phase] ??= sinceStart());

      async function run(): Promise<void> {
        const target = targetOf(request);
        if (!target.ok) return stop(target.failure);
        const isLocal = isLocalhost(target.value.host);
        const at = isLocal ? loopbackAddress : undefined;
        // It comes out of a file, and names where a token goes.
        if (at !== undefined && !/^(?:127(?:\.\d{1,3}){3}|::1)$/.test(at)) {
          return stop({ kind: 'unsendable', code: 'NOT_A_LOOPBACK_ADDRESS' });
        }
        const mayReuse = !freshConnection && safeMethods.has(request.method.toUpperCase());
        const connected = await connect(target.value, { at, mayReuse, seen, signal: end.signal, onPhase });
        if (!connected.ok) return stop(connected.failure);
        try {
          await carry(target.value, connected, isLocal);
        } finally {
          connected.connection.discard();
        }
      }

      async function carry(target: Target, connected: Connected, isLocal: boolean): Promise<void> {
        const { connection, route } = connected;
        const { path, headers } = forwarded(request, connected, target);
        // Nothing may go out for a call that has been given up.
        if (end.signal.aborted) return;
        clearTimeout(connectTimer);
        firstByteTimer = timeout('first-byte', limits.firstByteSeconds);
        const { remote, security } = connection;
        if (security) seen.security = security;
        seen.reusedConnection = connection.reused;
        if (remote) seen.remote = addressText(remote.address, remote.port);
        if (remote && route.via === 'direct' && isLocal) seen.loopbackAddress = remote.address;

        const answer = await client.request<Readable>({
          method: request.method,
          url: request.url,
          ...(request.body !== undefined && { data: request.body }),
          signal: end.signal,
          // axios would normalise header names, drop characters from values, and add headers of its own.
          transport: {
            request: (prepared: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
              const written = { ...prepared, ...(path !== undefined && { path }), headers: headers.flat() };
              const outgoing = connection.request({ ...written, method: request.method }, (incoming) => {
                seen.incoming = incoming;
                seen.timings.firstByteMs = sinceStart();
                clearTimeout(firstByteTimer);
                onResponse(incoming);
              });
              watch(outgoing, seen);
              return outgoing;
            },
          },
        });
        if (isForwarding(route, target) && route.via === 'proxy' && answer.status === 407) {
          return stop({ kind: 'proxy', proxy: proxyText(route.proxy), problem: 'credentials', status: answer.status });
        }
        let bytes = 0;
        for await (const chunk of answer.data as AsyncIterable<Buffer>) {
          bytes += chunk.length;
          if (bytes > limits.bodyBytes) {
            return stop({ kind: 'too-large', status: answer.status, limitBytes: limits.bodyBytes });
          }
          seen.chunks.push(chunk);
        }
      }

      try {
        // A name being looked up, a proxy script or a slow disk cannot be interrupted, only left behind.
        await Promise.race([run(), whenAborted(end.signal)]);
      } catch (error) {
        seen.thrown = error;
      } finally {
        clearTimeout(totalTimer);
        clearTimeout(connectTimer);
        clearTimeout(firstByteTimer);
        signal?.removeEventListener('abort', cancel);
      }

      const response = seen.incoming && responseOf(seen.incoming, seen.chunks);
      const failed = seen.stopped !== undefined || seen.thrown !== undefined;
      const failure = failed ? (seen.stopped ?? failureOfRequest(seen, request.url, response?.status)) : undefined;
      const call: Call = {
        id: randomUUID(),
        startedAt: startedAt.toISOString(),
        request: { ...request, head: headOf(seen, request) },
        ...(seen.remote !== undefined && { remote: seen.remote }),
        ...(seen.proxy !== undefined && { proxy: seen.proxy }),
        ...(seen.security && { security: seen.security }),
        ...(seen.loopbackAddress !== undefined && { loopbackAddress: seen.loopbackAddress }),
        reusedConnection: seen.reusedConnection,
        timings: { ...seen.timings, totalMs: sinceStart() },
        ...(response && { response }),
        ...(failure && { failure }),
      };
      if (recorded) options.record?.(call);
      if (failure) return { ok: false, failure, call };
      if (!response) throw new Error('a call ended without a response and without a failure');
      return { ok: true, response, call };
    },

    /** Closes the idle connections. */
    close: () => pool.close(),
  };
}

type ConnectCall = {
  at: string | undefined;
  mayReuse: boolean;
  seen: Seen;
  signal: AbortSignal;
  onPhase: OnPhase;
};

type Connected = { ok: true; connection: Connection; route: Route; credentials: Credentials | undefined };

/** A request that a proxy passes on names the whole address, and carries what the proxy asks for. */
function forwarded(
  request: TransportRequest,
  { route, credentials }: Connected,
  target: Target,
): { path?: string; headers: HeaderList } {
  const headers = headersToWrite(request);
  if (!isForwarding(route, target)) return { headers };
  const authorization = credentials ? [['Proxy-Authorization', basicCredentials(credentials)] as const] : [];
  return { path: request.url.replace(/#.*$/s, ''), headers: [...headers, ...authorization] };
}

const direct: Route = { via: 'direct' };

type Seen = {
  outgoing?: ClientRequest;
  incoming?: IncomingMessage;
  chunks: Buffer[];
  remote?: string;
  proxy?: string | undefined;
  security?: Security;
  loopbackAddress?: string;
  reusedConnection: boolean;
  /** A byte came back after the request had been handed to its connection. */
  answerBegun: boolean;
  timings: Omit<Timings, 'totalMs'>;
  /** Why we ended it ourselves; whatever error follows is only the echo. */
  stopped?: TransportFailure;
  /** Node's own error; axios' wrapper tells less. */
  socketError?: Error;
  thrown?: unknown;
};

function watch(outgoing: ClientRequest, seen: Seen): void {
  seen.outgoing = outgoing;
  outgoing.on('error', (error) => (seen.socketError ??= error));
  outgoing.once('socket', (socket) => socket.once('data', () => (seen.answerBegun = true)));
}

function failureOfRequest(seen: Seen, url: string, status: number | undefined): TransportFailure {
  const failure = failureOf(seen.socketError ?? seen.thrown, url, status);
  return failure.kind === 'connection-lost' ? { ...failure, answerBegun: seen.answerBegun } : failure;
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Where a request goes; or why Node will not write it, found before anything is connected. */
function targetOf({
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
    return { ok: false, failure: { kind: 'unsendable', code: codeOf(error) } };
  }
}

/** The caller's headers, and before and after them what HTTP/1.1 cannot do without (RFC 9112, 3.2 and 6). */
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

/**
 * The head as Node wrote it, if a connection was there to write it to. `_header` is not documented (the test "records the head exactly as written" guards it);
 * without it, what was prepared is shown and marked so.
 */
function headOf({ outgoing, remote }: Seen, request: TransportRequest): Call['request']['head'] {
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
  const bodyBytes = Buffer.concat(chunks);
  return {
    status: incoming.statusCode ?? 0,
    statusText: incoming.statusMessage ?? '',
    httpVersion: incoming.httpVersion,
    rawHeaders: rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
    ),
    body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bodyBytes),
    bodyBytes,
  };
}
