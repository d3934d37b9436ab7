import { STATUS_CODES, type ServerResponse } from 'node:http';
import { errorCodeOrEmpty } from './error-code-or-empty.ts';
import { messages, type ErrorKind } from './messages.ts';
import type { App } from './route-dependencies.ts';
import { commonHeaders, sendError, sendInternalError, sendServiceUnavailable, statusByErrorKind } from './responses.ts';

/** The seconds in `Retry-After` while the database is unavailable: about the time of its restart. */
const STORE_RETRY_SECONDS = 5;

/** Errors of Fastify and Node before a route runs. Any other with a 4xx status is malformed HTTP. */
const errorKindByCode: Partial<Record<string, ErrorKind>> = {
  FST_ERR_BAD_URL: 'bad-path',
  FST_ERR_MAX_PARAM_LENGTH: 'path-too-long',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'not-json',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too-slow',
  LLAVERO_UTF8: 'not-utf-8',
  LLAVERO_JSON: 'json-malformed',
  LLAVERO_ANSWER_TOO_LARGE: 'answer-too-large',
  LLAVERO_ENCODING: 'encoded',
};

export const errorKindOf = (error: unknown): ErrorKind | undefined => errorKindByCode[errorCodeOrEmpty(error)];

const isClientError = (error: unknown): boolean =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  error.statusCode >= 400 &&
  error.statusCode < 500;

/** A complete response for a connection without a valid request, whose language is unknown. */
export function rawErrorResponse(kind: ErrorKind): string {
  const status = statusByErrorKind[kind];
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

/** Answers what Node emits outside of requests and would close without a response. */
export function handleUnroutedRequests(app: App): void {
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    response.socket?.end(rawErrorResponse('expectation-unknown'));
  });
  // Nothing is tunnelled.
  app.server.on('connect', (_request, socket) => socket.end(rawErrorResponse('bad-request')));
}

/** Answers whatever is thrown. What is not the client's fault is logged with the request's id. */
export function addErrorHandler(app: App, log: (line: string) => void): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = errorKindOf(error) ?? (isClientError(error) ? 'bad-request' : undefined);
    if (refusal !== undefined) return sendError(request, reply, refusal);
    if (errorCodeOrEmpty(error) === 'LLAVERO_STORE_UNAVAILABLE') {
      log(`Request ${request.id} was refused for now: ${error instanceof Error ? error.message : ''}`);
      return sendServiceUnavailable(request, reply, 'store-unavailable', STORE_RETRY_SECONDS);
    }
    log(`Request ${request.id} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return sendInternalError(request, reply);
  });
}
