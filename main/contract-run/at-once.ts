import type { CaseLog } from './case-log.ts';
import { isUnanswered, seenNothing, type Seen } from './seen.ts';
import type { createSender, ProbeCall } from './sender.ts';

type Sender = Pick<ReturnType<typeof createSender>, 'unsentOf' | 'turn' | 'sendNow' | 'waitFor'>;

/** Sends calls at the same moment, over connections that are open already. */
export function createAtOnce({ unsentOf, turn, sendNow, waitFor }: Sender, log: Pick<CaseLog, 'spoil' | 'note'>) {
  let isWarm = false;

  /** Sends calls at the same moment, after as long a wait as they would take one after the other. */
  async function callAtOnce(wanted: readonly ProbeCall[]): Promise<Seen[]> {
    const unsent = unsentOf(wanted.length);
    if (unsent) return wanted.map(({ operation }) => seenNothing(operation, unsent));
    for (let waited = 0; waited < wanted.length; waited += 1) await turn();
    return Promise.all(wanted.map(sendNow));
  }

  const noted = (seen: readonly Seen[], mayFail: boolean): Seen[] =>
    seen.map((each) => log.note(each, !(mayFail && isUnanswered(each))));

  /**
   * Opens as many connections. Otherwise the first call over an open one comes long before the others. What is answered
   * belongs to no case.
   */
  async function warmUp(count: number): Promise<void> {
    if (isWarm) return;
    await callAtOnce(Array.from({ length: count }, () => ({ operation: 'perfil' }) as const));
    isWarm = true;
  }

  /**
   * Sends calls at once. Where the server throttles, they are all sent anew after the wait that it asks for.
   * @param wanted makes the calls, for each try
   * @param onSeen is told the answers to each try
   * @param mayFail whether no answer to some of them is an answer, too
   */
  async function atOnce(
    wanted: () => readonly ProbeCall[],
    onSeen: (seen: readonly Seen[]) => void = () => undefined,
    mayFail = false,
  ): Promise<Seen[]> {
    const calls = wanted();
    await warmUp(calls.length);
    const seen = noted(await callAtOnce(calls), mayFail);
    onSeen(seen);
    if (!seen.some(isThrottled)) return seen;
    if (await waitFor(waitOf(seen))) {
      const second = noted(await callAtOnce(wanted()), mayFail);
      onSeen(second);
      if (!second.some(isThrottled)) return second;
    }
    log.spoil({ kind: 'throttled', retryAfterSeconds: waitOf(seen) });
    return seen;
  }

  return atOnce;
}

const isThrottled = ({ handling }: Seen): boolean => handling === 'throttled';

/** Returns the longest wait that any of the answers asks for, in seconds. */
function waitOf(seen: readonly Seen[]): number | undefined {
  const waits = seen.filter(isThrottled).map(({ reading }) => reading.meaning.retryAfterSeconds);
  return waits.every((each) => each !== undefined) ? Math.max(...waits) : undefined;
}
