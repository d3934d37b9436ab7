import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { createHostCheck, type HostRules } from './host-and-origin.ts';
import { messages, type RefusalKind } from './messages.ts';
import type { App, Parts } from './parts.ts';
import { commonHeaders, refuse, refuseForNow, statusOf, textsFor } from './replies.ts';
import { authRoutes, authPrefix } from './routes/auth-routes.ts';
import { descriptionRoute } from './routes/description.ts';
import { healthRoute } from './routes/health.ts';
import type { MisbehavingService } from './behaviour/behaviour.ts';

const MOST_BODY_BYTES = 16 * 1024;

/** How long a client may take, in milliseconds. */
export type Timeouts = {
  /** From the connection, or the last answer's end, to the end of the headers. */
  headersMs: number;
  /** To the end of the body. */
  requestMs: number;
  /** Between two requests on one connection. */
  keepAliveMs: number;
  /** How often the first two are looked at. */
  checkEveryMs: number;
};

export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 20_000,
  keepAliveMs: 60_000,
  checkEveryMs: 1000,
};

export type AppOptions = Parts & {
  hosts: HostRules;
  timeouts: Timeouts;
  /** PEM; without them it speaks plain HTTP. */
  tls?: { cert: Buffer; key: Buffer };
  /** Addresses and networks of proxies whose `X-Forwarded-For` says who the client is. */
  trustedProxies?: readonly string[];
  log: (line: string) => void;
  /** One line for each answer, with the request's id, and without anything that a client chose. */
  logRequests?: boolean;
  /** Stands around the operations and makes them misbehave; on loopback only. */
  behaviour?: MisbehavingService;
};

/** Said in `Retry-After` when the database does not answer: about what a restart of it takes. */
const STORE_RETRY_SECONDS = 5;

/** What Fastify found before our code ran; all else with a 4xx status is a request that is no good HTTP. */
const refusalOfCode: Partial<Record<string, RefusalKind>> = {
  FST_ERR_BAD_URL: 'bad-path',
  FST_ERR_MAX_PARAM_LENGTH: 'path-too-long',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'not-json',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too-slow',
  LLAVERO_JSON: 'json-malformed',
  LLAVERO_ENCODING: 'encoded',
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const isClientError = (error: unknown): boolean =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  error.statusCode >= 400 &&
  error.statusCode < 500;

/** An answer in full, for a connection whose request never became one. Its language is not known. */
function rawAnswer(kind: RefusalKind): string {
  const status = statusOf[kind];
  const body = JSON.stringify({ message: messages.en.refusals[kind] });
  const headers = {
    ...commonHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** The whole service as a Fastify application: it listens nowhere, and its stores are the caller's to close. */
export function createApp(options: AppOptions): App {
  const { hosts, timeouts, tls, trustedProxies = [], log, logRequests = false, behaviour, ...ownParts } = options;
  const parts = behaviour?.partsOf(ownParts) ?? ownParts;
  const refusalOfHostOrOrigin = createHostCheck(hosts);
  const bootId = randomUUID().slice(0, 8);
  let requestCount = 0;
  const server = {
    headersTimeout: timeouts.headersMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
    // Node's own answer to a missing Host header has no body; ours has.
    requireHostHeader: false,
  };

  const app = Fastify({
    bodyLimit: MOST_BODY_BYTES,
    genReqId: () => `${bootId}-${(++requestCount).toString(36)}`,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // What arrives on an open connection while closing is still answered, and the connection ended.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    ...(tls ? { https: { ...tls, ...server } } : { http: server }),
    clientErrorHandler(error, socket) {
      if (socket.writable) socket.end(rawAnswer(refusalOfCode[error.code] ?? 'bad-request'));
      else socket.destroy();
    },
    // Raised while routing, so that no hook has run.
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders);
      refuse(request, reply, refusalOfHostOrOrigin(request.raw) ?? refusalOfCode[codeOf(error)] ?? 'bad-request');
    },
  }).withTypeProvider<ZodTypeProvider>();

  app.setSerializerCompiler(serializerCompiler);

  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    response.socket?.end(rawAnswer('expectation-unknown'));
  });

  // Nothing is tunnelled; Node by itself would end the connection without a word.
  app.server.on('connect', (_request, socket) => socket.end(rawAnswer('bad-request')));

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, body, done) => {
    if (body.length === 0) return done(null);
    // Nothing is decompressed here (RFC 9110, 15.5.16).
    if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
      return done(Object.assign(new Error('The body is encoded'), { code: 'LLAVERO_ENCODING', statusCode: 415 }));
    try {
      // Fatal, since replaced bytes would be another password than the one that was sent.
      done(null, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body))));
    } catch (cause) {
      done(Object.assign(new Error('The body is not JSON', { cause }), { code: 'LLAVERO_JSON', statusCode: 400 }));
    }
  });

  /** What each path allows. The router itself cannot be asked: it would read a client's path as a pattern. */
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    methodsOf.set(url, new Set([...(methodsOf.get(url) ?? []), ...[method].flat()]));
  });

  /** Answers 405 with the methods that the path does have, or 404. */
  function refusePath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const [url = ''] = request.url.split('?', 1);
    const allowed = [...(methodsOf.get(url) ?? [])].toSorted();
    if (allowed.length === 0) return refuse(request, reply, 'unknown-path');
    return refuse(request, reply.header('allow', allowed.join(', ')), 'wrong-method');
  }

  behaviour?.watch(app, parts.now);

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders);
    const refusal = refusalOfHostOrOrigin(request.raw);
    if (refusal !== undefined) refuse(request, reply, refusal);
    // Here and not in a handler, so that a body is not judged before the path is.
    else if (request.is404) refusePath(request, reply);
    else done();
  });

  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOfCode[codeOf(error)] ?? (isClientError(error) ? 'bad-request' : undefined);
    if (refusal !== undefined) return refuse(request, reply, refusal);
    if (codeOf(error) === 'LLAVERO_STORE_UNAVAILABLE') {
      log(`Request ${request.id} was refused for now: ${error instanceof Error ? error.message : ''}`);
      return refuseForNow(request, reply, 'store-unavailable', STORE_RETRY_SECONDS);
    }
    log(`Request ${request.id} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return reply.code(500).send({ message: textsFor(request).refusals.failure, request_id: request.id });
  });

  if (logRequests) {
    app.addHook('onResponse', (request, reply, done) => {
      // The route and not the path: a path can hold anything, a token too.
      const route = request.routeOptions.url ?? 'no route';
      log(`${request.id} ${request.method} ${route} ${reply.statusCode} ${Math.round(reply.elapsedTime)} ms`);
      done();
    });
  }

  app.register(
    async (scope) => {
      behaviour?.surround(scope, parts);
      authRoutes(scope, parts);
    },
    { prefix: authPrefix },
  );
  descriptionRoute(app, parts);
  healthRoute(app, parts);

  return app;
}
