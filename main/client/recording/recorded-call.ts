import type { RecordedCall, InterpretationTrace } from '../../../preload/contract/calls.ts';
import { interpret } from '../interpret.ts';
import { operationOfPath } from '../../../preload/contract/names.ts';
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
 * A call to be stored, redacted and with the trace of its interpretation, and its bodies for memory.
 * @param paths the paths that the user pinned, for a response that is not interpreted yet
 */
export function recordedCall(
  serverId: string,
  call: TransportCall,
  secretRegistry: SecretRegistry,
  paths?: ReceivedResponse['paths'],
): { recorded: RecordedCall; inMemory: InMemoryBodies } {
  const { id, startedAt, failure, timings, remote, proxy, security, reusedConnection } = call;
  const interpreted = interpretedOf(call, paths);
  const token = interpreted?.interpretation.summary.token;
  const { kept, inMemory } = redactCall(call, secretRegistry, token);
  // A trace is in our own words, and a short password may equal one of them.
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
    ...(interpreted && { understood: redactTrace(interpreted, hide) }),
  };
  return { recorded, inMemory };
}

function redactTrace(
  { operation, interpretation }: InterpretedResponse,
  hide: (text: string) => string,
): InterpretationTrace {
  const trace = maskStrings(createInterpretationTrace(operation, interpretation, hide), hide);
  const found = trace.found.map(({ what, path, rule }) => ({ what, path: redactPath(path), rule }));
  return { ...trace, found };
}

/** The sender's interpretation, if it was for the operation of the path; else a new one. */
function interpretedOf(
  { request, response, failure, interpreted }: TransportCall,
  paths: ReceivedResponse['paths'],
): InterpretedResponse | undefined {
  // A preflight goes to the path of an operation, but is not that operation.
  const path = request.method === 'OPTIONS' ? '' : pathOf(request.url);
  const operation = interpreted?.requestedOperation ?? operationOfPath(path.slice(path.lastIndexOf('/') + 1));
  if (operation === undefined || !response || failure) return undefined;
  return interpreted?.operation === operation
    ? interpreted
    : interpret(operation, response, request.url, { pinned: paths });
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : '';
}
