import type { Report } from '../../preload/contract/contract-report.ts';
import type { ContractRuns } from '../../preload/contract/contract-runs.ts';
import { RunOptions } from '../../preload/contract/report-run.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { MeasuredRun } from '../double/learn.ts';

/** What doubles need of the contract runs. */
export type RunsForDoubles = {
  start: (wanted: { serverId: string; options: RunOptions }) => Result<ContractRuns>;
  ended: () => Promise<void>;
  /** Without a number, it is the last one of the server. */
  reportOf: (serverId: string, number?: number) => Report | undefined;
  measured: (serverId: string, number?: number) => MeasuredRun | undefined;
  cancel: () => unknown;
};

export type Measuring = ReturnType<typeof createMeasuring>;

/** Measures servers with the contract run of the window, so that its report is kept like any other. */
export function createMeasuring(options: {
  runs: () => Promise<RunsForDoubles>;
  /** Makes sure that a server which runs here does so. */
  ready: (serverId: string) => Promise<Result<null>>;
  callsPerSecond: () => number;
}) {
  const { runs, ready, callsPerSecond } = options;

  return {
    /** Returns what the last run of a server saw, while that is in memory. */
    last: async (serverId: string): Promise<MeasuredRun | undefined> => (await runs()).measured(serverId),

    /**
     * Measures a server, and returns what was seen. It is cancelled where the person ended the run.
     * @param like what was chosen for an earlier run, so that the two can be compared
     */
    async measure(serverId: string, like?: RunOptions): Promise<Result<MeasuredRun>> {
      const isReady = await ready(serverId);
      if (!isReady.ok) return isReady;
      const { start, ended, measured } = await runs();
      const before = measured(serverId)?.report;
      const started = start({ serverId, options: RunOptions.parse({ ...like, callsPerSecond: callsPerSecond() }) });
      if (!started.ok) return started;
      await ended();
      const run = measured(serverId);
      if (!run || run.report === before) return fail({ kind: 'cancelled' });
      return run.report.ended.kind === 'cancelled' ? fail({ kind: 'cancelled' }) : ok(run);
    },

    cancel: async (): Promise<void> => void (await runs()).cancel(),
  };
}
