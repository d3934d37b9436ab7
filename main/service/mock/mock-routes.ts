import type { FastifyReply, FastifyRequest } from 'fastify';
import { operationPaths, operations } from '../../../preload/contract/names.ts';
import { errorCodeOrEmpty } from '../error-code-or-empty.ts';
import type { App } from '../route-dependencies.ts';
import { operationOf } from '../operations.ts';
import { sendInternalError } from '../responses.ts';
import { authPrefix } from '../routes/auth-routes.ts';
import { setCsrfCookie } from '../translate-response.ts';
import { isForgedRequest } from '../translate-request.ts';
import { sendMockResponse, withoutContentType } from './mock-responses.ts';
import { MockAccountCalls } from './mock-account-calls.ts';
import { createMockContext, type MockContext } from './mock-context.ts';
import { createMockLogin } from './mock-login.ts';
import { createMockRegistration } from './mock-registration.ts';
import { createMockRefresh } from './mock-refresh.ts';
import { MockSecondFactor } from './mock-second-factor.ts';
import { createMockSession } from './mock-session.ts';
import type { MockDependencies } from './mock-token-store.ts';
import type { MockOperation, MockDefinition } from './mock-definition.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Answers to a request without doing what it asks for. */
export type ErrorResponders = Record<
  'unauthenticated' | 'throttled' | 'failed',
  (request: FastifyRequest, reply: FastifyReply, waitSeconds: number) => void
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a route refuses where the service itself would answer in its own words. */
    refusals?: ErrorResponders;
  }
}

const requestedOperation = (request: FastifyRequest): MockOperation => operationOf(request) ?? 'other';

/** Answers a body that is too large as the original does. */
function answerTooLarge(scope: App, mock: MockContext): void {
  const outer = scope.errorHandler;
  scope.setErrorHandler((error, request, reply) => {
    if (errorCodeOrEmpty(error) === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return mock.respond(request, reply, requestedOperation(request), 'too-large');
    return outer.call(
      scope,
      error instanceof Error ? Object.assign(error, { code: errorCodeOrEmpty(error) ?? '' }) : new Error(String(error)),
      request,
      reply,
    );
  });
}

export function mockRoutes(scope: App, parts: MockDependencies, model: MockDefinition): void {
  const mock = createMockContext(model, parts);
  const bodyLimit = model.rules.bodyMostBytes.value;
  // A body that is no JSON is a scenario, so the bytes come as they are.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
  scope.addHook('onSend', (_request, reply, payload, done) => {
    // Fastify adds one to bytes.
    if (withoutContentType.has(reply)) reply.removeHeader('content-type');
    done(null, payload);
  });

  const { csrf } = mock.adapter.description;
  const isGuarded = model.rules.refusesForged?.value !== false;
  scope.addHook('onRequest', (request, reply, done) => {
    if (!isGuarded || !csrf || !isForgedRequest(request)) return done();
    const operation = operationOf(request) ?? 'login';
    const situation = request.headers[csrf.header.toLowerCase()] === undefined ? 'forged-missing' : 'forged-wrong';
    const measured = (['login', 'logout'] as const).find((each) => mock.answers.find(each, situation));
    mock.respond(request, reply, measured ?? operation, situation);
  });

  answerTooLarge(scope, mock);
  const refusals: ErrorResponders = {
    failed: (request, reply) => void sendInternalError(request, reply),
    throttled: (request, reply, waitSeconds) =>
      void mock.respond(request, reply, requestedOperation(request), 'throttled', { waitSeconds }),
    unauthenticated: (request, reply) =>
      void mock.respond(request, reply, requestedOperation(request), 'token-expired'),
  };
  const { accountRules } = model;
  const secondFactor = accountRules && new MockSecondFactor(mock, accountRules);
  const accountCalls = accountRules && secondFactor && new MockAccountCalls(mock, accountRules, secondFactor);
  const handlers = {
    registro: createMockRegistration(mock, 'registro'),
    register: createMockRegistration(mock, 'register'),
    login: createMockLogin(mock, secondFactor),
    ...createMockSession(mock),
  };
  for (const operation of operations) {
    const right = operation === 'profile' ? ['GET', 'HEAD'] : ['POST'];
    scope.route({
      method: [...methods],
      url: `${authPrefix}/${operationPaths[operation]}`,
      bodyLimit,
      config: { refusals, ...(operation === 'login' && { renew: createMockRefresh(mock) }) },
      handler: (request, reply) =>
        right.includes(request.method)
          ? handlers[operation](request, reply)
          : mock.respond(request, reply, operation, 'wrong-method'),
    });
  }
  scope.route({
    method: [...methods],
    url: '/*',
    bodyLimit,
    handler: async (request, reply) => {
      if (await accountCalls?.answer(request, reply)) return reply;
      const [path = ''] = request.originalUrl.split('?', 1);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (csrf && isRead && path === mock.adapter.csrfPath) {
        const token = setCsrfCookie(reply, mock.adapter.description);
        if (!mock.answers.measured('csrf', 'done')) return reply.code(204).send();
        return mock.respond(request, reply, 'csrf', 'done', { token });
      }
      const answer = mock.answers.otherPath(request.method, path);
      return sendMockResponse(request, reply, answer, 'unknown-path', mock.templateValuesFor(request));
    },
  });
}
