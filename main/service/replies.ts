import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLanguage } from './language.ts';
import type { Problems } from './schemas.ts';
import { fields, messages, type Field, type Language, type RefusalKind } from './messages.ts';

export const statusOf: Record<RefusalKind, number> = {
  'bad-request': 400,
  'bad-path': 400,
  'host-missing': 400,
  'not-utf-8': 400,
  'json-malformed': 400,
  unauthenticated: 401,
  'wrong-credentials': 401,
  'foreign-origin': 403,
  forged: 403,
  'unknown-path': 404,
  'wrong-method': 405,
  'too-slow': 408,
  'body-too-large': 413,
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

/** These are on every answer, those of a double included: it is what its type says, and as a page it runs and loads nothing. */
export const safeHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
} as const;

/** These are on every answer of the service: what it says is for its receiver alone. */
export const commonHeaders = { 'cache-control': 'no-store', ...safeHeaders } as const;

export const textsFor = (request: FastifyRequest): (typeof messages)[Language] => messages[languageOf(request)];

/** Returns the language that an answer is in. */
export const languageOf = (request: FastifyRequest): Language => chooseLanguage(request.headers['accept-language']);

/** Answers with the status and text of a refusal. Every 401 names its scheme (RFC 9110 section 15.5.2). */
export function refuse(request: FastifyRequest, reply: FastifyReply, kind: RefusalKind): FastifyReply {
  const status = statusOf[kind];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(status).send({ message: textsFor(request).refusals[kind] });
}

/** Answers 500 for a fault of ours, with the id by which it is found in the log. */
export function refuseFailure(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(500).send({ message: textsFor(request).refusals.failure, request_id: request.id });
}

/** Answers 429 with the time to wait, in the header (RFC 9110 section 10.2.3) and in words. */
export function refuseThrottled(request: FastifyRequest, reply: FastifyReply, retryAfterSeconds: number): FastifyReply {
  return reply
    .code(429)
    .header('retry-after', retryAfterSeconds)
    .send({ message: textsFor(request).throttled(retryAfterSeconds) });
}

/** Answers 503 with the time to wait (RFC 9110 section 15.6.4), since nothing is wrong with the request. */
export function refuseForNow(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: 'busy' | 'store-unavailable',
  retryAfterSeconds: number,
): FastifyReply {
  return refuse(request, reply.header('retry-after', retryAfterSeconds), kind);
}

/** Answers 422 in Laravel's shape: every failing field, and a message of the first text and a count of the others. */
export function refuseFields(request: FastifyRequest, reply: FastifyReply, problems: Problems): FastifyReply {
  const texts = textsFor(request);
  const errors: Partial<Record<Field, string[]>> = {};
  // The fields are in the order of the form, whatever the order of the checks.
  for (const field of fields) {
    const rules = problems[field];
    if (rules) errors[field] = rules.map((rule) => texts.rule(rule, field));
  }
  const [first = '', ...others] = Object.values(errors).flat();
  const message = others.length === 0 ? first : first + texts.moreErrors(others.length);
  return reply.code(422).send({ message, errors });
}
