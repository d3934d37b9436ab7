import type { AppError } from '../../preload/contract/result.ts';
import type { Call } from './call.ts';

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
 * The error of a registration, with a mark where it may have made the account all the same: it was written, and no
 * answer that was read says no. What did not arrive for certain has no mark, such as a name that was not found.
 */
export function markIfPerhapsDone(error: AppError, { request, response }: Call): AppError {
  const status = response?.status ?? 0;
  if (request.head.source !== 'as-written' || (status >= 400 && status < 500)) return error;
  const marked = { ...error, perhapsDone: true } as const;
  switch (marked.kind) {
    case 'cancelled':
    case 'broken-http':
      return marked;
    case 'timeout':
      return marked.phase === 'connect' ? error : marked;
    case 'not-an-api-answer':
      return byOthers.has(marked.reason) ? error : marked;
    case 'server-fault':
      return marked.duplicate ? error : marked;
    case 'unexpected':
      return notDone.has(marked.reason) ? error : marked;
    default:
      return error;
  }
}
