import http from 'node:http';
import net, { isIP, type LookupFunction, type Socket } from 'node:net';
import tls, { type SecureContext, type TLSSocket } from 'node:tls';
import { SocksClient, SocksClientError } from 'socks';
import type { CertificateDetails, ProxyAddress, ProxyProblem } from '../../preload/contract/connection.ts';
import { proxyText, type ProxyRoute } from './proxy-route.ts';
import { networkErrorCode, failureOf, type TransportFailure } from './transport-failure.ts';
import {
  checkCertificate,
  tlsProblemOf,
  type CertificateRejection,
  type ConnectionSecurity,
  type Trust,
} from './trust.ts';

/** Where a request goes. `host` is a name or an address, IPv6 without brackets. */
export type Target = { url: string; secure: boolean; host: string; port: number };

/** A connection that is ready for a request. Over TLS, its certificate was accepted. */
export type Dialed = {
  ok: true;
  socket: Socket;
  /** The address and port of the first hop. */
  remote?: { address: string; port: number };
  /** Of the connection to the server itself, also through a proxy. */
  security?: ConnectionSecurity;
};

export type ProxyCredentials = { username: string; password: string };

/** Called with the name of each phase when it ends. */
type OnPhase = (phase: 'dnsMs' | 'connectMs' | 'tlsMs') => void;

export type DialOptions = {
  trust: Trust;
  pins: readonly string[];
  lookup?: LookupFunction;
};

type DialCall = {
  at?: string | undefined;
  /** The credentials for the proxy. */
  credentials?: ProxyCredentials | undefined;
  signal: AbortSignal;
  onPhase: OnPhase;
};

type Failed = { ok: false; failure: TransportFailure };

/** Node tries the next address of a name after 250 ms, which is too short for slow networks. */
const addressAttemptMs = 1_000;

/** In effect none: our own limits end a negotiation, and the library's default is 30 seconds. */
const socksTimeoutMs = 3_600_000;

/** RFC 6761, 6.3: these names mean this computer, whatever a resolver says. */
export function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

/**
 * Opens a connection to a server, directly or through a proxy, over TLS if its URL is https. An abort of `signal` ends it
 * at once; ignore the result then.
 * @param call.at the address to connect to, instead of those of the name
 */
export async function dial(
  target: Target,
  route: ProxyRoute,
  options: DialOptions,
  { at, credentials, signal, onPhase }: DialCall,
): Promise<Dialed | Failed> {
  const context = target.secure ? await options.trust.forServer() : undefined;
  if (context?.ok === false) return context;
  const below =
    route.via === 'direct'
      ? await dialDirectly(target, at, options, signal, onPhase)
      : await dialThrough(route, target, options, credentials, signal, onPhase);
  if (!below.ok || !context) return below;
  const secured = await secure(below.socket, target.host, context.value, options.pins, signal);
  if (!secured.ok) return failed({ kind: 'tls', host: new URL(target.url).host, ...secured.refusal });
  onPhase('tlsMs');
  return { ...below, socket: secured.socket, security: secured.security };
}

async function dialDirectly(
  { url, host, port }: Target,
  at: string | undefined,
  { lookup }: DialOptions,
  signal: AbortSignal,
  onPhase: OnPhase,
): Promise<Dialed | Failed> {
  try {
    return dialed(await connect(at ?? host, port, lookup, signal, onPhase));
  } catch (error) {
    const failure = failureOf(error, url);
    if (failure.kind !== 'connection-lost') return failed(failure);
    // Nothing was connected, so nothing can have been lost.
    return failed({ kind: 'refused', host: new URL(url).host, addresses: [], code: failure.code });
  }
}

async function dialThrough(
  { proxy }: Extract<ProxyRoute, { via: 'proxy' }>,
  target: Target,
  options: DialOptions,
  credentials: ProxyCredentials | undefined,
  signal: AbortSignal,
  onPhase: OnPhase,
): Promise<Dialed | Failed> {
  const failedProxy = (
    problem: ProxyProblem,
    more: { status?: number; code?: string; certificate?: CertificateDetails },
  ): Failed => failed({ kind: 'proxy', proxy: proxyText(proxy), problem, ...more });

  const context = proxy.scheme === 'https' ? await options.trust.forProxy() : undefined;
  if (context?.ok === false) return context;
  let first: Dialed;
  try {
    first = dialed(await connect(proxy.host, proxy.port, options.lookup, signal, onPhase));
  } catch (error) {
    const { kind } = failureOf(error, target.url);
    return kind === 'offline' ? failed({ kind }) : failedProxy('unreachable', { code: networkErrorCode(error) });
  }
  if (context) {
    const secured = await secure(first.socket, proxy.host, context.value, [], signal);
    if (!secured.ok) {
      const { problem, ...shown } = secured.refusal;
      const isProxy = shown.certificate !== undefined || problem === 'client-certificate';
      return failedProxy(isProxy ? 'untrusted' : 'not-a-proxy', shown);
    }
    first = { ...first, socket: secured.socket };
  }
  if (isForwarding({ via: 'proxy', proxy }, target)) return first;

  const tunnel =
    proxy.scheme === 'http' || proxy.scheme === 'https'
      ? await openHttpTunnel(first.socket, target, credentials, signal)
      : await openSocksTunnel(first.socket, proxy, target, credentials, signal);
  if (tunnel.ok) return { ...first, socket: tunnel.socket };
  const { ok: _failed, problem, ...shown } = tunnel;
  return failedProxy(problem, shown);
}

/** True if a proxy forwards the request, instead of opening a tunnel (RFC 9112, 3.2.2). */
export function isForwarding(route: ProxyRoute, { secure: isSecure }: Pick<Target, 'secure'>): boolean {
  return route.via === 'proxy' && !isSecure && (route.proxy.scheme === 'http' || route.proxy.scheme === 'https');
}

/** RFC 7617, in UTF-8. */
export function basicCredentials({ username, password }: ProxyCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Both addresses in a fixed order, since a server may listen on either. */
const lookUpLocalhost: LookupFunction = (_hostname, { all }, callback) => {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  process.nextTick(() => (all ? callback(null, addresses) : callback(null, '127.0.0.1', 4)));
};

/** Tries the addresses of a name in turn. Rejects with Node's error, an `AggregateError` for several. */
function connect(
  host: string,
  port: number,
  lookup: LookupFunction | undefined,
  signal: AbortSignal,
  onPhase: OnPhase,
): Promise<Socket> {
  const lookedUpBy = isLocalhost(host) ? lookUpLocalhost : lookup;
  const socket = net.connect({
    host,
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressAttemptMs,
    ...(lookedUpBy && { lookup: lookedUpBy }),
  });
  socket.once('lookup', () => onPhase('dnsMs'));
  return whenReady(socket, 'connect', signal).then(() => {
    onPhase('connectMs');
    return socket;
  });
}

type Secured =
  | { ok: true; socket: TLSSocket; security: ConnectionSecurity }
  | { ok: false; refusal: CertificateRejection };

/**
 * Makes the TLS handshake and checks the certificate. Node's own check knows no pins, and would destroy the connection with
 * the certificate that the user needs to see. A refused connection is destroyed before anything is written to it.
 */
async function secure(
  below: Socket,
  host: string,
  secureContext: SecureContext,
  pins: readonly string[],
  signal: AbortSignal,
): Promise<Secured> {
  const socket = tls.connect({
    socket: below,
    secureContext,
    host,
    servername: isIP(host) ? '' : host,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: false,
  });
  try {
    await whenReady(socket, 'secureConnect', signal);
  } catch (error) {
    below.destroy();
    const code = networkErrorCode(error);
    return { ok: false, refusal: { problem: tlsProblemOf(code), code } };
  }
  const checked = checkCertificate(socket, pins);
  if (checked.ok) return { ok: true, socket, security: checked.security };
  socket.destroy();
  below.destroy();
  return checked;
}

type Tunnel = { ok: true; socket: Socket } | { ok: false; problem: ProxyProblem; status?: number; code?: string };
/** Opens a tunnel with CONNECT (RFC 9110, 9.3.6), by Node's own HTTP client. */
function openHttpTunnel(
  socket: Socket,
  { host, port }: Target,
  credentials: ProxyCredentials | undefined,
  signal: AbortSignal,
): Promise<Tunnel> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return new Promise((resolve) => {
    const request = http.request({
      method: 'CONNECT',
      path: authority,
      createConnection: () => socket,
      signal,
      headers: ['Host', authority, ...(credentials ? ['Proxy-Authorization', basicCredentials(credentials)] : [])],
    });
    const settle = (tunnel: Tunnel): void => {
      if (!tunnel.ok) socket.destroy();
      resolve(tunnel);
    };
    request.once('connect', ({ statusCode: status = 0 }, _socket, head) => {
      if (status >= 200 && status < 300) {
        // Bytes of the server that arrived with the proxy's response.
        if (head.length > 0) socket.unshift(head);
        settle({ ok: true, socket });
      } else settle({ ok: false, problem: status === 407 ? 'credentials' : 'refused', status });
    });
    request.once('error', (error) => {
      const code = networkErrorCode(error);
      settle({ ok: false, problem: code.startsWith('HPE_') ? 'not-a-proxy' : 'refused', code });
    });
    request.end();
  });
}

/** The library's errors have no codes, so they are recognized by their texts. */
const socksProblems: readonly (readonly [pattern: RegExp, problem: ProxyProblem])[] = [
  [/authentication/i, 'credentials'],
  [/rejected/i, 'refused'],
];

async function openSocksTunnel(
  socket: Socket,
  { scheme, host, port }: ProxyAddress,
  target: Target,
  credentials: ProxyCredentials | undefined,
  signal: AbortSignal,
): Promise<Tunnel> {
  const abort = (): void => void socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const established = await SocksClient.createConnection({
      proxy: {
        host,
        port,
        type: scheme === 'socks4' ? 4 : 5,
        ...(credentials && { userId: credentials.username, password: credentials.password }),
      },
      command: 'connect',
      destination: { host: target.host, port: target.port },
      existing_socket: socket,
      timeout: socksTimeoutMs,
    });
    return { ok: true, socket: established.socket };
  } catch (error) {
    socket.destroy();
    const message = error instanceof SocksClientError ? error.message : '';
    const problem = socksProblems.find(([pattern]) => pattern.test(message))?.[1] ?? 'not-a-proxy';
    return { ok: false, problem, ...(message !== '' && { code: message }) };
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Resolves with the event, and rejects with the socket's error. An abort destroys the socket and rejects at once. */
function whenReady(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      signal.removeEventListener('abort', aborted);
      socket.off(event, ready);
      end();
    };
    const ready = (): void => settle(resolve);
    const aborted = (): void => {
      settle(() => reject(new Error('aborted')));
      socket.destroy();
    };
    socket.once(event, ready);
    // Not removed: an error without a listener, before HTTP uses the socket, would end the process.
    socket.on('error', (error) => settle(() => reject(error)));
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) aborted();
  });
}

function dialed(socket: Socket): Dialed {
  const { remoteAddress: address, remotePort: port } = socket;
  return { ok: true, socket, ...(address !== undefined && port !== undefined && { remote: { address, port } }) };
}

const failed = (failure: TransportFailure): Failed => ({ ok: false, failure });
