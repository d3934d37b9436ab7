import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { rejectAmbiguousFraming, type EndedConnections } from './framing.ts';
import { addErrorHandler, handleUnroutedRequests, rawErrorResponse, errorKindOf } from './error-handlers.ts';
import { createCors, type Cors } from './cors.ts';
import { createHostCheck, type HostRules } from './host-and-origin.ts';
import { addFormParser, addJsonParser } from './body-parsers.ts';
import { MOST_BODY_BYTES } from './limits.ts';
import type { App, RouteDependencies } from './route-dependencies.ts';
import { commonHeaders, sendError, securityHeaders } from './responses.ts';
import { authRoutes, authPrefix } from './routes/auth-routes.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { createTranslation, type Translation } from './translation.ts';
import { openApiRoute } from './routes/openapi-route.ts';
import { healthRoute } from './routes/health.ts';
import type { StatusPage } from './page/status-page.ts';
import { mockRoutes } from './mock/mock-routes.ts';
import type { MockDependencies } from './mock/mock-token-store.ts';
import type { MockDefinition } from './mock/mock-definition.ts';

/** How long a client may take, in milliseconds. */
export type Timeouts = {
  /** From the connection, or from the end of the last answer, to the end of the headers. */
  headersMs: number;
  /** From the same instant to the end of the body. */
  requestMs: number;
  /** Between two requests on one connection. */
  keepAliveMs: number;
  /** How often the first two are looked at, also while nobody is connected: each look wakes the computer. */
  checkEveryMs: number;
};

export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 20_000,
  keepAliveMs: 60_000,
  checkEveryMs: 5000,
};

export type AppOptions = RouteDependencies & {
  hosts: HostRules;
  timeouts: Timeouts;
  /** In PEM. Without it, the service speaks plain HTTP. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** Addresses and networks of proxies whose `X-Forwarded-For` says who the client is. */
  trustedProxies?: readonly string[] | undefined;
  log: (line: string) => void;
  /** Whether it writes one line for each answer, with the request's id, and without anything that a client chose. */
  logRequests?: boolean | undefined;
  /** Adds its hooks before all others: so the laboratory stands around the operations, which know nothing of it. */
  plugin?: ((app: App, parts: RouteDependencies) => void) | undefined;
  /** What was learned of another server, whose double this is, and the tokens of the double. */
  mock?: ({ model: MockDefinition } & Omit<MockDependencies, keyof RouteDependencies>) | undefined;
  /** The interface that it answers at, if that is another one than its own. */
  adapter?: ApiAdapter | undefined;
  /** The page at `/`, where only this computer reaches the service. */
  page?: StatusPage | undefined;
};

type HostCheck = ReturnType<typeof createHostCheck>;

/** Makes a Fastify with our limits, which answers in our words what it refuses by itself. */
function createServer(
  { timeouts, tls, trustedProxies = [] }: AppOptions,
  { refusalOfHostOrOrigin, cors }: { refusalOfHostOrOrigin: HostCheck; cors: Cors },
  translation: Translation | undefined,
): App {
  const ended: EndedConnections = new WeakSet();
  const bootId = randomUUID().slice(0, 8);
  let requestCount = 0;
  const server = {
    headersTimeout: timeouts.headersMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
    // Node's own answer to a missing Host header has no body, and ours has one.
    requireHostHeader: false,
  };
  const app: App = Fastify({
    bodyLimit: MOST_BODY_BYTES,
    genReqId: () => `${bootId}-${(++requestCount).toString(36)}`,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // What arrives on an open connection while closing is still answered, and the connection ended.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    ...(translation && { rewriteUrl: translation.rewriteUrl }),
    ...(tls ? { https: { ...tls, ...server } } : { http: server }),
    clientErrorHandler(error, socket) {
      // It was answered already.
      if (ended.has(socket)) return;
      ended.add(socket);
      if (socket.writable) socket.end(rawErrorResponse(errorKindOf(error) ?? 'bad-request'));
      else socket.destroy();
    },
    // It is raised while routing, so no hook has run.
    frameworkErrors: (error, request, reply) => {
      cors.addHeaders(request, reply.headers(commonHeaders));
      const isOver = ended.has(request.raw.socket);
      // Whether its chunks are good is not known yet.
      if (request.raw.headers['transfer-encoding'] !== undefined) {
        ended.add(request.raw.socket);
        reply.header('connection', 'close');
      }
      if (isOver) reply.hijack();
      else sendError(request, reply, refusalOfHostOrOrigin(request.raw) ?? errorKindOf(error) ?? 'bad-request');
    },
  }).withTypeProvider<ZodTypeProvider>();
  handleUnroutedRequests(app);
  // Before whatever answers: a page reads no refusal without it.
  app.addHook('onRequest', (request, reply, done) => {
    cors.addHeaders(request, reply);
    done();
  });
  rejectAmbiguousFraming(app, ended);
  return app;
}

/** Refuses what no route is for: 405 with the methods that the path does have, or 404. It is made before the routes. */
function createPathRefusal(
  app: App,
  translation: Translation | undefined,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  // The router itself cannot be asked: it would read a client's path as a pattern.
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    methodsOf.set(url, new Set([...(methodsOf.get(url) ?? []), ...[method].flat()]));
  });
  return (request, reply) => {
    const [url = ''] = request.url.split('?', 1);
    const allowed = (translation?.methodsAt(request.originalUrl) ?? [...(methodsOf.get(url) ?? [])]).toSorted();
    if (allowed.length === 0) return sendError(request, reply, 'unknown-path');
    return sendError(request, reply.header('allow', allowed.join(', ')), 'wrong-method');
  };
}

/** Writes a line for each answer. */
function logAnswers(app: App, log: AppOptions['log']): void {
  app.addHook('onResponse', (request, reply, done) => {
    // It is the route and not the path, since a path can hold anything, a token too.
    const route = request.routeOptions.url ?? 'no route';
    log(`${request.id} ${request.method} ${route} ${reply.statusCode} ${Math.round(reply.elapsedTime)} ms`);
    done();
  });
}

/** Makes the whole service as a Fastify application. It listens nowhere, and the caller closes its stores. */
export function createApp(options: AppOptions): App {
  const { mock, log } = options;
  const refusalOfHostOrOrigin = createHostCheck(options.hosts);
  const translation = options.adapter && createTranslation(options.adapter);
  const cors = createCors({
    origins: options.hosts.origins ?? (() => []),
    description: options.adapter?.description,
    preflight: mock?.model.preflight,
  });
  const app = createServer(options, { refusalOfHostOrOrigin, cors }, translation);
  app.setSerializerCompiler(serializerCompiler);
  addJsonParser(app);
  if (translation) addFormParser(app);
  const refusePath = createPathRefusal(app, translation);

  // Before the laboratory: what goes wrong on purpose is the call, and not the question before it.
  app.addHook('onRequest', (request, reply, done) => {
    const isAsked = refusalOfHostOrOrigin(request.raw) === undefined;
    if (!isAsked || !cors.handlePreflight(request, reply.headers(mock ? securityHeaders : commonHeaders))) done();
  });
  options.plugin?.(app, options);
  translation?.register(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(mock ? securityHeaders : commonHeaders);
    const found = refusalOfHostOrOrigin(request.raw);
    // A page may ask a double what it asked the original: without a header of its own it cannot read the answer.
    const refusal = mock && found === 'foreign-origin' && request.method === 'GET' ? undefined : found;
    if (refusal !== undefined) sendError(request, reply, refusal);
    // This is done here and not in a handler, so that a body is not judged before the path is.
    // A double answers that, and a forged request, as its original does.
    else if (!mock && translation?.handleCsrf(request, reply)) return;
    else if (options.page?.answers(request, reply)) return;
    else if (request.is404) refusePath(request, reply);
    else if (!mock && translation?.isForged(request)) sendError(request, reply, 'forged');
    else done();
  });
  addErrorHandler(app, log);
  if (options.logRequests) logAnswers(app, log);

  app.register(
    async (scope) => {
      if (mock) mockRoutes(scope, { ...options, ...mock }, mock.model);
      else authRoutes(scope, options);
    },
    { prefix: mock ? '' : authPrefix },
  );
  // It tells of the addresses of our own interface.
  if (!mock && !translation) openApiRoute(app, options);
  healthRoute(app, options);
  return app;
}
