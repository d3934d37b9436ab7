import type { CaseResult, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { Case, Outcome, Raised } from './case.ts';
import type { Probe } from './probe.ts';
import type { Seen } from './seen.ts';

/** What came of a case, and the calls it sent. */
export type Measured = { outcome: Outcome; seen: readonly Seen[] };

/**
 * Runs a case, twice where it looked wrong, since a server may change its mind, or where a call got no answer, since many
 * others may need what it gives. It never throws.
 * @param isLater whether the case had no answer before, so that one more try is enough
 */
export async function measure(each: Case, probe: Probe, isLater = false): Promise<Measured> {
  try {
    const first = await runOnce(each, probe);
    if (isUnanswered(first.outcome) && each.calls > 0 && !isLater && probe.stopped() === undefined)
      return after(first, await runOnce(each, probe));
    if (!isWrong(first.outcome) || each.once || each.calls === 0) return first;
    const second = await runOnce(each, probe);
    const seen = [...first.seen, ...second.seen];
    if (gist(first.outcome) === gist(second.outcome)) return { outcome: second.outcome, seen };
    const notMeasured: NotMeasured =
      'notMeasured' in second.outcome ? second.outcome.notMeasured : { kind: 'unstable' };
    return { outcome: { notMeasured, raised: faultsIn([first.outcome, second.outcome]) }, seen };
  } catch (error) {
    // A fault of ours must not take the rest of the run with it.
    const message = error instanceof Error ? error.message : String(error);
    return { outcome: { notMeasured: { kind: 'bug', message } }, seen: [] };
  }
}

const isUnanswered = (outcome: Outcome): boolean =>
  'notMeasured' in outcome && outcome.notMeasured.kind === 'no-answer';

/** A case of which only the second try says something. */
function after(first: Measured, { outcome, seen }: Measured): Measured {
  const raised = [...faultsIn([first.outcome]), ...(outcome.raised ?? [])];
  return { outcome: { ...outcome, raised }, seen: [...first.seen, ...seen] };
}

async function runOnce(each: Case, probe: Probe): Promise<Measured> {
  const { value, seen, problem } = await probe.within(each.id, () => each.run(probe));
  const outcome = problem ? { notMeasured: problem } : value;
  const faults = faultsOf(each, seen, probe);
  if (faults.length === 0) return { outcome, seen };
  const answers = 'notMeasured' in outcome ? [] : (outcome.answers ?? []);
  const details = answers.filter(({ value: said }) => said.kind === 'reply' && isFault(said));
  const raised: Raised = { id: 'server-fault-on-input', seen: faults, details };
  return { outcome: { ...outcome, raised: [...(outcome.raised ?? []), raised] }, seen };
}

/** A 501 says that something is not there, which is no fault. */
const isFault = ({ status }: { status: number }): boolean => status >= 500 && status !== 501;

/**
 * Returns the faults at what was sent wrong on purpose, whatever becomes of the case. Where the same operation was never
 * answered in another way, the server is out of order, and the input is not to blame.
 */
function faultsOf(each: Case, seen: readonly Seen[], probe: Probe): Seen[] {
  if (each.asDescribed || each.when === 'at-end') return [];
  const isInOrder = ({ operation }: Seen): boolean =>
    probe.everything().some((other) => other.operation === operation && other.status > 0 && other.status < 500);
  return seen.filter((one) => isFault(one) && isInOrder(one));
}

/** Returns the faults that were raised. They were seen, even if they do not come each time. */
const faultsIn = (outcomes: readonly Outcome[]): Raised[] =>
  outcomes.flatMap(({ raised = [] }) => raised).filter(({ id }) => id === 'server-fault-on-input');

const isWrong = (outcome: Outcome): boolean =>
  !('notMeasured' in outcome) && (('passed' in outcome && !outcome.passed) || (outcome.raised ?? []).length > 0);

/** Returns what two runs of a case must have in common to say the same. */
const gist = (outcome: Outcome): string =>
  JSON.stringify(
    'notMeasured' in outcome
      ? ['not-measured']
      : ['passed' in outcome ? outcome.passed : null, (outcome.raised ?? []).map(({ id }) => id).toSorted()],
  );

/** Returns the ids of calls, as evidence. */
export const idsOf = (seen: readonly Seen[]): string[] => seen.flatMap(({ call }) => (call ? [call.id] : []));

/** Returns a measured case as a report has it. */
export function resultOf({ id, kind, section, lines }: Case, measured: Measured, durationMs: number): CaseResult {
  const { outcome, seen } = measured;
  const about = { id, section, lines: [...lines], exchanges: idsOf(seen), durationMs };
  if ('notMeasured' in outcome) return { ...about, kind, outcome: 'not-measured', reason: outcome.notMeasured };
  const { answers = [] } = outcome;
  return 'passed' in outcome
    ? { ...about, kind: 'stated', outcome: outcome.passed ? 'passed' : 'failed', answers }
    : { ...about, kind: 'observed', outcome: 'answered', answers };
}
