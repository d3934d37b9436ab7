import { aside, type Job } from '../aside/aside.ts';
import type { Operation } from './base-url.ts';
import type { Call, TransportRequest, TransportResponse } from './call.ts';
import { readAnswer, type Answer, type Reading, type Understood } from './read-answer.ts';
import { receivedHeaders } from './reading/headers.ts';
import { isLongAnswer } from './too-hard.ts';
import type { TransportFailure } from './transport-failure.ts';
import type { SendOptions, Transport } from './transport.ts';

type ReadResult =
  | { ok: true; response: TransportResponse; call: Call; understood: Understood }
  | { ok: false; failure: TransportFailure; call: Call };

/**
 * Returns a response as the rules for reading take it.
 * @param url the address that was asked
 * @param paths the places that a person pinned for the server's answers
 */
function answerOf({ status, rawHeaders, body }: TransportResponse, url: string, paths: Answer['paths']): Answer {
  return { status, headers: receivedHeaders(rawHeaders), body, url, paths };
}

/** The rules for reading, for the other thread. */
export const readingJob: Job<{ operation: Operation; answer: Answer }, Reading> = {
  name: 'reading',
  work: ({ operation, answer }) => readAnswer(operation, answer),
};

/** Reads a whole response as the answer to an operation, on the thread that asks. */
export function understand(
  operation: Operation,
  response: TransportResponse,
  url: string,
  paths: Answer['paths'],
): Understood {
  const answer = answerOf(response, url, paths);
  return { operation, answer, reading: readAnswer(operation, answer) };
}

/**
 * Sends a request and reads its answer once, as one to `operation`. The reading goes along with the call, so that what
 * records the call has it too.
 */
export async function sendAndRead(
  transport: Pick<Transport, 'send'>,
  request: TransportRequest,
  operation: Operation,
  paths: Answer['paths'],
  options: Omit<SendOptions, 'understand'> = {},
): Promise<ReadResult> {
  const result = await transport.send(request, {
    ...options,
    async understand(response) {
      if (!isLongAnswer(response)) return understand(operation, response, request.url, paths);
      const answer = answerOf(response, request.url, paths);
      const read = await aside.run(readingJob, { operation, answer }, options.signal);
      return read.ok ? { operation, answer, reading: read.value } : undefined;
    },
  });
  if (!result.ok) return result;
  const { understood } = result.call;
  if (!understood) throw new Error('the transport did not read a whole answer');
  return { ...result, understood };
}
