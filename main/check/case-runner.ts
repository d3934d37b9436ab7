import type { CaseId, CaseResult, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { RunEnd, RunOptions, RunPlan, RunProgress } from '../../preload/contract/report.ts';
import type { AppError } from '../../preload/contract/result.ts';
import type { Case } from './case.ts';
import { executeCase } from './execute-case.ts';
import type { Clock } from './request-sender.ts';
import { countCalls, casesById, cleanUpCalls, orderCases, needsLogin, dependenciesOf, reasonToSkip } from './plan.ts';
import type { TestClient } from './test-client.ts';
import type { Results } from './results.ts';

/** Milliseconds that logging out may take when a run is ended early. A command ends within two seconds. */
const cleanUpMs = 1_000;
/** The same where the person goes on with something else meanwhile: at five calls a second, all tokens take six seconds. */
const unhurriedCleanUpMs = 15_000;

const neverAborted = new AbortController().signal;

type Sequence = {
  client: TestClient;
  results: Results;
  plan: RunPlan;
  options: RunOptions;
  /** Whether the run was given an account. */
  isGiven: boolean;
  clock: Clock;
  onProgress: (progress: RunProgress) => void;
};

/** Runs cases one after the other, those first that others need, and tells how far it is. */
export function createCaseRunner(input: Sequence) {
  const { client, results, options, isGiven, clock, onProgress } = input;
  let signal = neverAborted;
  let bailed: CaseId | undefined;
  let current: CaseId | undefined;

  const reportProgress = (result?: CaseResult): void => onProgress(progressOf(input, current, result));

  /** Says why a case is not to be tried. */
  function obstacleOf(each: Case): NotMeasured | undefined {
    const unasked = reasonToSkip(each, options, isGiven, client.adapter);
    if (unasked) return unasked;
    const mayGoOn = !signal.aborted && bailed === undefined && client.stopReason() === undefined;
    if (!mayGoOn && each.when !== 'at-end') return { kind: 'run-ended' };
    const isSent = each.calls > 0 && each.when !== 'at-end';
    if (isSent && client.hasLostAccounts() && needsLogin(each.id, isGiven)) return { kind: 'restarted' };
    const missing = dependenciesOf(each, isGiven).find((id) => !results.succeeded(id));
    return missing && { kind: 'needs', caseId: missing };
  }

  async function tryCase(each: Case, isLater: boolean) {
    current = each.id;
    reportProgress();
    const measured = await executeCase(each, client, isLater);
    current = undefined;
    return measured;
  }

  async function runCase(each: Case, isLater = false): Promise<void> {
    const startedMs = clock.now();
    const obstacle = obstacleOf(each);
    const measured = obstacle ? { outcome: { notMeasured: obstacle }, seen: [] } : await tryCase(each, isLater);
    const result = results.put(each, measured, Math.round(clock.now() - startedMs));
    if (result.outcome === 'failed' && options.bail) bailed ??= each.id;
    reportProgress(result);
  }

  /** Tries once more what got no answer, and then what needed it: a server that was busy may answer now. */
  async function runUnanswered(sent: readonly Case[]): Promise<void> {
    for (const each of sent)
      if (isWorthATry(each, results) && obstacleOf(each) === undefined) await runCase(each, true);
  }

  /** Logs out every token that still works, as far as the server lets it be ended. */
  async function logOutAll(): Promise<void> {
    if (client.stopReason()?.kind === 'unreachable') return;
    if (signal.aborted) signal = signalOfCleanUp(signal.reason);
    await client.cleanUp(cleanUpCalls);
  }

  return {
    reportProgress: (): void => reportProgress(),

    /** Answers the signal of the cases that are under way. */
    signal: (): AbortSignal => signal,

    /**
     * Runs cases until they end or `wish` is aborted, and logs out before those that only look back. After an abort it
     * logs out for a second, or for longer if the reason is another signal, until that is aborted.
     */
    async run(wanted: readonly Case[], wish: AbortSignal = neverAborted): Promise<void> {
      signal = wish;
      bailed = undefined;
      const { sending, lookingBack } = orderCases(wanted, isGiven);
      for (const each of sending) await runCase(each);
      await runUnanswered(sending);

      await logOutAll();
      for (const each of lookingBack) await runCase(each);
    },

    /** Says how the last run of cases ended. */
    runEnd(isCancelled: boolean): RunEnd {
      if (bailed !== undefined) return { kind: 'bail', caseId: bailed };
      if (isCancelled) return { kind: 'cancelled' };
      return client.stopReason() ?? { kind: 'complete' };
    },
  };
}

/** Answers the signal of the logging out after a cancellation. A reason that is a signal says when nobody may wait for it. */
const signalOfCleanUp = (reason: unknown): AbortSignal =>
  reason instanceof AbortSignal
    ? AbortSignal.any([reason, AbortSignal.timeout(unhurriedCleanUpMs)])
    : AbortSignal.timeout(cleanUpMs);

const cameAsItIs: ReadonlySet<AppError['kind']> = new Set(['not-an-api-answer', 'broken-http']);

/** Says whether a case got no answer, or was not tried for want of one that is there now. */
function isWorthATry({ id }: Case, results: Results): boolean {
  const missing = results.reasonNotTested(id);
  // One that was too large, for example, did come, and would come again.
  const isLost = missing?.kind === 'no-answer' && !cameAsItIs.has(missing.error.kind);
  return isLost || (missing?.kind === 'needs' && results.succeeded(missing.caseId));
}

function progressOf(
  { client, results, plan, options, isGiven }: Sequence,
  current: CaseId | undefined,
  result: CaseResult | undefined,
): RunProgress {
  const left = plan.cases.filter((id) => !results.has(id)).flatMap((id) => casesById.get(id) ?? []);
  const waitingUntil = client.waitingUntil();
  const waitMs = waitingUntil === undefined ? 0 : Math.max(0, waitingUntil - Date.now());
  const plannedMs = (1000 * plan.seconds) / plan.calls;
  const perCallMs =
    client.calls() === 0 ? plannedMs : Math.max(1000 / options.callsPerSecond, client.millisecondsPerCall());
  const callsLeft = countCalls(left, options, isGiven, client.adapter);
  const leftMs = waitMs + callsLeft * perCallMs + client.estimateWaitMs(callsLeft);
  return {
    current,
    casesDone: results.count(),
    casesPlanned: plan.cases.length,
    callsMade: client.calls(),
    callsPlanned: plan.calls,
    secondsLeft: left.length === 0 ? 0 : Math.ceil(leftMs / 1000),
    waitingUntil: waitingUntil === undefined ? undefined : new Date(waitingUntil).toISOString(),
    result,
  };
}
