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
  /** Whether anything may be sent to an address. Where it may not, no connection is opened and no name is looked up. */
  maySend?: (url: string) => boolean;
  record?: (call: TransportCall) => void;
  /** How the one server of this transport is reached. */
  connection?: ConnectionSettings;
  /** These win over those of `connection`. */
  limits?: Partial<TransportLimits>;
  /** They come from the vault, and are asked for when they are needed. */
  passphrase?: () => Promise<string | undefined>;
  proxyPassword?: () => Promise<string | undefined>;
  /**
   * The headers that a person set for this server, for a call to an address: none where it is not theirs, and undefined
   * when a value that belongs there is missing.
   */
  extraHeaders?: ((url: string) => Promise<HeaderList | undefined>) | undefined;
  /** Asks for the system's proxy settings. If it is absent, these are not known and not followed. */
  resolveProxy?: ResolveProxy;
  /** Returns certificates in PEM, one in each text. If it is absent, those of the operating system are taken. */
  systemCertificates?: () => readonly string[];
  lookup?: LookupFunction;
};

export type SendOptions = {
  signal?: AbortSignal | undefined;
  /**
   * For a `localhost` name: the address that answered when the token was given, and the only one it is sent to. It is
   * asked directly whatever the proxy settings have become, for the localhost of a proxy is another computer.
   */
  loopbackAddress?: string | undefined;
  /** Whether the request must go on a connection that has not lain idle. What changes something always does. */
  freshConnection?: boolean;
  /** It is false for a caller that records the call itself. */
  recorded?: boolean;
  /**
   * Reads a whole answer before the call is recorded; what it understood goes along with the call. It understands nothing
   * of an answer that filled the memory.
   */
  interpret?: (response: TransportResponse) => Promise<InterpretedResponse | undefined>;
};

export type Transport = ReturnType<typeof createTransport>;

/** The longest body of an answer that is read, in bytes. */
export const bodyBytes = 16 * 1024 * 1024;

/** The longest head of an answer that is read, in bytes. Node's own limit is 16 KiB, and tokens in headers are longer. */
const headBytes = 256 * 1024;

/** These may be sent on a connection that turns out to be dead (RFC 9110, 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const direct: ProxyRoute = { via: 'direct' };

type Connected = { ok: true; connection: Connection; route: ProxyRoute; credentials: ProxyCredentials | undefined };

/**
 * The one way to a server, with that server's own settings. Statuses are data, redirects are answers, nothing is added
 * to a request that HTTP does not need, and no environment variable redirects it. A connection is whole, and its
 * certificate found good, before a request goes on it; what changes something goes on a new one, never on one that has
 * lain idle. A failure is a value; each call goes to `record`. Transports share no connections.
 */
export function createTransport(options: TransportOptions = {}) {
  const settings = options.connection ?? ConnectionSettings.parse({});
  const limits: TransportLimits = { ...settings.limits, bodyBytes, ...options.limits };
  const connections = createConnections(settings, options);
  const carry = createCarrier(limits);

  return {
    /** Sends one request, once. Aborting `signal` ends it in any phase with the failure `cancelled`. */
    async send(
      request: TransportRequest,
      { signal, loopbackAddress, freshConnection = false, recorded = true, interpret }: SendOptions = {},
    ): Promise<TransportResult> {
      const underWay = startCall(request, limits, signal);

      async function run(): Promise<void> {
        if (options.maySend?.(request.url) === false)
          return underWay.stop({ kind: 'unsendable', code: 'NOT_AGREED_TO' });
        const extra = options.extraHeaders ? await options.extraHeaders(request.url) : [];
        if (!extra) return underWay.stop({ kind: 'connection-settings', problem: 'header-value-missing' });
        underWay.adds(headersToAdd(extra, request.headers));
        const target = targetOf(underWay.request());
        if (!target.ok) return underWay.stop(target.failure);
        const at = isLocalhost(target.value.host) ? loopbackAddress : undefined;
        // The address comes out of a file, and says where a token goes.
        if (at !== undefined && !/^(?:127(?:\.\d{1,3}){3}|::1)$/.test(at)) {
          return underWay.stop({ kind: 'unsendable', code: 'NOT_A_LOOPBACK_ADDRESS' });
        }
        const mayReuse = !freshConnection && safeMethods.has(request.method.toUpperCase());
        const connected = await connections.connect(target.value, at, mayReuse, underWay);
        if (!connected.ok) return underWay.stop(connected.failure);
        try {
          await carry(underWay.request(), target.value, connected, underWay);
        } finally {
          connected.connection.discard();
        }
      }

      const call = await withReading(await underWay.finish(run()), interpret, signal);
      const { response, failure } = call;
      if (recorded) options.record?.(call);
      if (failure) return { ok: false, failure, call };
      if (!response) throw new Error('a call ended without a response and without a failure');
      return { ok: true, response, call };
    },

    close: () => connections.close(),
  };
}

/** A call with what was understood of its answer, or without its answer if that filled the memory. */
async function withReading(
  call: TransportCall,
  understand: SendOptions['interpret'],
  signal: AbortSignal | undefined,
): Promise<TransportCall> {
  const { response, failure } = call;
  if (!response || failure || !understand) return call;
  const interpreted = await understand(response);
  if (interpreted) return { ...call, interpreted };
  return withoutResponse(signal?.aborted ? { ...call, failure: { kind: 'cancelled' } } : call);
}

/** Finds a connection for each call: one that has lain idle, or a new one by the ways that the settings allow. */
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

  /** They are asked for before any connection is opened, since the vault may make it wait. */
  async function credentialsOf(route: ProxyRoute): Promise<ProxyCredentials | undefined> {
    if (route.via === 'direct' || route.username === undefined) return undefined;
    return { username: route.username, password: (await options.proxyPassword?.()) ?? '' };
  }

  return {
    /**
     * Connects by the first way that leads anywhere: the next is for a proxy at whose address nothing answers.
     * @param at the one address to connect to, if not the name's own
     */
    async connect(
      target: Target,
      at: string | undefined,
      mayReuse: boolean,
      { seen, signal, onPhase }: PendingCall,
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
    },

    close: () => pool.close(),
  };
}

/** Carries a request over its connection, and the answer back. */
function createCarrier(limits: TransportLimits) {
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
    underWay: PendingCall,
  ): Promise<void> => {
    const { connection, route } = connected;
    const { path, headers } = headToWrite(request, target, connected);
    // Nothing may go out for a call that has been given up.
    if (underWay.signal.aborted) return;
    underWay.connected();
    noteConnection(underWay.seen, connection, route, target);
    let coding: string | undefined;
    const answer = await client.request<Readable>({
      method: request.method,
      url: request.url,
      ...(request.body !== undefined && { data: request.body }),
      signal: underWay.signal,
      // axios would normalise header names, drop characters from values, and add headers of its own.
      transport: {
        request: (prepared: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
          const written = {
            ...prepared,
            ...(path !== undefined && { path }),
            headers: headers.flat(),
            maxHeaderSize: headBytes,
          };
          const outgoing = connection.request({ ...written, method: request.method }, (incoming) => {
            underWay.answered(incoming);
            coding = incoming.headers['content-encoding'];
            keepHeadersThatAreRead(incoming);
            onResponse(incoming);
          });
          underWay.sent(outgoing);
          return outgoing;
        },
      },
    });
    if (isForwarding(route, target) && route.via === 'proxy' && answer.status === 407) {
      const { status } = answer;
      return underWay.stop({ kind: 'proxy', proxy: proxyText(route.proxy), problem: 'credentials', status });
    }
    let bytes = 0;
    for await (const chunk of decodeBody(answer.data as AsyncIterable<Buffer>, coding)) {
      bytes += chunk.length;
      if (bytes > limits.bodyBytes) {
        return underWay.stop({ kind: 'too-large', status: answer.status, limitBytes: limits.bodyBytes });
      }
      underWay.chunks.push(chunk);
    }
  };
}

/** Axios, the pool and the reading of bodies look for these. What is recorded of an answer are its raw headers. */
const headersThatAreRead = ['content-type', 'keep-alive'] as const;

/** Leaves out the other headers. Axios compares each name with all of them, which took 60 ms for 1 900 names. */
function keepHeadersThatAreRead(incoming: IncomingMessage): void {
  const { headers } = incoming;
  incoming.headers = Object.fromEntries(
    headersThatAreRead.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

function noteConnection(
  seen: PendingCall['seen'],
  { reused, remote, security }: Connection,
  route: ProxyRoute,
  { host }: Target,
): void {
  if (security) seen.security = security;
  seen.reusedConnection = reused;
  if (!remote) return;
  seen.remote = addressText(remote.address, remote.port);
  if (route.via === 'direct' && isLocalhost(host)) seen.loopbackAddress = remote.address;
}
