import { textWorker, longText, type Job } from './text-worker.ts';
import { defaultInterface } from '../interface/shipped.ts';
import type { AnyCall, ApiAdapter } from '../interface/api-adapter.ts';
import type { Operation } from '../../preload/contract/names.ts';
import { responseSecrets } from '../interface/response-secrets.ts';
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

export type InterpretedResult =
  | { ok: true; response: TransportResponse; call: TransportCall; understood: InterpretedResponse }
  | { ok: false; failure: TransportFailure; call: TransportCall };

/** How to interpret the responses of a server. A path that the user pinned takes precedence over that of the API. */
export type InterpretContext = {
  adapter?: ApiAdapter | undefined;
  /** The call of the response, if it is another one than the operation that it is interpreted as. */
  call?: AnyCall | undefined;
  pinned?: ReceivedResponse['paths'];
  who?: ReceivedResponse['knownUsers'];
};

/** In characters. No longer body is compared with a description. */
const maxComparedBody = 65_536;

/** The input of {@link parseResponse}, with what the API of the server says about the response. */
function receivedResponse(
  operation: Operation,
  response: TransportResponse,
  url: string,
  { adapter, call = operation, pinned, who: knownUsers }: InterpretContext,
): ReceivedResponse {
  const { status, rawHeaders, body } = response;
  const paths = adapter ? { ...adapter.outputPaths(call), ...pinned } : pinned;
  const cookie = adapter?.sessionCookieIn(rawHeaders);
  const unauthenticated = adapter?.isUnauthenticated(status, body.length > maxComparedBody ? '' : body);
  const isLoginSuccess = adapter?.isLoginSuccess(call, response, url);
  // The default API has a response for a logout.
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

/** {@link parseResponse}, on the worker thread. */
export const interpretationJob: Job<{ operation: Operation; response: ReceivedResponse }, Interpretation> = {
  name: 'interpretation',
  work: ({ operation, response }) => parseResponse(operation, response),
};

/** Interprets a whole response on the calling thread. */
export function interpret(
  operation: Operation,
  response: TransportResponse,
  url: string,
  context: InterpretContext,
): InterpretedResponse {
  const received = receivedResponse(operation, response, url, context);
  return { operation, response: received, interpretation: parseResponse(operation, received) };
}

/** Sends a request and interprets its response once, as one to `operation`. The recorder reuses the interpretation. */
export async function sendAndInterpret(
  transport: Pick<Transport, 'send'>,
  request: TransportRequest,
  operation: Operation,
  context: InterpretContext,
  options: Omit<SendOptions, 'interpret'> = {},
): Promise<InterpretedResult> {
  const result = await transport.send(request, {
    ...options,
    async interpret(response) {
      const requestedOperation = context.adapter?.operationOf(request.method, request.url);
      const secrets = context.adapter ? responseSecrets(context.adapter, context.call ?? operation, response) : [];
      const more = { requestedOperation, ...(secrets.length > 0 && { secrets }) };
      const isShort = Math.max(response.body.length, response.bodyBytes.length) <= longText;
      if (isShort) return { ...interpret(operation, response, request.url, context), ...more };
      const received = receivedResponse(operation, response, request.url, context);
      const input = { operation, response: received };
      const interpretation = await textWorker.run(interpretationJob, input, options.signal);
      return interpretation && { ...input, interpretation, ...more };
    },
  });
  if (!result.ok) return result;
  const { interpreted } = result.call;
  if (!interpreted) throw new Error('the transport did not interpret a whole response');
  return { ...result, understood: interpreted };
}
