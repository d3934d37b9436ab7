import type { AppError } from '../../preload/contract/result.ts';
import type { TransportCall } from './call.ts';

/** Answers of others, which have not handed the request on. */
const byOthers: ReadonlySet<string> = new Set([
  'captive-portal',
  'protection-page',
  'redirect-to-https',
  'redirect-slash',
]);

/** What says that the server has no such operation, or that nothing was sent. */
const notDone: ReadonlySet<string> = new Set(['operation-missing', 'unsendable']);

/**
 * The error of what can be done once, with a mark where it may be done all the same, such as an account that was made or
 * keys that were renewed: it was written, and no answer that was read says no. What did not arrive for certain has no
 * mark, such as a name that was not found.
 */
export function markOutcomeUnknown(error: AppError, { request, response }: TransportCall): AppError {
  const status = response?.status ?? 0;
  if (request.head.source !== 'as-written' || (status >= 400 && status < 500)) return error;
  if (error.kind === 'cancelled' || error.kind === 'broken-http' || error.kind === 'timeout')
    return { ...error, perhapsDone: true };
  if (error.kind === 'not-an-api-answer' && !byOthers.has(error.reason)) return { ...error, perhapsDone: true };
  if (error.kind === 'unexpected' && !notDone.has(error.reason)) return { ...error, perhapsDone: true };
  return error.kind === 'server-fault' && !error.duplicate ? { ...error, perhapsDone: true } : error;
}
