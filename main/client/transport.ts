import type { IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { create } from 'axios';
import { ConnectionSettings } from '../../preload/contract/connection.ts';
import { startCall, type PendingCall, type TransportLimits } from './pending-call.ts';
import {
  withoutResponse,
  type TransportCall,
  type HeaderList,
  type TransportRequest,
  type TransportResponse,
  type TransportResult,
} from './call.ts';
import { createConnectionPool, type Connection } from './connection-pool.ts';
import { decodeBody } from './content-coding.ts';
import { dial, isForwarding, isLocalhost, type ProxyCredentials, type DialOptions, type Target } from './dial.ts';
import { headersToAdd } from './extra-headers.ts';
import { proxyText, routesFor, type ResolveProxy, type ProxyRoute } from './proxy-route.ts';
import type { InterpretedResponse } from './parse-response.ts';
import { headToWrite, targetOf } from './request-head.ts';
import { addressText, type TransportFailure } from './transport-failure.ts';
import { createTrust } from './trust.ts';

export type TransportOptions = {
  /** Whether a URL may be requested. If not, no connection is opened and no name is looked up. */
  maySend?: (url: string) => boolean;
  record?: (call: TransportCall) => void;
  /** The connection settings of the one server of this transport. */
  connection?: ConnectionSettings;
  /** Override those of `connection`. */
  limits?: Partial<TransportLimits>;
  /** From the vault, requested when it is needed. */
  passphrase?: () => Promise<string | undefined>;
  proxyPassword?: () => Promise<string | undefined>;
  /** The headers that the user set for a URL: none if it is not theirs, undefined if a value is missing. */
  extraHeaders?: ((url: string) => Promise<HeaderList | undefined>) | undefined;
  /** Resolves the system's proxy settings. If absent, they are not used. */
  resolveProxy?: ResolveProxy;
  /** Certificates in PEM, one in each text; by default those of the operating system. */
  systemCertificates?: () => readonly string[];
  lookup?: LookupFunction;
};

export type SendOptions = {
  signal?: AbortSignal | undefined;
  /**
   * For a `localhost` name: the address that issued the token, and the only one it is sent to. It is connected to directly
   * whatever the proxy settings are, since the localhost of a proxy is another computer.
   */
  loopbackAddress?: string | undefined;
  /** Requires a new connection, as unsafe methods always do. */
  freshConnection?: boolean;
  /** False for a caller that records the call itself. */
  recorded?: boolean;
  /** Interprets a whole response before the call is recorded. Undefined if that exceeded the memory of the worker. */
  interpret?: (response: TransportResponse) => Promise<InterpretedResponse | undefined>;
};

export type Transport = ReturnType<typeof createTransport>;

/** The maximum size of a response body, in bytes. */
export const bodyBytes = 16 * 1024 * 1024;

/** The maximum size of a response head, in bytes. Node's default is 16 KiB, and tokens in headers may be longer. */
const headBytes = 256 * 1024;

/** Methods that may be sent on a connection that turns out to be closed (RFC 9110, 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const direct: ProxyRoute = { via: 'direct' };

type Connected = { ok: true; connection: Connection; route: ProxyRoute; credentials: ProxyCredentials | undefined };

/**
 * The transport of one server, with its own settings. It returns every status, follows no redirect, adds nothing to a
 * request that HTTP does not require, and reads no environment variable. A connection is established and its certificate
 * accepted before a request is written; unsafe methods use a new connection. Failures are values. Each call is passed to
 * `record`. Transports share no connections.
 */
export function createTransport(options: TransportOptions = {}) {
  const settings = options.connection ?? ConnectionSettings.parse({});
  const limits: TransportLimits = { ...settings.limits, bodyBytes, ...options.limits };
  const connections = createConnections(settings, options);
  const exchange = createExchange(limits);

  return {
    /** Sends a request, once. Aborting `signal` ends it in any phase with the failure `cancelled`. */
    async send(
      request: TransportRequest,
      { signal, loopbackAddress, freshConnection = false, recorded = true, interpret }: SendOptions = {},
    ): Promise<TransportResult> {
      const pending = startCall(request, limits, signal);

      async function run(): Promise<void> {
        if (options.maySend?.(request.url) === false)
          return pending.stop({ kind: 'unsendable', code: 'NOT_AGREED_TO' });
        const extra = options.extraHeaders ? await options.extraHeaders(request.url) : [];
        if (!extra) return pending.stop({ kind: 'connection-settings', problem: 'header-value-missing' });
        pending.addHeaders(headersToAdd(extra, request.headers));
        const target = targetOf(pending.request());
        if (!target.ok) return pending.stop(target.failure);
        const at = isLocalhost(target.value.host) ? loopbackAddress : undefined;
        // The address comes from a file, and decides where a token is sent.
        if (at !== undefined && !/^(?:127(?:\.\d{1,3}){3}|::1)$/.test(at)) {
          return pending.stop({ kind: 'unsendable', code: 'NOT_A_LOOPBACK_ADDRESS' });
        }
        const mayReuse = !freshConnection && safeMethods.has(request.method.toUpperCase());
        const connected = await connections.connect(target.value, at, mayReuse, pending);
        if (!connected.ok) return pending.stop(connected.failure);
        try {
          await exchange(pending.request(), target.value, connected, pending);
        } finally {
          connected.connection.discard();
        }
      }

      const call = await withInterpretation(await pending.finish(run()), interpret, signal);
      const { response, failure } = call;
      if (recorded) options.record?.(call);
      if (failure) return { ok: false, failure, call };
      if (!response) throw new Error('a call ended without a response and without a failure');
      return { ok: true, response, call };
    },

    close: () => connections.close(),
  };
}

/** A call with its interpretation, or without its response if that exceeded the memory of the worker. */
async function withInterpretation(
  call: TransportCall,
  interpret: SendOptions['interpret'],
  signal: AbortSignal | undefined,
): Promise<TransportCall> {
  const { response, failure } = call;
  if (!response || failure || !interpret) return call;
  const interpreted = await interpret(response);
  if (interpreted) return { ...call, interpreted };
  return withoutResponse(signal?.aborted ? { ...call, failure: { kind: 'cancelled' } } : call);
}

/** Provides a connection for each call: an idle one, or a new one by the routes that the settings allow. */
function createConnections(settings: ConnectionSettings, options: TransportOptions) {
  const { authority, clientCertificate } = settings;
  const trust = createTrust({
    ...(authority && { authority }),
    ...(clientCertificate && { clientCertificate }),
    ...(options.passphrase && { passphrase: options.passphrase }),
    ...(options.systemCertificates && { systemCertificates: options.systemCertificates }),
  });
  const dialOptions: DialOptions = { trust, pins: settings.pins, ...(options.lookup && { lookup: options.lookup }) };
  const pool = createConnectionPool();

  /** Requested before any connection is opened, since the vault may be slow. */
  async function credentialsOf(route: ProxyRoute): Promise<ProxyCredentials | undefined> {
    if (route.via === 'direct' || route.username === undefined) return undefined;
    return { username: route.username, password: (await options.proxyPassword?.()) ?? '' };
  }

  return {
    /**
     * Connects by the first route that works. The next one is tried only if a proxy is unreachable.
     * @param at the address to connect to instead of those of the name
     */
    async connect(
      target: Target,
      at: string | undefined,
      mayReuse: boolean,
      { progress, signal, onPhase }: PendingCall,
    ): Promise<Connected | { ok: false; failure: TransportFailure }> {
      const url = new URL(target.url);
      const routes = at === undefined ? await routesFor(url, settings.proxy, options.resolveProxy) : [direct];
      let failure: TransportFailure = { kind: 'proxy', proxy: '', problem: 'unresolved' };
      for (const route of routes ?? []) {
        progress.proxy = route.via === 'proxy' ? `${route.proxy.scheme}://${proxyText(route.proxy)}` : undefined;
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
    },

    close: () => pool.close(),
  };
}

/** Sends a request over its connection and receives the response. */
function createExchange(limits: TransportLimits) {
  const client = create({
    proxy: false,
    maxRedirects: 0,
    maxBodyLength: -1,
    maxContentLength: -1,
    responseType: 'stream',
    decompress: false,
    validateStatus: () => true,
    transformRequest: (data: unknown) => data,
  });

  return async (
    request: TransportRequest,
    target: Target,
    connected: Connected,
    pending: PendingCall,
  ): Promise<void> => {
    const { connection, route } = connected;
    const { path, headers } = headToWrite(request, target, connected);
    // Nothing may be sent for an aborted call.
    if (pending.signal.aborted) return;
    pending.connected();
    noteConnection(pending.progress, connection, route, target);
    let coding: string | undefined;
    const response = await client.request<Readable>({
      method: request.method,
      url: request.url,
      ...(request.body !== undefined && { data: request.body }),
      signal: pending.signal,
      // axios would normalise header names, drop characters from values, and add its own headers.
      transport: {
        request: (prepared: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
          const written = {
            ...prepared,
            ...(path !== undefined && { path }),
            headers: headers.flat(),
            maxHeaderSize: headBytes,
          };
          const outgoing = connection.request({ ...written, method: request.method }, (incoming) => {
            pending.responseStarted(incoming);
            coding = incoming.headers['content-encoding'];
            dropUnusedHeaders(incoming);
            onResponse(incoming);
          });
          pending.requestSent(outgoing);
          return outgoing;
        },
      },
    });
    if (isForwarding(route, target) && route.via === 'proxy' && response.status === 407) {
      const { status } = response;
      return pending.stop({ kind: 'proxy', proxy: proxyText(route.proxy), problem: 'credentials', status });
    }
    let bytes = 0;
    for await (const chunk of decodeBody(response.data as AsyncIterable<Buffer>, coding)) {
      bytes += chunk.length;
      if (bytes > limits.bodyBytes) {
        return pending.stop({ kind: 'too-large', status: response.status, limitBytes: limits.bodyBytes });
      }
      pending.chunks.push(chunk);
    }
  };
}

/** The headers that axios, the pool and the decoding of bodies use. Recording uses the raw headers. */
const usedHeaders = ['content-type', 'keep-alive'] as const;

/** Axios compares each header name with all others, which took 60 ms for 1,900 names. */
function dropUnusedHeaders(incoming: IncomingMessage): void {
  const { headers } = incoming;
  incoming.headers = Object.fromEntries(
    usedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

function noteConnection(
  progress: PendingCall['progress'],
  { reused, remote, security }: Connection,
  route: ProxyRoute,
  { host }: Target,
): void {
  if (security) progress.security = security;
  progress.reusedConnection = reused;
  if (!remote) return;
  progress.remote = addressText(remote.address, remote.port);
  if (route.via === 'direct' && isLocalhost(host)) progress.loopbackAddress = remote.address;
}
