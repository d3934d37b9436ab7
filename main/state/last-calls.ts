import type { LastCall } from '../../preload/contract/models.ts';
import type { Call } from '../client/call.ts';
import type { TransportFailure } from '../client/transport-failure.ts';

/** As many addresses as anybody asks in one run. */
const mostAddresses = 500;

/** The age is said in minutes, so that a run of many calls needs no new state for each. */
const toldAgainMs = 30_000;

/** These say nothing of the other end. */
const silent: ReadonlySet<TransportFailure['kind']> = new Set(['cancelled', 'connection-settings', 'unsendable']);

/** What came from the other end, although it is no whole answer. */
const unread: ReadonlySet<TransportFailure['kind']> = new Set([
  'broken-http',
  'too-large',
  'too-hard',
  'truncated',
  'undecodable',
]);

/** By origin, what the last call to it came to. */
export type LastCalls = ReadonlyMap<string, LastCall>;

/** Returns where a call to an address goes. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/**
 * Keeps what the last call to each address came to, whoever made it.
 * @param now the present moment
 * @param tell called when that is another than before, or is older by so much that its age is
 */
export function createLastCalls(now: () => Date, tell: (lastCalls: LastCalls) => void) {
  const lastCalls = new Map<string, LastCall>();

  return function note({ request, failure }: Pick<Call, 'request' | 'failure'>): void {
    if (failure && silent.has(failure.kind)) return;
    const origin = originOf(request.url);
    const last: LastCall = { answered: !failure || unread.has(failure.kind), at: now().toISOString() };
    const before = lastCalls.get(origin);
    lastCalls.set(origin, last);
    const [oldest] = lastCalls.keys();
    if (oldest !== undefined && lastCalls.size > mostAddresses) lastCalls.delete(oldest);
    const isSame = before?.answered === last.answered && Date.parse(last.at) - Date.parse(before.at) < toldAgainMs;
    if (!isSame) tell(lastCalls);
  };
}
