import type { CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { CaseLog } from './case-log.ts';
import type { Clock } from './pace.ts';
import type { Seen } from './seen.ts';
import type { ProbeCall } from './sender.ts';

/** Milliseconds between tries to reach a server that ended: ten seconds in all, which restarts take as a rule. */
const waitsMs = [0, 250, 750, 1_500, 2_500, 5_000] as const;

/** Connections that may have been open. */
const mostOpen = 16;

const isRefused = ({ failed }: Seen): boolean => failed?.kind === 'no-answer' && failed.error.kind === 'refused';

/** Says whether the connection was lost before the answer, as where the process behind it ends. */
const isLost = (seen: Seen): boolean =>
  seen.failed?.kind === 'no-answer' &&
  ((seen.failed.error.kind === 'unexpected' && seen.failed.error.reason === 'connection-lost') ||
    (seen.failed.error.kind === 'not-an-api-answer' && seen.failed.error.reason === 'truncated'));

/** Says whether a connection that was open before was lost, which says nothing of the next. */
const isStale = (seen: Seen): boolean => seen.call?.reusedConnection === true && isLost(seen);

/**
 * Looks whether a server has ended after a call without an answer: nothing listens any more. One that only closes a
 * connection takes the next. Where it ended, it is waited for until it answers again, or for ten seconds.
 * @param tryIt sends a plain call
 */
async function endsServer(tryIt: () => Promise<Seen>, clock: Clock, signal: AbortSignal): Promise<boolean> {
  for (const [at, ms] of waitsMs.entries()) {
    if (ms > 0) await clock.sleep(ms, signal);
    if (signal.aborted) return at > 0;
    let seen = await tryIt();
    for (let tries = 0; isStale(seen) && tries < mostOpen; tries += 1) seen = await tryIt();
    if (at === 0 && !isRefused(seen)) return false;
    if (seen.status > 0) return true;
  }
  return true;
}

/** Returns what calls of one case have in common that send the same: names, passwords and tokens are new each time. */
function formOfCall({ operation, method, path, headers, body, token }: ProbeCall, caseId: CaseId | undefined) {
  const sent = (typeof body === 'string' ? body : JSON.stringify(body))
    ?.replaceAll(/[0-9a-f]{16}/g, '…')
    .replaceAll(/("c?password":)"([^"]*)"/g, (_all, name: string, value: string) => `${name}${value.length}`);
  const tokenForm = token?.replaceAll(/[A-Za-z]/g, 'a').replaceAll(/\d/g, '0');
  return JSON.stringify([caseId, operation, method, path, headers, sent, tokenForm]);
}

/** Keeps the calls that ended the server, which are sent once in a run. */
export function createDeadlyCalls({
  sendNow,
  log,
  forgive,
  clock,
  signal,
}: {
  sendNow: (wanted: ProbeCall) => Promise<Seen>;
  log: Pick<CaseLog, 'note' | 'noteDeadly' | 'currentCase'>;
  /** Takes back that calls got no answer. */
  forgive: () => void;
  clock: Clock;
  signal: () => AbortSignal;
}) {
  const forms = new Set<string>();

  /** Sends a plain call without its turn, since a server that ends may be back in a second. */
  async function tryIt(): Promise<Seen> {
    const seen = await sendNow({ operation: 'perfil' });
    // Other connections that were open were lost with the server, and count for nothing.
    if (isStale(seen)) forgive();
    return log.note(seen, false);
  }

  return {
    /** Says why a call is not sent, if it ended the server before. */
    problemOf: (wanted: ProbeCall): NotMeasured | undefined =>
      forms.has(formOfCall(wanted, log.currentCase())) ? { kind: 'ends-server' } : undefined,

    /** Says whether a call ended the server, and waits for that. What was seen of the call then says so. */
    async hasEnded(wanted: ProbeCall, seen: Seen): Promise<boolean> {
      if (!isLost(seen) || !(await endsServer(tryIt, clock, signal()))) return false;
      forms.add(formOfCall(wanted, log.currentCase()));
      seen.failed = { kind: 'ends-server' };
      log.noteDeadly(seen);
      return true;
    },
  };
}
