import { z } from 'zod';
import { Report } from './contract-report.ts';
import { CaseId, CaseResult } from './report-cases.ts';
import { RunOptions, RunProgress } from './report-run.ts';
import { CallSummary } from './calls.ts';
import { ShownAcceptance } from './accepted-faults.ts';
import { KeptRun } from './kept-runs.ts';

/** A report as the screens show it. The calls that prove it are summaries, and the window asks for each by itself. */
export const ShownReport = Report.omit({ evidence: true }).extend({ evidence: z.array(CallSummary) });
export type ShownReport = z.infer<typeof ShownReport>;

/** A report of an earlier run, with what is accepted of it today. */
export const OpenedReport = z.object({ report: ShownReport, acceptances: z.array(ShownAcceptance) });
export type OpenedReport = z.infer<typeof OpenedReport>;

/** The run that is under way. There is one at a time. */
export const RunUnderWay = z.object({
  serverId: z.string(),
  /** If it is there, only this case is measured anew. */
  caseId: CaseId.optional(),
  /** The server that is measured after this one, to compare the two. */
  next: z.string().optional(),
  progress: RunProgress.omit({ result: true }),
  /** They are in the order in which they came. An event has only those that are new since the one before. */
  results: z.array(CaseResult),
  /** Whether the run was cancelled. It then still logs out what is open. */
  cancelled: z.boolean(),
});
export type RunUnderWay = z.infer<typeof RunUnderWay>;

const contractRuns = z.object({
  underWay: RunUnderWay.optional(),
  /** The last report of each server, the newest first. */
  reports: z.array(
    z.object({
      serverId: z.string(),
      report: ShownReport,
      /** The number under which it is kept. It is absent where it is not, as after a run that measured nothing. */
      number: z.int().optional(),
      /** What is accepted of the server. It is absent where nothing is. */
      acceptances: z.array(ShownAcceptance).optional(),
      /** Whether its run can measure single cases again, until a lock or the end of the application. */
      runKept: z.boolean(),
      /** How much differs by meaning from what the runs before have taught, the last of which began at `since`. */
      changed: z.object({ count: z.int(), since: z.string() }).optional(),
    }),
  ),
  /** All runs whose reports are kept, the newest first. It is absent where there are none. */
  kept: z.array(KeptRun).optional(),
  /** The two servers that were measured one after the other, once both have a report. */
  compared: z.object({ before: z.string(), after: z.string() }).optional(),
});
/**
 * The contract runs. Their reports are kept from one start of the application to the next. The type has a name for the
 * same reason as that of `AppState`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- An interface gives a type a name, and an alias does not.
export interface ContractRuns extends z.infer<typeof contractRuns> {}
export const ContractRuns: z.ZodType<ContractRuns> = contractRuns;

/** How far the run is. Without a run, one has just ended. There are at most five steps a second. */
export const RunStep = z.object({ underWay: RunUnderWay.optional() });
export type RunStep = z.infer<typeof RunStep>;

const id = z.string().max(100);

export const WantedRun = z.object({
  serverId: id,
  /** The server that is measured after it, to compare the two. */
  compareWith: id.optional(),
  options: RunOptions,
});
export type WantedRun = z.infer<typeof WantedRun>;
