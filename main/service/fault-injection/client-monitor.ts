import { createHmac, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MovableClock } from './movable-clock.ts';
import { clientNetwork } from '../domain/client-network.ts';
import { emailKey } from '../domain/emails.ts';
import { operationOf } from '../operations.ts';
import type { App } from '../route-dependencies.ts';
import { clientFaults, type ClientFault } from '../../../preload/contract/names.ts';
import { createClientFaultDetector, type ObservedRequest, type RequestSummary } from './client-fault-detector.ts';

/** A mistake of clients. */
export type ClientFaultEntry = {
  fault: ClientFault;
  count: number;
  /** The requests that show it, for its first occurrences, the oldest first. */
  shownBy: RequestSummary[][];
};

/** The mistakes of clients since the start. */
export type ClientReport = {
  /** The worst first. */
  lines(): ClientFaultEntry[];
  /** The number of observed requests. */
  requests(): number;
  /** Forgets all findings and all requests. */
  clear(): void;
  /** Stops or resumes with the next request. */
  pause: (isPaused: boolean) => void;
};

const MOST_SHOWN = 5;
const COOKIE = 'llavero-kept=1; Path=/; HttpOnly; SameSite=Strict';

/** Names of passwords in a query, also in Spanish. */
const PASSWORD_NAME = /^(?:[a-z]*[_-]?)?(?:passw(?:or)?d|passphrase|pwd|clave|contrase(?:n|ñ)a)(?:\[\])?$/i;

function hasPasswordInUrl(url: string): boolean {
  const at = url.indexOf('?');
  if (at < 0) return false;
  return [...new URLSearchParams(url.slice(at))].some(([name, value]) => value !== '' && PASSWORD_NAME.test(name));
}

const textOf = (body: unknown, field: string): string | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : undefined;
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

function secondsOf(reply: FastifyReply): number | undefined {
  const seconds = Number(reply.getHeader('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

function tokenIn(payload: unknown): string | undefined {
  if (typeof payload !== 'string') return undefined;
  try {
    return textOf(JSON.parse(payload), 'token');
  } catch {
    return undefined;
  }
}

/** The service's own response, before a dialect or a fault changed it. */
type OwnResponse = { status: number; issuedToken?: string | undefined };

/** Stands for a connection after it is closed, so that a remembered token does not keep its socket in memory. */
type Connection = { openedAt?: number };

const requestFacts = (request: FastifyRequest) => ({
  operation: operationOf(request),
  client: clientNetwork(request.ip),
  hasAccept: request.headers.accept !== undefined,
  hasCookie: request.headers.cookie !== undefined,
  hasPasswordInUrl: hasPasswordInUrl(request.url),
  hasBody: hasBody(request),
});

function createReport() {
  const detector = createClientFaultDetector();
  let lines = new Map<ClientFault, ClientFaultEntry>();
  let requests = 0;
  let paused = false;
  const report: ClientReport = {
    lines: () => clientFaults.map((fault) => lines.get(fault)).filter((line) => line !== undefined),
    requests: () => requests,
    clear() {
      lines = new Map();
      requests = 0;
      detector.clear();
    },
    pause: (isPaused) => void (paused = isPaused),
  };
  return {
    report,
    isPaused: () => paused,
    add(request: ObservedRequest): void {
      requests += 1;
      for (const { fault, requests: shown } of detector.detect(request)) {
        const line = lines.get(fault) ?? { fault, count: 0, shownBy: [] };
        line.count += 1;
        if (line.shownBy.length < MOST_SHOWN) line.shownBy.push(shown);
        lines.set(fault, line);
      }
    },
  };
}

/**
 * Detects mistakes of clients. Emails and tokens are held as digests with a key of this process, in memory, to compare
 * requests by account and token. The report has none of them.
 * @param options.clock the service's, if it can be moved
 * @param options.setsCookie whether logins set a cookie, to see whether the client sends it back
 */
export function createClientMonitor({
  clock,
  setsCookie = false,
}: {
  clock?: Pick<MovableClock, 'monotonicNow'> | undefined;
  setsCookie?: boolean;
}) {
  const monotonicNow = clock?.monotonicNow ?? ((): number => performance.now());
  const key = randomBytes(32);
  const digestOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const ownResponses = new WeakMap<FastifyRequest, OwnResponse>();
  const connections = new WeakMap<Socket, Connection>();
  const observed = createReport();

  function connectionOf(socket: Socket): Connection {
    const connection = connections.get(socket) ?? {};
    connections.set(socket, connection);
    return connection;
  }

  /** Called once the request is over. */
  function observe(request: FastifyRequest, reply: FastifyReply, atMs: number, receivedAt: number): ObservedRequest {
    const { raw } = reply;
    const own = ownResponses.get(request);
    const { authorization } = request.headers;
    const email = textOf(request.body, 'email');
    const wasSent = raw.writableFinished;
    const connection = connectionOf(request.raw.socket);
    return {
      ...requestFacts(request),
      connection,
      shown: {
        id: request.id,
        atMs,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: wasSent ? raw.statusCode : null,
      },
      receivedAt,
      finishedAt: monotonicNow(),
      openedAt: connection.openedAt ?? receivedAt,
      email: email === undefined ? '' : digestOf(emailKey(email.trim())),
      token: authorization === undefined ? undefined : digestOf(authorization.replace(/^bearer +/i, '')),
      issuedToken: wasSent && own?.issuedToken !== undefined ? digestOf(own.issuedToken) : undefined,
      decidedStatus: own?.status,
      // The fault `html` replaces the response; all others are JSON.
      wasDelivered: wasSent && own !== undefined && !String(reply.getHeader('content-type')).startsWith('text/html'),
      retryAfterSeconds: secondsOf(reply),
    };
  }

  return {
    report: observed.report,
    /** Observes every request. Its hooks run before those that simulate faults. */
    addHooks(app: App, now: () => number): void {
      app.server.on('connection', (socket: Socket) => (connectionOf(socket).openedAt = monotonicNow()));
      app.addHook('onRequest', (request, reply, done) => {
        if (observed.isPaused()) return done();
        const [atMs, receivedAt] = [now(), monotonicNow()];
        reply.raw.once('close', () => observed.add(observe(request, reply, atMs, receivedAt)));
        done();
      });
      app.addHook('onSend', (request, reply, payload, done) => {
        const isLogin = operationOf(request) === 'login' && reply.statusCode === 200;
        ownResponses.set(request, { status: reply.statusCode, issuedToken: isLogin ? tokenIn(payload) : undefined });
        if (isLogin && setsCookie) reply.header('set-cookie', COOKIE);
        done(null, payload);
      });
    },
  };
}
