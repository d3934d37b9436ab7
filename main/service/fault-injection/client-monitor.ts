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

/** One thing that a client does wrong. */
export type ClientFaultEntry = {
  fault: ClientFault;
  /** How often it was seen. */
  count: number;
  /** The requests that show it, for the first times that it was seen; the oldest is the first. */
  shownBy: RequestSummary[][];
};

/** What the clients of this run did wrong, the worst first. */
export type ClientReport = {
  lines(): ClientFaultEntry[];
  /** How many requests were looked at. */
  requests(): number;
  /** Forgets all findings and all requests. */
  clear(): void;
  /** Looks at no request that comes from now on, or looks at them again. */
  pause: (isPaused: boolean) => void;
};

const MOST_SHOWN = 5;
const COOKIE = 'llavero-kept=1; Path=/; HttpOnly; SameSite=Strict';

/** The names that a password goes by in a query, also in Spanish. Only names of the URL are looked at. */
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

/** What the service itself decided to answer, before a dialect or a fault changed it. */
type Decided = { status: number; givenToken?: string | undefined };

/** Stands for a connection after it is closed. What is remembered of a token would else keep its whole socket. */
type Connection = { openedAt?: number };

const plainFactsOf = (request: FastifyRequest) => ({
  operation: operationOf(request),
  client: clientNetwork(request.ip),
  hasAccept: request.headers.accept !== undefined,
  hasCookie: request.headers.cookie !== undefined,
  hasPasswordInUrl: hasPasswordInUrl(request.url),
  hasBody: hasBody(request),
});

/** Keeps what was found. */
function createLines() {
  const judge = createClientFaultDetector();
  let lines = new Map<ClientFault, ClientFaultEntry>();
  let requests = 0;
  let paused = false;
  const report: ClientReport = {
    lines: () => clientFaults.map((fault) => lines.get(fault)).filter((line) => line !== undefined),
    requests: () => requests,
    clear() {
      lines = new Map();
      requests = 0;
      judge.clear();
    },
    pause: (isPaused) => void (paused = isPaused),
  };
  return {
    report,
    isPaused: () => paused,
    add(seen: ObservedRequest): void {
      requests += 1;
      for (const { fault, requests: shown } of judge.detect(seen)) {
        const line = lines.get(fault) ?? { fault, count: 0, shownBy: [] };
        line.count += 1;
        if (line.shownBy.length < MOST_SHOWN) line.shownBy.push(shown);
        lines.set(fault, line);
      }
    },
  };
}

/**
 * Watches what clients do wrong. Of what they send, only digests are kept, with a key of this run and in memory, to see
 * whether two requests are about the same account or token. Its report has none of them.
 * @param options.clock the service's, where it can be moved
 * @param options.setsCookie whether logins set a cookie, by which a client shows that it keeps them
 */
export function createClientMonitor({
  clock,
  setsCookie = false,
}: {
  clock?: Pick<MovableClock, 'monotonicNow'> | undefined;
  setsCookie?: boolean;
}) {
  const steady = clock?.monotonicNow ?? ((): number => performance.now());
  const key = randomBytes(32);
  const digestOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const decided = new WeakMap<FastifyRequest, Decided>();
  const connections = new WeakMap<Socket, Connection>();
  const found = createLines();

  function connectionOf(socket: Socket): Connection {
    const connection = connections.get(socket) ?? {};
    connections.set(socket, connection);
    return connection;
  }

  /** What is known of a request, once it is over. */
  function lookAt(request: FastifyRequest, reply: FastifyReply, atMs: number, receivedAt: number): ObservedRequest {
    const { raw } = reply;
    const ours = decided.get(request);
    const { authorization } = request.headers;
    const email = textOf(request.body, 'email');
    const wasSent = raw.writableFinished;
    const connection = connectionOf(request.raw.socket);
    return {
      ...plainFactsOf(request),
      connection,
      shown: {
        id: request.id,
        atMs,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: wasSent ? raw.statusCode : null,
      },
      receivedAt,
      finishedAt: steady(),
      openedAt: connection.openedAt ?? receivedAt,
      email: email === undefined ? '' : digestOf(emailKey(email.trim())),
      token: authorization === undefined ? undefined : digestOf(authorization.replace(/^bearer +/i, '')),
      givenToken: wasSent && ours?.givenToken !== undefined ? digestOf(ours.givenToken) : undefined,
      decidedStatus: ours?.status,
      // A fault may send a page of HTML in the place of what was done. Every other answer is JSON.
      wasDelivered: wasSent && ours !== undefined && !String(reply.getHeader('content-type')).startsWith('text/html'),
      retryAfterSeconds: secondsOf(reply),
    };
  }

  return {
    report: found.report,
    /** Looks at every request of the application; before its other hooks, and before what misbehaves on purpose. */
    watch(app: App, now: () => number): void {
      app.server.on('connection', (socket: Socket) => (connectionOf(socket).openedAt = steady()));
      app.addHook('onRequest', (request, reply, done) => {
        if (found.isPaused()) return done();
        const [atMs, cameAt] = [now(), steady()];
        reply.raw.once('close', () => found.add(lookAt(request, reply, atMs, cameAt)));
        done();
      });
      app.addHook('onSend', (request, reply, payload, done) => {
        const isLogin = operationOf(request) === 'login' && reply.statusCode === 200;
        decided.set(request, { status: reply.statusCode, givenToken: isLogin ? tokenIn(payload) : undefined });
        if (isLogin && setsCookie) reply.header('set-cookie', COOKIE);
        done(null, payload);
      });
    },
  };
}
