import type { ReportComparison } from '../../../preload/contract/contract-report.ts';
import type { AppError, Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import type { RunOf } from './use-opened-report.ts';

/** The servers that are compared. What a server has changed is compared with runs of its own. */
export interface Compared {
  before?: string;
  after: string;
}

interface ComparisonsProps {
  onCompared: (comparison: ReportComparison, servers: Compared) => void;
  onFailed: (error: AppError) => void;
}

/** Compares servers, runs, and a run with those before it. */
export function useComparisons({ onCompared, onFailed }: ComparisonsProps) {
  const show = (result: Result<ReportComparison>, servers: Compared): void =>
    result.ok ? onCompared(result.value, servers) : onFailed(result.error);
  return {
    compareWith: async (before: string, after: string) =>
      show(await api.contractRun.compare({ serverId: before, otherId: after }), { before, after }),
    /** Compares two runs. Those of one server cannot be run again side by side. */
    compareRuns: async (before: RunOf, after: RunOf) => {
      const { serverId, number } = before;
      const other = { otherId: after.serverId, otherNumber: after.number };
      show(await api.contractRun.compare({ serverId, number, ...other }), { after: after.serverId });
    },
    showChanges: async (after: string) => show(await api.contractRun.changes({ serverId: after }), { after }),
  };
}
