import type { CaseId } from '../../preload/contract/report-cases.ts';
import type { Operation } from '../../preload/contract/names.ts';
import type { Observation, TestRequestOptions } from './observation.ts';

/** A call of a case. */
export type TestRequest = TestRequestOptions & {
  /** The operation that its answer is read for. It also says where the call goes if `path` says nothing else. */
  operation: Operation;
  /** Whether no answer is an answer, too. */
  mayFail?: boolean;
  /** Whether being throttled is what is looked for. */
  mayBeThrottled?: boolean;
};

/** Says whether nothing listens. */
export const isConnectionRefused = ({ failed }: Observation): boolean =>
  failed?.kind === 'no-answer' && failed.error.kind === 'refused';

/** Says whether the connection was lost before the answer, as where the process behind it ends. */
export const isConnectionLost = (seen: Observation): boolean =>
  seen.failed?.kind === 'no-answer' &&
  ((seen.failed.error.kind === 'unexpected' && seen.failed.error.reason === 'connection-lost') ||
    (seen.failed.error.kind === 'not-an-api-answer' && seen.failed.error.reason === 'truncated'));

/** Says whether a connection that was open before was lost, which says nothing of the next. */
export const isStaleConnection = (seen: Observation): boolean =>
  seen.call?.reusedConnection === true && isConnectionLost(seen);

/** Returns what calls of one case have in common that send the same: names, passwords and tokens are new each time. */
export function requestFingerprint(
  { operation, method, path, headers, body, token, paddedTo, renewWith, csrf }: TestRequest,
  caseId: CaseId | undefined,
) {
  const sent = (typeof body === 'string' ? body : JSON.stringify(body))
    ?.replaceAll(/[0-9a-f]{16}/g, '…')
    .replaceAll(/("c?password":)"([^"]*)"/g, (_all, name: string, value: string) => `${name}${value.length}`);
  const tokenForm = token?.replaceAll(/[A-Za-z]/g, 'a').replaceAll(/\d/g, '0');
  const renewal = renewWith && (renewWith.value?.length ?? 0);
  return JSON.stringify([caseId, operation, method, path, headers, sent, tokenForm, paddedTo, renewal, csrf]);
}
