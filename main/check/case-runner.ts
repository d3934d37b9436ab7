import type { CaseId, CaseResult, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { Cleanup, RunEnd, RunOptions, RunPlan, RunProgress } from '../../preload/contract/report.ts';
import type { AppError } from '../../preload/contract/result.ts';
import type { Case } from './case.ts';
import { deleteAccounts, summarizeCleanup } from './delete-accounts.ts';
import { executeCase } from './execute-case.ts';
import type { Clock } from './request-sender.ts';
import {
  countCalls,
  countWaits,
  casesById,
  cleanUpCalls,
  deletesAccounts,
  orderCases,
  needsLogin,
  dependenciesOf,
  reasonToSkip,
} from './plan.ts';
import type { TestClient } from './test-client.ts';
import type { Results } from './results.ts';

/** Milliseconds for logging out after a cancellation: a command ends within two seconds. */
const cleanUpMs = 1_000;
/** The same in the window, where nobody waits: at five requests a second, all tokens take six seconds. */
const unhurriedCleanUpMs = 15_000;

/** The same where accounts are deleted: a code may have to be waited for. */
export const deletionMs = 60_000;

const neverAborted = new AbortController().signal;

type Sequence = {
  client: TestClient;
  results: Results;
  plan: RunPlan;
  options: RunOptions;
  isGiven: boolean;
  clock: Clock;
  onProgress: (progress: RunProgress) => void;
};

/** Runs cases one after the other, dependencies first, and reports the progress. */
export function createCaseRunner(input: Sequence) {
  const { client, results, options, isGiven, clock, onProgress } = input;
  let signal = neverAborted;
  let bailed: CaseId | undefined;
  let current: CaseId | undefined;
  const cleanup = createCleanup(input);

  const reportProgress = (result?: CaseResult): void => onProgress(progressOf(input, current, result));

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

  /** Repeats cases without a response, and those that need them: a busy server may respond now. */
  async function runUnanswered(sent: readonly Case[]): Promise<void> {
    for (const each of sent)
      if (isWorthATry(each, results) && obstacleOf(each) === undefined) await runCase(each, true);
  }

  async function cleanUp(): Promise<void> {
    if (signal.aborted) signal = signalOfCleanUp(signal.reason, cleanup.isDeleting);
    if (client.stopReason()?.kind !== 'unreachable') await cleanup.run();
  }

  return {
    reportProgress: (): void => reportProgress(),

    signal: (): AbortSignal => signal,

    /**
     * Runs cases until `wish` is aborted, and cleans up before those that only look at observations. After an abort, that
     * takes a second at most, or longer if the reason is another signal, until that one is aborted.
     */
    async run(wanted: readonly Case[], wish: AbortSignal = neverAborted): Promise<void> {
      signal = wish;
      bailed = undefined;
      const { sending, lookingBack } = orderCases(wanted, isGiven);
      try {
        for (const each of sending) await runCase(each);
        await runUnanswered(sending);
      } finally {
        await cleanUp();
      }
      for (const each of lookingBack) await runCase(each);
    },

    /** What became of the accounts; undefined where the check deletes none. */
    cleanup: cleanup.summarize,

    runEnd(isCancelled: boolean): RunEnd {
      if (bailed !== undefined) return { kind: 'bail', caseId: bailed };
      if (isCancelled) return { kind: 'cancelled' };
      return client.stopReason() ?? { kind: 'complete' };
    },
  };
}

/** Deletes the accounts of a check where that is possible, and logs out the tokens that are left. */
function createCleanup({ client, options }: Sequence) {
  const isDeleting = deletesAccounts(options, client.adapter);
  let left: Cleanup['left'] | undefined;
  return {
    isDeleting,
    async run(): Promise<void> {
      if (isDeleting)
        await client.runCleanup(async () => {
          left = await deleteAccounts(client);
        });
      await client.cleanUp(cleanUpCalls);
    },
    summarize: (): Cleanup | undefined => (isDeleting ? summarizeCleanup(client, left) : undefined),
  };
}

/** A reason that is a signal aborts cleaning up when nothing may wait for it any more. */
const signalOfCleanUp = (reason: unknown, isDeleting: boolean): AbortSignal =>
  reason instanceof AbortSignal
    ? AbortSignal.any([reason, AbortSignal.timeout(isDeleting ? deletionMs : unhurriedCleanUpMs)])
    : AbortSignal.timeout(cleanUpMs);

const cameAsItIs: ReadonlySet<AppError['kind']> = new Set(['not-an-api-answer', 'broken-http']);

/** True for a case without a response, or whose missing dependency succeeded since. */
function isWorthATry({ id }: Case, results: Results): boolean {
  const missing = results.reasonNotTested(id);
  // A response that was too large, for example, would be so again.
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
  const waits = countWaits(
    plan.cases.flatMap((id) => casesById.get(id) ?? []),
    options,
    isGiven,
    client.adapter,
  );
  const plannedMs = (1000 * (plan.seconds - waits)) / plan.calls;
  const perCallMs =
    client.calls() === 0 ? plannedMs : Math.max(1000 / options.callsPerSecond, client.millisecondsPerCall());
  const callsLeft = countCalls(left, options, isGiven, client.adapter);
  const codesMs = 1000 * countWaits(left, options, isGiven, client.adapter);
  const leftMs = waitMs + codesMs + callsLeft * perCallMs + client.estimateWaitMs(callsLeft);
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
