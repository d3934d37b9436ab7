import type { CaseId, CaseResult } from '../../preload/contract/report-cases.ts';
import type { RunProgress } from '../../preload/contract/report-run.ts';
import type { RunStep, RunUnderWay } from '../../preload/contract/contract-runs.ts';
import type { Run } from './run.ts';
import { throttled } from './throttled.ts';

/** Milliseconds between two steps that the window is told. */
const stepInterval = 200;

/** Keeps the run that is under way, if there is one, and tells the window of it. There is one at a time. */
export function createUnderWay(onStep: (step: RunStep) => void, report: (error: unknown) => unknown) {
  let underWay: RunUnderWay | undefined;
  let cancel = new AbortController();
  /** It is aborted when nobody may wait for what is under way, not even for its logging out. */
  let quit = new AbortController();
  /** It is settled when nothing is under way. */
  let ending: Promise<void> = Promise.resolve();

  const steps = throttled<RunUnderWay>(
    stepInterval,
    (older, newer) => ({ ...newer, results: [...older.results, ...newer.results] }),
    (step) => onStep({ underWay: step }),
  );

  return {
    get: (): RunUnderWay | undefined => underWay,

    /** Answers the signal that is aborted when what is under way is to end. */
    signal: (): AbortSignal => cancel.signal,
    /** Ends what is under way within a second or so. */
    abort(): void {
      cancel.abort();
      quit.abort();
    },

    begin(serverId: string, more: { caseId?: CaseId; next?: string | undefined }, run: Run): void {
      const progress = {
        casesDone: 0,
        casesPlanned: run.plan.cases.length,
        callsMade: 0,
        callsPlanned: run.plan.calls,
        secondsLeft: run.plan.seconds,
      };
      underWay = { serverId, ...more, progress, results: [], cancelled: cancel.signal.aborted };
      steps.put(underWay);
    },

    progressed(serverId: string, progress: Omit<RunProgress, 'result'>, result: CaseResult | undefined): void {
      if (underWay?.serverId !== serverId) return;
      underWay = { ...underWay, progress, results: result ? [...underWay.results, result] : underWay.results };
      steps.put({ ...underWay, results: result ? [result] : [] });
    },

    /** Does one thing after which nothing is under way; the window reads the state then. */
    hold(work: () => Promise<void>): void {
      cancel = new AbortController();
      quit = new AbortController();
      ending = work()
        .catch(report)
        .then(() => {
          underWay = undefined;
          steps.flush();
          onStep({});
        });
    },

    /** Ends what is under way, which logs out first. The window is told that it is about to end. */
    end(): void {
      cancel.abort(quit.signal);
      if (!underWay) return;
      underWay = { ...underWay, cancelled: true };
      steps.put({ ...underWay, results: [] });
    },

    /** Settles when nothing is under way. */
    ended: (): Promise<void> => ending,
  };
}
