import type { AppError } from '../../preload/contract/result.ts';
import type { TransportCall } from './call.ts';

/** Responses of intermediaries, which did not forward the request. */
const byIntermediary: ReadonlySet<string> = new Set([
  'captive-portal',
  'protection-page',
  'redirect-to-https',
  'redirect-slash',
]);

/** The server has no such operation, or nothing was sent. */
const notDone: ReadonlySet<string> = new Set(['operation-missing', 'unsendable']);

/**
 * The error of a registration, a renewal, a changed password or a deletion, marked if it may be done all the same: the
 * request was sent, and no response refused it. Not marked if it cannot have arrived, such as after a DNS error.
 */
export function markOutcomeUnknown(error: AppError, { request, response }: TransportCall): AppError {
  const status = response?.status ?? 0;
  if (request.head.source !== 'as-written' || (status >= 400 && status < 500)) return error;
  if (error.kind === 'cancelled' || error.kind === 'broken-http' || error.kind === 'timeout')
    return { ...error, perhapsDone: true };
  if (error.kind === 'not-an-api-answer' && !byIntermediary.has(error.reason)) return { ...error, perhapsDone: true };
  if (error.kind === 'unexpected' && !notDone.has(error.reason)) return { ...error, perhapsDone: true };
  return error.kind === 'server-fault' && !error.duplicate ? { ...error, perhapsDone: true } : error;
}
