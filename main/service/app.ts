import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify';
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

/** In milliseconds. */
export type Timeouts = {
  /** From the connection, or from the last response, to the end of the headers. */
  headersMs: number;
  /** From the same instant to the end of the body. */
  requestMs: number;
  /** Between two requests on one connection. */
  keepAliveMs: number;
  /** How often the first two are checked, also without connections: each check wakes the computer. */
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
  /** One line per response, with the request's id and nothing that a client chose. */
  logRequests?: boolean | undefined;
  /** Registered before the hooks of the translation and of the routes, which know nothing of it. */
  plugin?: ServicePlugin | undefined;
  /** The mock that is served, and its tokens. */
  mock?: ({ model: MockDefinition } & Omit<MockDependencies, keyof RouteDependencies>) | undefined;
  /** Another API type than the default one. */
  adapter?: ApiAdapter | undefined;
  /** The page at `/`, for a service that only this computer reaches. */
  page?: StatusPage | undefined;
};

/** A plugin of the service, which is not encapsulated: its hooks are for all routes. */
export type ServicePlugin = FastifyPluginAsync<RouteDependencies, RawServerDefault, ZodTypeProvider>;

type HostCheck = ReturnType<typeof createHostCheck>;

/** A Fastify with our limits and our error responses. */
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
    // Node's own response to a missing Host header has no body.
    requireHostHeader: false,
  };
  const app: App = Fastify({
    bodyLimit: MOST_BODY_BYTES,
    genReqId: () => `${bootId}-${(++requestCount).toString(36)}`,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // A request on an open connection while closing is answered, and the connection ended.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    ...(translation && { rewriteUrl: translation.rewriteUrl }),
    ...(tls ? { https: { ...tls, ...server } } : { http: server }),
    clientErrorHandler(error, socket) {
      // Already answered.
      if (ended.has(socket)) return;
      ended.add(socket);
      if (socket.writable) socket.end(rawErrorResponse(errorKindOf(error) ?? 'bad-request'));
      else socket.destroy();
    },
    // Raised by the router, so no hook has run.
    frameworkErrors: (error, request, reply) => {
      cors.addHeaders(request, reply.headers(commonHeaders));
      const isOver = ended.has(request.raw.socket);
      // Its chunks are not parsed yet.
      if (request.raw.headers['transfer-encoding'] !== undefined) {
        ended.add(request.raw.socket);
        reply.header('connection', 'close');
      }
      if (isOver) reply.hijack();
      else sendError(request, reply, refusalOfHostOrOrigin(request.raw) ?? errorKindOf(error) ?? 'bad-request');
    },
  }).withTypeProvider<ZodTypeProvider>();
  handleUnroutedRequests(app);
  // First, since without these headers a page cannot read an error response.
  app.addHook('onRequest', (request, reply, done) => {
    cors.addHeaders(request, reply);
    done();
  });
  rejectAmbiguousFraming(app, ended);
  return app;
}

/** 405 with the methods of the path, or 404. Called before the routes are added, since it collects them. */
function createPathRefusal(
  app: App,
  translation: Translation | undefined,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  // Not by asking the router, which would read a client's path as a pattern.
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

function logResponses(app: App, log: AppOptions['log']): void {
  app.addHook('onResponse', (request, reply, done) => {
    // The route and not the path, which can contain anything, such as a token.
    const route = request.routeOptions.url ?? 'no route';
    log(`${request.id} ${request.method} ${route} ${reply.statusCode} ${Math.round(reply.elapsedTime)} ms`);
    done();
  });
}

/** The whole service, not listening yet. The caller closes its stores. */
export async function createApp(options: AppOptions): Promise<App> {
  const { mock, log } = options;
  const refusalOfHostOrOrigin = createHostCheck(options.hosts);
  const servesAccountCalls = mock?.model.accountRules !== undefined;
  const translation = options.adapter && createTranslation(options.adapter, { servesAccountCalls });
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

  // Before the plugin, which simulates faults of calls and not of their preflights.
  app.addHook('onRequest', (request, reply, done) => {
    const isAccepted = refusalOfHostOrOrigin(request.raw) === undefined;
    if (!isAccepted || !cors.handlePreflight(request, reply.headers(mock ? securityHeaders : commonHeaders))) done();
  });
  if (options.plugin) await app.register(options.plugin, options);
  translation?.register(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(mock ? securityHeaders : commonHeaders);
    const found = refusalOfHostOrOrigin(request.raw);
    // A page may send a mock server the GETs that it sent the original: without CORS headers it cannot read the response.
    const refusal = mock && found === 'foreign-origin' && request.method === 'GET' ? undefined : found;
    if (refusal !== undefined) sendError(request, reply, refusal);
    // In a hook and not in a handler, so that the path is checked before the body.
    // A mock server answers this and a forged request as its original does.
    else if (!mock && translation?.handleCsrf(request, reply)) return;
    else if (options.page?.answers(request, reply)) return;
    else if (request.is404) refusePath(request, reply);
    else if (!mock && translation?.isForged(request)) sendError(request, reply, 'forged');
    else done();
  });
  addErrorHandler(app, log);
  if (options.logRequests) logResponses(app, log);

  app.register(
    async (scope) => {
      if (mock) mockRoutes(scope, { ...options, ...mock }, mock.model);
      else authRoutes(scope, options);
    },
    { prefix: mock ? '' : authPrefix },
  );
  // It describes the default API.
  if (!mock && !translation) openApiRoute(app, options);
  healthRoute(app, options);
  return app;
}
