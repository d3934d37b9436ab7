import { STATUS_CODES, type ServerResponse } from 'node:http';
import { errorCodeOrEmpty } from './error-code-or-empty.ts';
import { messages, type ErrorKind } from './messages.ts';
import type { App } from './route-dependencies.ts';
import { commonHeaders, sendError, sendInternalError, sendServiceUnavailable, statusByErrorKind } from './responses.ts';

/** The seconds in `Retry-After` when the database does not answer: about what a restart of it takes. */
const STORE_RETRY_SECONDS = 5;

/** Fastify and Node find these before our code runs. Any other with a 4xx status is a request that is no good HTTP. */
const refusalOfCode: Partial<Record<string, ErrorKind>> = {
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

/** Returns why a request was refused before a route ran, by its error. */
export const errorKindOf = (error: unknown): ErrorKind | undefined => refusalOfCode[errorCodeOrEmpty(error)];

const isClientError = (error: unknown): boolean =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  error.statusCode >= 400 &&
  error.statusCode < 500;

/** Writes an answer in full, for a connection whose request never became one. Its language is not known. */
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

/** Answers what Node hands over outside of requests and would otherwise end without a word. */
export function handleUnroutedRequests(app: App): void {
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    response.socket?.end(rawErrorResponse('expectation-unknown'));
  });
  // Nothing is tunnelled.
  app.server.on('connect', (_request, socket) => socket.end(rawErrorResponse('bad-request')));
}

/** Turns whatever is thrown into an answer. What is no fault of the client is logged, and told by the request's id. */
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
