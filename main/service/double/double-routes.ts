import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeOf } from '../error-code.ts';
import type { App, Parts, Refusals } from '../parts.ts';
import { operationOf, operations } from '../operations.ts';
import { refuseFailure } from '../replies.ts';
import { createAnswers, giveAnswer, untyped } from './answers.ts';
import { createDoubleLogin } from './double-login.ts';
import { createDoubleRegistration } from './double-registration.ts';
import { createDoubleSession } from './double-session.ts';
import { limitsOfDouble } from './limits-of-double.ts';
import { alphabets, type ModelOperation, type ServerModel, type Situation } from './model.ts';
import type { Filling } from './say.ts';
import { createTokens } from './tokens.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** What one request of a double is answered with. */
export type Double = ReturnType<typeof createDouble>;

const random: Filling['random'] = (of, count) => {
  const signs = alphabets[of];
  // Bytes above the last whole multiple would make the first signs likelier.
  const most = 256 - (256 % signs.length);
  let text = '';
  while (text.length < count)
    for (const byte of randomBytes(count - text.length)) if (byte < most) text += signs[byte % signs.length] ?? '';
  return text;
};

/** In a longer body a number that JavaScript does not hold changes: keeping its digits takes fifty times as long as reading it. */
const longestWithDigits = 16_384;

/** Reads JSON of which a number comes back in an answer with the digits that it was sent with. */
const parseKeepingDigits = (text: string): unknown =>
  text.length > longestWithDigits
    ? JSON.parse(text)
    : JSON.parse(text, (_name, value, { source }) =>
        typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
      );

/** A body that cannot be read says why. */
type ReadBody = { ok: true; body: Record<string, unknown> } | { ok: false; situation: Situation };

function createDouble(model: ServerModel, parts: Parts) {
  const answers = createAnswers(model);
  const tokens = createTokens(model.token, model.rules, parts, random);
  const fillingOf = (request: FastifyRequest, more: Partial<Filling> = {}): Filling => ({
    nowMs: parts.now(),
    path: request.url.split('?', 1)[0] ?? '',
    method: request.method,
    lifetimeSeconds: tokens.lifetimeSeconds,
    random,
    ...more,
  });

  return {
    model,
    parts,
    answers,
    tokens,
    limits: limitsOfDouble(model),

    /** Answers with what was learned of a situation. */
    give(
      request: FastifyRequest,
      reply: FastifyReply,
      operation: ModelOperation,
      situation: Situation,
      more: Partial<Filling> = {},
    ): FastifyReply {
      return giveAnswer(request, reply, answers.find(operation, situation), situation, fillingOf(request, more));
    },

    fillingOf,

    /** Reads the body, which is bytes as they came. Most servers find no fields in JSON that is no object. */
    read(request: FastifyRequest, operation: ModelOperation): ReadBody {
      const { body } = request;
      if (!Buffer.isBuffer(body) || body.length === 0) return { ok: true, body: {} };
      let parsed: unknown;
      try {
        parsed = parseKeepingDigits(new TextDecoder('utf-8', { fatal: true }).decode(body));
      } catch {
        return { ok: false, situation: 'not-json' };
      }
      const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
      if (!isObject && answers.measured(operation, 'not-object')) return { ok: false, situation: 'not-object' };
      return { ok: true, body: isObject ? Object.fromEntries(Object.entries(parsed ?? {})) : {} };
    },
  };
}

/** Makes the routes of a double: every path of the model, and what it answers elsewhere. */
export function doubleRoutes(scope: App, parts: Parts, model: ServerModel): Refusals {
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
      url: `/api/v1/auth/${operation}`,
      bodyLimit,
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
      const [path = ''] = request.url.split('?', 1);
      const answer = double.answers.otherPath(request.method, path);
      return giveAnswer(request, reply, answer, 'unknown-path', double.fillingOf(request));
    },
  });
  return {
    failed: (request, reply) => void refuseFailure(request, reply),
    throttled: (request, reply, waitSeconds) =>
      void double.give(request, reply, askedOf(request), 'throttled', { waitSeconds }),
    unauthenticated: (request, reply) => void double.give(request, reply, askedOf(request), 'token-expired'),
  };
}
