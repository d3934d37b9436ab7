import { textWorker, longText, type Job } from './text-worker.ts';
import type { ApiCall } from '../interface/list-calls.ts';
import { defaultInterface } from '../interface/shipped.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import type { Operation } from '../../preload/contract/names.ts';
import type { TransportCall, TransportRequest, TransportResponse } from './call.ts';
import {
  parseResponse,
  type ReceivedResponse,
  type Interpretation,
  type InterpretedResponse,
} from './parse-response.ts';
import { receivedHeaders } from './reading/headers.ts';
import type { TransportFailure } from './transport-failure.ts';
import type { SendOptions, Transport } from './transport.ts';

type ReadResult =
  | { ok: true; response: TransportResponse; call: TransportCall; understood: InterpretedResponse }
  | { ok: false; failure: TransportFailure; call: TransportCall };

/**
 * What is known of a server's answers beforehand. A place that a person pinned counts before that of the interface.
 */
export type InterpretContext = {
  adapter?: ApiAdapter | undefined;
  /** The call that it is the answer to, where that is another one than the operation it is read as. */
  call?: ApiCall | undefined;
  pinned?: ReceivedResponse['paths'];
  who?: ReceivedResponse['knownUsers'];
};

/** A longer one is not what a description compares with. */
const longestCompared = 65_536;

/**
 * Returns a response as the rules for reading take it.
 * @param url the address that was asked
 */
function answerOf(
  operation: Operation,
  response: TransportResponse,
  url: string,
  { adapter, call = operation, pinned, who: knownUsers }: InterpretContext,
): ReceivedResponse {
  const { status, rawHeaders, body } = response;
  const paths = adapter ? { ...adapter.outputPaths(call), ...pinned } : pinned;
  const cookie = adapter?.sessionCookieIn(rawHeaders);
  const unauthenticated = adapter?.isUnauthenticated(status, body.length > longestCompared ? '' : body);
  const isLoginSuccess = adapter?.isLoginSuccess(call, response, url);
  // Llavero's own interface has an answer for that.
  const isLogoutSuccess =
    adapter && adapter.description !== defaultInterface && adapter.isLogoutSuccess(call, response, url);
  return {
    status,
    headers: receivedHeaders(rawHeaders),
    body,
    url,
    paths,
    ...(cookie?.isOnly && { cookie: cookie.value ?? null }),
    ...(cookie?.isOnly === false && cookie.value !== undefined && { fallbackCookie: cookie.value }),
    ...(knownUsers && { knownUsers }),
    ...(adapter && { fieldsByMember: adapter.fieldsByMember(operation) }),
    ...(unauthenticated && { unauthenticated }),
    ...(isLoginSuccess !== undefined && { isLoginSuccess }),
    ...(isLogoutSuccess && { isLogoutSuccess }),
  };
}

/** The rules for reading, for the other thread. */
export const readingJob: Job<{ operation: Operation; answer: ReceivedResponse }, Interpretation> = {
  name: 'reading',
  work: ({ operation, answer }) => parseResponse(operation, answer),
};

/** Reads a whole response as the answer to an operation, on the thread that asks. */
export function interpret(
  operation: Operation,
  response: TransportResponse,
  url: string,
  known: InterpretContext,
): InterpretedResponse {
  const answer = answerOf(operation, response, url, known);
  return { operation, response: answer, interpretation: parseResponse(operation, answer) };
}

/**
 * Sends a request and reads its answer once, as one to `operation`. The reading goes along with the call, so that what
 * records the call has it too.
 */
export async function sendAndInterpret(
  transport: Pick<Transport, 'send'>,
  request: TransportRequest,
  operation: Operation,
  known: InterpretContext,
  options: Omit<SendOptions, 'interpret'> = {},
): Promise<ReadResult> {
  const result = await transport.send(request, {
    ...options,
    async interpret(response) {
      const requestedOperation = known.adapter?.operationOf(request.method, request.url);
      const isShort = Math.max(response.body.length, response.bodyBytes.length) <= longText;
      if (isShort) return { ...interpret(operation, response, request.url, known), requestedOperation };
      const answer = answerOf(operation, response, request.url, known);
      const interpretation = await textWorker.run(readingJob, { operation, answer }, options.signal);
      return (
        interpretation && {
          operation,
          response: answer,
          interpretation,
          requestedOperation,
        }
      );
    },
  });
  if (!result.ok) return result;
  const { interpreted } = result.call;
  if (!interpreted) throw new Error('the transport did not read a whole answer');
  return { ...result, understood: interpreted };
}
