import type { RecordedCall, Understanding } from '../../../preload/contract/calls.ts';
import { understand } from '../answer.ts';
import { operations } from '../../../preload/contract/names.ts';
import { hideIn } from '../secrets/hide.ts';
import { shortestWithinText } from '../secrets/known-secrets.ts';
import { appErrorOfFailure } from '../map-error.ts';
import type { Answer, Understood } from '../read-answer.ts';
import type { Call } from '../call.ts';
import { understandingOf } from '../understanding.ts';
import type { Covered } from './covered-bodies.ts';
import { keptPath } from './kept-body.ts';
import { keptCall } from './kept-call.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';

/**
 * Makes a call as it is kept, without its secrets and with what was understood of it, and what is shown of it besides.
 * @param paths the places that a person pinned, for an answer that nobody has read yet
 */
export function recordedCall(
  serverId: string,
  call: Call,
  references: SecretReferences,
  paths?: Answer['paths'],
): { recorded: RecordedCall; covered: Covered } {
  const { id, startedAt, failure, timings, remote, proxy, security, reusedConnection } = call;
  const understood = understoodOf(call, paths);
  const token = understood?.reading.meaning.token;
  const { kept, covered } = keptCall(call, references, token);
  // What was understood is said in our words, and a short password may be one of them.
  const hide = (text: string) => references.hide(text, shortestWithinText);
  const recorded: RecordedCall = {
    id,
    serverId,
    startedAt,
    ...kept,
    ...(failure && { failure: hideIn(appErrorOfFailure(failure), hide) }),
    timings,
    ...(remote !== undefined && { remote }),
    ...(proxy !== undefined && { proxy }),
    ...(security && { security }),
    reusedConnection,
    ...(understood && { understood: keptUnderstanding(understood, hide) }),
  };
  return { recorded, covered };
}

/** Returns what was understood of an answer, with the names of the answer that are kept. */
function keptUnderstanding({ operation, reading }: Understood, hide: (text: string) => string): Understanding {
  const understanding = hideIn(understandingOf(operation, reading, hide), hide);
  const found = understanding.found.map(({ what, path, rule }) => ({ what, path: keptPath(path), rule }));
  return { ...understanding, found };
}

/** Returns what the sender understood, if it took the answer for one to the operation that the path names. */
function understoodOf(
  { request, response, failure, understood }: Call,
  paths: Answer['paths'],
): Understood | undefined {
  // A preflight goes to the path of an operation, but is not that operation.
  const isOperation = (each: string): boolean =>
    request.method !== 'OPTIONS' && pathOf(request.url).endsWith(`/${each}`);
  const operation = understood?.asked ?? operations.find(isOperation);
  if (operation === undefined || !response || failure) return undefined;
  return understood?.operation === operation
    ? understood
    : understand(operation, response, request.url, { pinned: paths });
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : '';
}
