import type { LastCall } from '../../../preload/contract/models.ts';
import { operationOfPath } from '../../../preload/contract/names.ts';
import type { TransportCall } from '../../client/call.ts';
import type { TransportFailure } from '../../client/transport-failure.ts';

/** The window shows the median of their times. */
const mostCalls = 5;

/** A check sends many calls a second. */
const notifyEveryMs = 500;

/** These happen before a request is sent. */
const localFailures: ReadonlySet<TransportFailure['kind']> = new Set([
  'cancelled',
  'connection-settings',
  'unsendable',
]);

/** In these the server did answer. */
const partialResponses: ReadonlySet<TransportFailure['kind']> = new Set([
  'broken-http',
  'too-large',
  'resource-limit',
  'truncated',
  'undecodable',
]);

/** By origin, the newest first. */
export type LastCalls = ReadonlyMap<string, readonly LastCall[]>;

/** The origin of a URL; empty if it cannot be parsed. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** The path itself may contain anything, so only the name of an operation is taken. */
function operationOf({ interpreted, request }: TrackedCall): LastCall['operation'] {
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : '';
  return (
    interpreted?.requestedOperation ?? interpreted?.operation ?? operationOfPath(path.slice(path.lastIndexOf('/') + 1))
  );
}

type TrackedCall = Pick<TransportCall, 'request' | 'failure' | 'response' | 'timings' | 'interpreted'>;

/**
 * Collects the results of the last calls to each origin: of the user, a check or the application.
 * @param notify called at once, and then at most every {@link notifyEveryMs}
 */
export function createLastCallTracker(now: () => Date, notify: (lastCalls: LastCalls) => void) {
  const lastCalls = new Map<string, readonly LastCall[]>();
  let timer: NodeJS.Timeout | undefined;
  let hasChanged = false;

  function notifySoon(): void {
    hasChanged = timer !== undefined;
    if (hasChanged) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (hasChanged) notifySoon();
    }, notifyEveryMs).unref();
    notify(lastCalls);
  }

  return function track(call: TrackedCall): void {
    const { request, failure, response, timings } = call;
    if (failure && localFailures.has(failure.kind)) return;
    const origin = originOf(request.url);
    const operation = operationOf(call);
    const last: LastCall = {
      method: request.method,
      ...(operation && { operation }),
      ...(response && { status: response.status }),
      answered: !failure || partialResponses.has(failure.kind),
      ...(failure && { failure: failure.kind }),
      ms: Math.round(timings.totalMs),
      at: now().toISOString(),
    };
    const before = lastCalls.get(origin) ?? [];
    lastCalls.set(origin, [last, ...before].slice(0, mostCalls));
    notifySoon();
  };
}
