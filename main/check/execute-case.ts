import type { CaseAnswer, CaseId, CaseResult, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { FindingId } from '../../preload/contract/report.ts';
import type { Case, CaseOutcome, DetectedFinding } from './case.ts';
import type { TestClient } from './test-client.ts';
import { needsLogin } from './plan.ts';
import { readSentFields, type Observation } from './observation.ts';

/** Findings of which each case has its own instance. */
export const findingsPerCase: ReadonlySet<FindingId> = new Set([
  'server-killed',
  'server-fault-on-input',
  'server-fault-on-refusal',
]);

export type CaseExecution = { outcome: CaseOutcome; seen: readonly Observation[] };

/**
 * Runs a case, and repeats it if its result is suspicious, or if a request got no response. Never throws.
 * @param isLater whether the case got no response before, so that one more attempt is enough
 */
export async function executeCase(each: Case, client: TestClient, isLater = false): Promise<CaseExecution> {
  try {
    const before = await runDespiteRestarts(each, client);
    if (isUnanswered(before.outcome) && each.calls > 0 && !isLater && client.stopReason() === undefined)
      return combine(withoutGatewayFaults(before), withoutGatewayFaults(await runDespiteRestarts(each, client)));
    if (!isSuspicious(before.outcome) || each.once || each.calls === 0) return withoutGatewayFaults(before);
    const then = await runDespiteRestarts(each, client);
    const [first, second] = [withoutGatewayFaults(before, then), withoutGatewayFaults(then, before)];
    const seen = [...first.seen, ...second.seen];
    if (resultKey(first.outcome) === resultKey(second.outcome)) return { outcome: second.outcome, seen };
    const notMeasured: NotMeasured =
      'notMeasured' in second.outcome ? second.outcome.notMeasured : { kind: 'unstable' };
    return { outcome: { notMeasured, findings: faultFindingsOf([first.outcome, second.outcome]) }, seen };
  } catch (error) {
    // A bug of ours must not end the check.
    const message = error instanceof Error ? error.message : String(error);
    return { outcome: { notMeasured: { kind: 'bug', message } }, seen: [] };
  }
}

const isUnanswered = (outcome: CaseOutcome): boolean =>
  'notMeasured' in outcome && outcome.notMeasured.kind === 'no-answer';

/** The outcome is that of the second attempt. */
function combine(first: CaseExecution, { outcome, seen }: CaseExecution): CaseExecution {
  const findings = [...faultFindingsOf([first.outcome]), ...(outcome.findings ?? [])];
  return { outcome: { ...outcome, findings }, seen: [...first.seen, ...seen] };
}

const hasCrashedServer = (outcome: CaseOutcome): boolean =>
  'notMeasured' in outcome && outcome.notMeasured.kind === 'ends-server';

/** Repeats a case during which a restarted server lost accounts or tokens. */
async function runDespiteRestarts(each: Case, client: TestClient): Promise<CaseExecution> {
  const first = await runOnce(each, client);
  if (!(await client.recoverFromRestart()) || hasCrashedServer(first.outcome) || each.calls === 0) return first;
  const restarted: CaseExecution = { outcome: { notMeasured: { kind: 'restarted' } }, seen: [] };
  if (client.hasLostAccounts())
    return needsLogin(each.id, client.givenAccount !== undefined) ? combine(first, restarted) : first;
  const second = await runOnce(each, client);
  return combine(first, (await client.recoverFromRestart()) ? combine(second, restarted) : second);
}

async function runOnce(each: Case, client: TestClient): Promise<CaseExecution> {
  const { value, seen, problem, crashing } = await client.collectDuring(
    each.id,
    () => each.run(client),
    each.hasIndependentCalls,
  );
  const outcome = problem ? { notMeasured: problem } : value;
  const faults = faultsOf(each, seen, client);
  const answers = 'notMeasured' in outcome ? [] : (outcome.answers ?? []);
  const details = answers.filter(({ value: reply }) => reply.kind === 'reply' && isFault(reply));
  const isOrdinary = (one: Observation): boolean => everydayRefusals.has(each.id) || lacksField(one);
  const raised = [
    ...faultFindings('server-killed', crashing, []),
    ...faultFindings('server-fault-on-refusal', faults.filter(isOrdinary), details),
    ...faultFindings(
      'server-fault-on-input',
      faults.filter((one) => !isOrdinary(one)),
      details,
    ),
  ];
  return raised.length === 0
    ? { outcome, seen }
    : { outcome: { ...outcome, findings: [...(outcome.findings ?? []), ...raised] }, seen };
}

/** The details are the answers with the status of a fault. */
function faultFindings(
  id: DetectedFinding['id'],
  seen: readonly Observation[],
  details: CaseAnswer[],
): DetectedFinding[] {
  const statuses = new Set(seen.map(({ status }) => status));
  const own = details.filter(({ value }) => value.kind === 'reply' && statuses.has(value.status));
  return seen.length === 0 ? [] : [{ id, seen, details: own }];
}

/** A 501 means that an operation is missing, and a 503 that it is unavailable for a while. */
const isFault = ({ status }: { status: number }): boolean => status >= 500 && status !== 501 && status !== 503;

/** A gateway got no response from the server (RFC 9110, 15.6.3 and 15.6.5). */
const isGatewayFault = ({ status }: Observation): boolean => status === 502 || status === 504;

/**
 * Removes the faults of a gateway, except those that recur at the same request of the other attempt. Without another
 * attempt, all requests of an operation must have them.
 */
function withoutGatewayFaults({ outcome, seen }: CaseExecution, other?: CaseExecution): CaseExecution {
  const { findings } = outcome;
  if (!findings?.some((each) => each.seen.some(isGatewayFault))) return { outcome, seen };
  function isCertain(one: Observation): boolean {
    if (!isGatewayFault(one)) return true;
    const again = other?.seen[seen.indexOf(one)];
    if (other) return again !== undefined && isGatewayFault(again);
    const alike = seen.filter(({ operation }) => operation === one.operation);
    return alike.length > 1 && alike.every(isGatewayFault);
  }
  const left = findings.flatMap((each) =>
    findingsPerCase.has(each.id) ? faultFindings(each.id, each.seen.filter(isCertain), each.details ?? []) : [each],
  );
  return { outcome: { ...outcome, findings: left }, seen };
}

/** Every server has to refuse these: a taken email, wrong credentials, an ended token. */
const everydayRefusals: ReadonlySet<CaseId> = new Set([
  'registration.repeated-email',
  'registration.missing-field',
  'login.wrong-password',
  'login.unknown-email',
  'login.told-apart-by-answer',
  'login.told-apart-by-time',
  'limits.throttling',
  'logout.twice',
]);

/** True for a login without one of its fields. */
function lacksField(seen: Observation): boolean {
  const fields = seen.operation === 'login' ? readSentFields(seen) : undefined;
  return fields !== undefined && !(fields.has('email') && fields.has('password'));
}

/**
 * The server faults at invalid requests. If the operation never had another response, the server is out of order, and the
 * input is not to blame.
 */
function faultsOf(each: Case, seen: readonly Observation[], client: TestClient): Observation[] {
  if (each.sendsValidRequests || each.when === 'at-end') return [];
  const isInOrder = ({ operation }: Observation): boolean =>
    client
      .reproducibleObservations()
      .some((other) => other.operation === operation && other.status > 0 && other.status < 500);
  return seen.filter((one) => isFault(one) && isInOrder(one));
}

/** A fault counts even if it does not recur. */
const faultFindingsOf = (outcomes: readonly CaseOutcome[]): DetectedFinding[] =>
  outcomes.flatMap(({ findings = [] }) => findings).filter(({ id }) => findingsPerCase.has(id));

/** A request that crashed the server is not repeated, so a second attempt proves nothing. */
const isSuspicious = (outcome: CaseOutcome): boolean =>
  !('notMeasured' in outcome) &&
  (('passed' in outcome && !outcome.passed) || (outcome.findings ?? []).some(({ id }) => id !== 'server-killed'));

/** Equal for two attempts with the same result. */
const resultKey = (outcome: CaseOutcome): string =>
  JSON.stringify(
    'notMeasured' in outcome
      ? ['not-measured']
      : ['passed' in outcome ? outcome.passed : null, (outcome.findings ?? []).map(({ id }) => id).toSorted()],
  );

export const callIds = (seen: readonly Observation[]): string[] => seen.flatMap(({ call }) => (call ? [call.id] : []));

/** @param kind whether it is a requirement of this check */
export function createCaseResult(
  { id, section, lines }: Case,
  kind: CaseResult['kind'],
  { outcome, seen }: CaseExecution,
  durationMs: number,
): CaseResult {
  const about = { id, section, lines: [...lines], calls: callIds(seen), durationMs };
  if ('notMeasured' in outcome) return { ...about, kind, outcome: 'not-measured', reason: outcome.notMeasured };
  const { answers = [] } = outcome;
  return 'passed' in outcome
    ? { ...about, kind: 'stated', outcome: outcome.passed ? 'passed' : 'failed', answers }
    : { ...about, kind: 'observed', outcome: 'answered', answers };
}
