import type { Report, ReportComparison } from '../../preload/contract/contract-report.ts';
import type { ContractRuns } from '../../preload/contract/contract-runs.ts';
import type { ReportStore } from './report-store.ts';
import type { Run } from './run.ts';

/** The last run of a server. Once the application was locked, only its report is left: a run holds passwords and tokens. */
export type LastRun = {
  run?: Run | undefined;
  report: Report;
  /** Under which it is kept, if it is. */
  number: number | undefined;
  way: string;
  /** What changed since the runs before, if there was one. */
  comparison: ReportComparison | undefined;
};

/** A last run as the window gets it, but for its report, which is whole. */
export type ShownRun = Omit<ContractRuns['reports'][number], 'report'> & { report: Report };

/** Keeps the last report of each server, with its run while the application is not locked. */
export function createLastRuns(earlier: () => ReturnType<ReportStore['newest']>) {
  let loaded: Map<string, LastRun> | undefined;
  /** Whether a lock ended what is under way. */
  let locked = false;

  /** Returns them by server, with the newest as the last. */
  function entries(): Map<string, LastRun> {
    loaded ??= new Map(earlier().map(({ server, ...entry }) => [server, { ...entry, way: '' }]));
    return loaded;
  }

  return {
    get: (serverId: string): LastRun | undefined => entries().get(serverId),

    keep(serverId: string, entry: LastRun): void {
      entries().delete(serverId);
      entries().set(serverId, { ...entry, run: locked ? undefined : entry.run });
    },

    forget: (serverId: string): void => void entries().delete(serverId),

    /** Takes the newest report that is still kept of a server, in the place of the one that was deleted. */
    replace(serverId: string): void {
      const found = earlier().find(({ server }) => server === serverId);
      if (!found) entries().delete(serverId);
      else entries().set(serverId, { ...found, way: '' });
    },

    lock(): void {
      locked = true;
      for (const [id, entry] of loaded ?? []) loaded?.set(id, { ...entry, run: undefined });
    },

    unlock(): void {
      locked = false;
    },

    /** Answers the reports, the newest first, without those of servers that are gone. */
    shown: (existing: ReadonlySet<string>): ShownRun[] =>
      [...entries()]
        .filter(([id]) => existing.has(id))
        .map(([serverId, { run, report, number, comparison }]) => ({
          serverId,
          report,
          number,
          runKept: run !== undefined,
          changed: comparison && { count: comparison.differences.length, since: comparison.before.startedAt },
        }))
        .toReversed(),
  };
}
