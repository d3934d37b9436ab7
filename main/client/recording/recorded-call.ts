import type { RecordedCall, InterpretationTrace } from '../../../preload/contract/calls.ts';
import { interpret } from '../interpret.ts';
import { operations } from '../../../preload/contract/names.ts';
import { maskStrings } from '../secrets/mask-secrets.ts';
import { shortestWithinText } from '../secrets/known-secrets.ts';
import { appErrorOfFailure } from '../map-error.ts';
import type { ReceivedResponse, InterpretedResponse } from '../parse-response.ts';
import type { TransportCall } from '../call.ts';
import { createInterpretationTrace } from '../interpretation-trace.ts';
import type { InMemoryBodies } from './in-memory-bodies.ts';
import { redactPath } from './redact-body.ts';
import { redactCall } from './redact-call.ts';
import type { SecretRegistry } from '../secrets/secret-registry.ts';

/**
 * Makes a call as it is kept, without its secrets and with what was understood of it, and what is shown of it besides.
 * @param paths the places that a person pinned, for an answer that nobody has read yet
 */
export function recordedCall(
  serverId: string,
  call: TransportCall,
  secretRegistry: SecretRegistry,
  paths?: ReceivedResponse['paths'],
): { recorded: RecordedCall; covered: InMemoryBodies } {
  const { id, startedAt, failure, timings, remote, proxy, security, reusedConnection } = call;
  const understood = understoodOf(call, paths);
  const token = understood?.interpretation.summary.token;
  const { kept, covered } = redactCall(call, secretRegistry, token);
  // What was understood is said in our words, and a short password may be one of them.
  const hide = (text: string) => secretRegistry.mask(text, shortestWithinText);
  const recorded: RecordedCall = {
    id,
    serverId,
    startedAt,
    ...kept,
    ...(failure && { failure: maskStrings(appErrorOfFailure(failure), hide) }),
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
function keptUnderstanding(
  { operation, interpretation }: InterpretedResponse,
  hide: (text: string) => string,
): InterpretationTrace {
  const understanding = maskStrings(createInterpretationTrace(operation, interpretation, hide), hide);
  const found = understanding.found.map(({ what, path, rule }) => ({ what, path: redactPath(path), rule }));
  return { ...understanding, found };
}

/** Returns what the sender understood, if it took the answer for one to the operation that the path names. */
function understoodOf(
  { request, response, failure, interpreted }: TransportCall,
  paths: ReceivedResponse['paths'],
): InterpretedResponse | undefined {
  // A preflight goes to the path of an operation, but is not that operation.
  const isOperation = (each: string): boolean =>
    request.method !== 'OPTIONS' && pathOf(request.url).endsWith(`/${each}`);
  const operation = interpreted?.requestedOperation ?? operations.find(isOperation);
  if (operation === undefined || !response || failure) return undefined;
  return interpreted?.operation === operation
    ? interpreted
    : interpret(operation, response, request.url, { pinned: paths });
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : '';
}
