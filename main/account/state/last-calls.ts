import type { LastCall } from '../../../preload/contract/models.ts';
import { operations } from '../../../preload/contract/names.ts';
import type { TransportCall } from '../../client/call.ts';
import type { TransportFailure } from '../../client/transport-failure.ts';

/** As many addresses as anybody asks in one run. */
const mostAddresses = 500;

/** The mark of a server says the median of so many. */
const mostCalls = 5;

/** A run of many calls needs no new state for each. */
const toldAgainMs = 500;

/** These say nothing of the other end. */
const silent: ReadonlySet<TransportFailure['kind']> = new Set(['cancelled', 'connection-settings', 'unsendable']);

/** What came from the other end, although it is no whole answer. */
const unread: ReadonlySet<TransportFailure['kind']> = new Set([
  'broken-http',
  'too-large',
  'resource-limit',
  'truncated',
  'undecodable',
]);

/** By origin, the last calls to it, the newest first. */
export type LastCalls = ReadonlyMap<string, readonly LastCall[]>;

/** Returns where a call to an address goes. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** Of the path, which may hold anything, only the name of an operation is taken. */
function operationOf({ interpreted, request }: NotedCall): LastCall['operation'] {
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : '';
  return (
    interpreted?.requestedOperation ?? interpreted?.operation ?? operations.find((name) => path.endsWith(`/${name}`))
  );
}

type NotedCall = Pick<TransportCall, 'request' | 'failure' | 'response' | 'timings' | 'interpreted'>;

/**
 * Keeps what the last calls to each address came to: of a person, a run or the application. It sends nothing itself.
 * @param now the present moment
 * @param tell called with the first of them at once, and then once for all that come soon after
 */
export function createLastCallTracker(now: () => Date, tell: (lastCalls: LastCalls) => void) {
  const lastCalls = new Map<string, readonly LastCall[]>();
  let waiting: NodeJS.Timeout | undefined;
  let isNew = false;

  function tellSoon(): void {
    isNew = waiting !== undefined;
    if (isNew) return;
    waiting = setTimeout(() => {
      waiting = undefined;
      if (isNew) tellSoon();
    }, toldAgainMs).unref();
    tell(lastCalls);
  }

  return function note(call: NotedCall): void {
    const { request, failure, response, timings } = call;
    if (failure && silent.has(failure.kind)) return;
    const origin = originOf(request.url);
    const operation = operationOf(call);
    const last: LastCall = {
      method: request.method,
      ...(operation && { operation }),
      ...(response && { status: response.status }),
      answered: !failure || unread.has(failure.kind),
      ...(failure && { failure: failure.kind }),
      ms: Math.round(timings.totalMs),
      at: now().toISOString(),
    };
    const before = lastCalls.get(origin) ?? [];
    lastCalls.set(origin, [last, ...before].slice(0, mostCalls));
    const [oldest] = lastCalls.keys();
    if (oldest !== undefined && lastCalls.size > mostAddresses) lastCalls.delete(oldest);
    tellSoon();
  };
}
