import type { CaseAnswer, CaseId, CaseResult, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { FindingId } from '../../preload/contract/report.ts';
import type { Case, CaseOutcome, DetectedFinding } from './case.ts';
import type { TestClient } from './test-client.ts';
import { needsLogin } from './plan.ts';
import { readSentFields, type Observation } from './observation.ts';

/** Of these findings, what one case saw says nothing of what another one saw. */
export const findingsPerCase: ReadonlySet<FindingId> = new Set([
  'server-killed',
  'server-fault-on-input',
  'server-fault-on-refusal',
]);

/** What came of a case, and the calls it sent. */
export type CaseExecution = { outcome: CaseOutcome; seen: readonly Observation[] };

/**
 * Runs a case, twice where it looked wrong, since a server may change its mind, or where a call got no answer, since many
 * others may need what it gives. It never throws.
 * @param isLater whether the case had no answer before, so that one more try is enough
 */
export async function executeCase(each: Case, probe: TestClient, isLater = false): Promise<CaseExecution> {
  try {
    const before = await runSteadily(each, probe);
    if (isUnanswered(before.outcome) && each.calls > 0 && !isLater && probe.stopReason() === undefined)
      return after(certain(before), certain(await runSteadily(each, probe)));
    if (!isWrong(before.outcome) || each.once || each.calls === 0) return certain(before);
    const then = await runSteadily(each, probe);
    const [first, second] = [certain(before, then), certain(then, before)];
    const seen = [...first.seen, ...second.seen];
    if (gist(first.outcome) === gist(second.outcome)) return { outcome: second.outcome, seen };
    const notMeasured: NotMeasured =
      'notMeasured' in second.outcome ? second.outcome.notMeasured : { kind: 'unstable' };
    return { outcome: { notMeasured, findings: faultsIn([first.outcome, second.outcome]) }, seen };
  } catch (error) {
    // A fault of ours must not take the rest of the run with it.
    const message = error instanceof Error ? error.message : String(error);
    return { outcome: { notMeasured: { kind: 'bug', message } }, seen: [] };
  }
}

const isUnanswered = (outcome: CaseOutcome): boolean =>
  'notMeasured' in outcome && outcome.notMeasured.kind === 'no-answer';

/** A case of which only the second try says something. */
function after(first: CaseExecution, { outcome, seen }: CaseExecution): CaseExecution {
  const findings = [...faultsIn([first.outcome]), ...(outcome.findings ?? [])];
  return { outcome: { ...outcome, findings }, seen: [...first.seen, ...seen] };
}

const isOfDeadly = (outcome: CaseOutcome): boolean =>
  'notMeasured' in outcome && outcome.notMeasured.kind === 'ends-server';

/** Runs a case, and once more where the server forgot accounts or tokens meanwhile, as one in memory at a restart does. */
async function runSteadily(each: Case, probe: TestClient): Promise<CaseExecution> {
  const first = await runOnce(each, probe);
  if (!(await probe.recoverFromRestart()) || isOfDeadly(first.outcome) || each.calls === 0) return first;
  const restarted: CaseExecution = { outcome: { notMeasured: { kind: 'restarted' } }, seen: [] };
  if (probe.hasLostAccounts())
    return needsLogin(each.id, probe.givenAccount !== undefined) ? after(first, restarted) : first;
  const second = await runOnce(each, probe);
  return after(first, (await probe.recoverFromRestart()) ? after(second, restarted) : second);
}

async function runOnce(each: Case, probe: TestClient): Promise<CaseExecution> {
  const { value, seen, problem, deadly } = await probe.collectDuring(
    each.id,
    () => each.run(probe),
    each.hasIndependentCalls,
  );
  const outcome = problem ? { notMeasured: problem } : value;
  const faults = faultsOf(each, seen, probe);
  const answers = 'notMeasured' in outcome ? [] : (outcome.answers ?? []);
  const details = answers.filter(({ value: said }) => said.kind === 'reply' && isFault(said));
  const ordinary = (one: Observation): boolean => everyday.has(each.id) || lacksField(one);
  const raised = [
    ...raisedBy('server-killed', deadly, []),
    ...raisedBy('server-fault-on-refusal', faults.filter(ordinary), details),
    ...raisedBy(
      'server-fault-on-input',
      faults.filter((one) => !ordinary(one)),
      details,
    ),
  ];
  return raised.length === 0
    ? { outcome, seen }
    : { outcome: { ...outcome, findings: [...(outcome.findings ?? []), ...raised] }, seen };
}

/** Puts beside faults what was answered with their statuses. */
function raisedBy(id: DetectedFinding['id'], seen: readonly Observation[], details: CaseAnswer[]): DetectedFinding[] {
  const statuses = new Set(seen.map(({ status }) => status));
  const own = details.filter(({ value }) => value.kind === 'reply' && statuses.has(value.status));
  return seen.length === 0 ? [] : [{ id, seen, details: own }];
}

/** A 501 says that something is not there, and a 503 that it is so for a while, which is no fault. */
const isFault = ({ status }: { status: number }): boolean => status >= 500 && status !== 501 && status !== 503;

/** What stands in front of a server says so that it got no answer from it (RFC 9110, 15.6.3 and 15.6.5). */
const isOfGateway = ({ status }: Observation): boolean => status === 502 || status === 504;

/**
 * Leaves out of what a case raised the faults of a gateway, but for those that came at the same call of its other try.
 * Without another try, all calls of a kind have to show it.
 */
function certain({ outcome, seen }: CaseExecution, other?: CaseExecution): CaseExecution {
  const { findings } = outcome;
  if (!findings?.some((each) => each.seen.some(isOfGateway))) return { outcome, seen };
  function isCertain(one: Observation): boolean {
    if (!isOfGateway(one)) return true;
    const again = other?.seen[seen.indexOf(one)];
    if (other) return again !== undefined && isOfGateway(again);
    const alike = seen.filter(({ operation }) => operation === one.operation);
    return alike.length > 1 && alike.every(isOfGateway);
  }
  const left = findings.flatMap((each) =>
    findingsPerCase.has(each.id) ? raisedBy(each.id, each.seen.filter(isCertain), each.details ?? []) : [each],
  );
  return { outcome: { ...outcome, findings: left }, seen };
}

/** In these, people send what every server has to refuse: a taken email, wrong credentials, an ended token. */
const everyday: ReadonlySet<CaseId> = new Set([
  'registration.repeated-email',
  'registration.missing-field',
  'login.wrong-password',
  'login.unknown-email',
  'login.told-apart-by-answer',
  'login.told-apart-by-time',
  'limits.throttling',
  'logout.twice',
]);

/** Says whether a login was sent without one of its fields. */
function lacksField(seen: Observation): boolean {
  const fields = seen.operation === 'login' ? readSentFields(seen) : undefined;
  return fields !== undefined && !(fields.has('email') && fields.has('password'));
}

/**
 * Returns the faults at what was sent wrong on purpose, whatever becomes of the case. Where the same operation was never
 * answered in another way, the server is out of order, and the input is not to blame.
 */
function faultsOf(each: Case, seen: readonly Observation[], probe: TestClient): Observation[] {
  if (each.sendsValidRequests || each.when === 'at-end') return [];
  const isInOrder = ({ operation }: Observation): boolean =>
    probe.observations().some((other) => other.operation === operation && other.status > 0 && other.status < 500);
  return seen.filter((one) => isFault(one) && isInOrder(one));
}

/** Returns the faults that were raised. They were seen, even if they do not come each time. */
const faultsIn = (outcomes: readonly CaseOutcome[]): DetectedFinding[] =>
  outcomes.flatMap(({ findings = [] }) => findings).filter(({ id }) => findingsPerCase.has(id));

/** What ended the server is not sent once more, so that another try says nothing of it. */
const isWrong = (outcome: CaseOutcome): boolean =>
  !('notMeasured' in outcome) &&
  (('passed' in outcome && !outcome.passed) || (outcome.findings ?? []).some(({ id }) => id !== 'server-killed'));

/** Returns what two runs of a case must have in common to say the same. */
const gist = (outcome: CaseOutcome): string =>
  JSON.stringify(
    'notMeasured' in outcome
      ? ['not-measured']
      : ['passed' in outcome ? outcome.passed : null, (outcome.findings ?? []).map(({ id }) => id).toSorted()],
  );

/** Returns the ids of calls, as evidence. */
export const callIds = (seen: readonly Observation[]): string[] => seen.flatMap(({ call }) => (call ? [call.id] : []));

/**
 * Returns a measured case as a report has it.
 * @param kind whether it is a requirement of this run
 */
export function createCaseResult(
  { id, section, lines }: Case,
  kind: CaseResult['kind'],
  measured: CaseExecution,
  durationMs: number,
): CaseResult {
  const { outcome, seen } = measured;
  const about = { id, section, lines: [...lines], calls: callIds(seen), durationMs };
  if ('notMeasured' in outcome) return { ...about, kind, outcome: 'not-measured', reason: outcome.notMeasured };
  const { answers = [] } = outcome;
  return 'passed' in outcome
    ? { ...about, kind: 'stated', outcome: outcome.passed ? 'passed' : 'failed', answers }
    : { ...about, kind: 'observed', outcome: 'answered', answers };
}
