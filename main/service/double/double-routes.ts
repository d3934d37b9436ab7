import type { FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../../../preload/contract/names.ts';
import { codeOf } from '../error-code.ts';
import type { App } from '../parts.ts';
import { operationOf } from '../operations.ts';
import { refuseFailure } from '../replies.ts';
import { authPrefix } from '../routes/auth-routes.ts';
import { giveCsrf } from '../translate-answer.ts';
import { isForgedRequest } from '../translate-request.ts';
import { giveAnswer, untyped } from './answers.ts';
import { createDouble } from './double.ts';
import { createDoubleLogin } from './double-login.ts';
import { createDoubleRegistration } from './double-registration.ts';
import { createDoubleRenewal } from './double-renewal.ts';
import { createDoubleSession } from './double-session.ts';
import type { DoubleParts } from './double-tokens.ts';
import type { ModelOperation, ServerModel } from './model.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Answers to a request without doing what it asks for. */
export type Refusals = Record<
  'unauthenticated' | 'throttled' | 'failed',
  (request: FastifyRequest, reply: FastifyReply, waitSeconds: number) => void
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a route refuses where the service itself would answer in its own words. */
    refusals?: Refusals;
  }
}

/** Makes the routes of a double: every path of the model, and what it answers elsewhere. */
export function doubleRoutes(scope: App, parts: DoubleParts, model: ServerModel): void {
  const double = createDouble(model, parts);
  const bodyLimit = model.rules.bodyMostBytes.value;
  // What is no JSON is a situation of the model, so the bytes come as they are.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
  scope.addHook('onSend', (_request, reply, payload, done) => {
    // Fastify gives one to bytes.
    if (untyped.has(reply)) reply.removeHeader('content-type');
    done(null, payload);
  });

  const { csrf } = double.wire.description;
  const isGuarded = model.rules.refusesForged?.value !== false;
  scope.addHook('onRequest', (request, reply, done) => {
    if (!isGuarded || !csrf || !isForgedRequest(request)) return done();
    const operation = operationOf(request) ?? 'login';
    const situation = request.headers[csrf.header.toLowerCase()] === undefined ? 'forged-missing' : 'forged-wrong';
    const measured = (['login', 'salir'] as const).find((each) => double.answers.find(each, situation));
    double.give(request, reply, measured ?? operation, situation);
  });

  const askedOf = (request: FastifyRequest): ModelOperation => operationOf(request) ?? 'other';

  const outer = scope.errorHandler;
  scope.setErrorHandler((error, request, reply) => {
    if (codeOf(error) === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return double.give(request, reply, askedOf(request), 'too-large');
    return outer.call(
      scope,
      error instanceof Error ? Object.assign(error, { code: codeOf(error) ?? '' }) : new Error(String(error)),
      request,
      reply,
    );
  });

  const refusals: Refusals = {
    failed: (request, reply) => void refuseFailure(request, reply),
    throttled: (request, reply, waitSeconds) =>
      void double.give(request, reply, askedOf(request), 'throttled', { waitSeconds }),
    unauthenticated: (request, reply) => void double.give(request, reply, askedOf(request), 'token-expired'),
  };
  const handlers = {
    registro: createDoubleRegistration(double, 'registro'),
    register: createDoubleRegistration(double, 'register'),
    login: createDoubleLogin(double),
    ...createDoubleSession(double),
  };
  for (const operation of operations) {
    const right = operation === 'perfil' ? ['GET', 'HEAD'] : ['POST'];
    scope.route({
      method: [...methods],
      url: `${authPrefix}/${operation}`,
      bodyLimit,
      config: { refusals, ...(operation === 'login' && { renew: createDoubleRenewal(double) }) },
      handler: (request, reply) =>
        right.includes(request.method)
          ? handlers[operation](request, reply)
          : double.give(request, reply, operation, 'wrong-method'),
    });
  }
  scope.route({
    method: [...methods],
    url: '/*',
    bodyLimit,
    handler: (request, reply) => {
      const [path = ''] = request.originalUrl.split('?', 1);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (csrf && isRead && path === double.wire.csrfPath) {
        const token = giveCsrf(reply, double.wire.description);
        if (!double.answers.measured('csrf', 'done')) return reply.code(204).send();
        return double.give(request, reply, 'csrf', 'done', { token });
      }
      const answer = double.answers.otherPath(request.method, path);
      return giveAnswer(request, reply, answer, 'unknown-path', double.fillingOf(request));
    },
  });
}
