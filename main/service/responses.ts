import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLanguage } from './language.ts';
import type { FieldErrors } from './schemas.ts';
import { fields, messages, type BodyField, type ServiceLanguage, type ErrorKind } from './messages.ts';

export const statusByErrorKind: Record<ErrorKind, number> = {
  'bad-request': 400,
  'bad-path': 400,
  'host-missing': 400,
  'not-utf-8': 400,
  'json-malformed': 400,
  unauthenticated: 401,
  'wrong-credentials': 401,
  'pending-login-ended': 401,
  'foreign-origin': 403,
  'second-factor-required': 403,
  forged: 403,
  'unknown-path': 404,
  'wrong-method': 405,
  'too-slow': 408,
  'body-too-large': 413,
  'factor-active': 409,
  'path-too-long': 414,
  'not-json': 415,
  'not-a-form': 415,
  encoded: 415,
  'expectation-unknown': 417,
  'host-foreign': 421,
  'not-an-object': 422,
  'headers-too-large': 431,
  failure: 500,
  'answer-too-large': 500,
  busy: 503,
  'store-unavailable': 503,
};

/** On every response, also of a mock: no other media type is guessed, and a page runs and loads nothing. */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
} as const;

/** On every response of the service itself. */
export const commonHeaders = { 'cache-control': 'no-store', ...securityHeaders } as const;

export const messagesFor = (request: FastifyRequest): (typeof messages)[ServiceLanguage] =>
  messages[requestLanguage(request)];

export const requestLanguage = (request: FastifyRequest): ServiceLanguage =>
  chooseLanguage(request.headers['accept-language']);

/** Every 401 names its scheme (RFC 9110 section 15.5.2). */
export function sendError(request: FastifyRequest, reply: FastifyReply, kind: ErrorKind): FastifyReply {
  return sendErrorWith(request, reply, kind, {});
}

/** The same with further members. */
export function sendErrorWith(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: ErrorKind,
  members: Record<string, unknown>,
): FastifyReply {
  const status = statusByErrorKind[kind];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(status).send({ message: messagesFor(request).refusals[kind], ...members });
}

/** 500, with the id of the request in the log. */
export function sendInternalError(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(500).send({ message: messagesFor(request).refusals.failure, request_id: request.id });
}

/** 429 with the time to wait, in the header (RFC 9110 section 10.2.3) and the message. */
export function sendTooManyRequests(
  request: FastifyRequest,
  reply: FastifyReply,
  retryAfterSeconds: number,
): FastifyReply {
  return reply
    .code(429)
    .header('retry-after', retryAfterSeconds)
    .send({ message: messagesFor(request).throttled(retryAfterSeconds) });
}

/** 503 with the time to wait (RFC 9110 section 15.6.4). */
export function sendServiceUnavailable(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: 'busy' | 'store-unavailable',
  retryAfterSeconds: number,
): FastifyReply {
  return sendError(request, reply.header('retry-after', retryAfterSeconds), kind);
}

/** 422 in Laravel's format: every invalid field, and a message of the first text and a count of the others. */
export function sendValidationErrors(
  request: FastifyRequest,
  reply: FastifyReply,
  problems: FieldErrors,
): FastifyReply {
  const texts = messagesFor(request);
  const errors: Partial<Record<BodyField, string[]>> = {};
  // In the order of the form, whatever the order of the checks.
  for (const field of fields) {
    const rules = problems[field];
    if (rules) errors[field] = rules.map((rule) => texts.rule(rule, field));
  }
  const [first = '', ...others] = Object.values(errors).flat();
  const message = others.length === 0 ? first : first + texts.moreErrors(others.length);
  return reply.code(422).send({ message, errors });
}
