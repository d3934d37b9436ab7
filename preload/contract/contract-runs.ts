import { z } from 'zod';
import { CaseId, CaseResult, Report, RunOptions, RunProgress } from './contract-report.ts';
import { CallSummary } from './calls.ts';

/** A report as the screens show it: what proves it is in a list, and asked for one by one. */
export const ShownReport = Report.omit({ evidence: true }).extend({ evidence: z.array(CallSummary) });
export type ShownReport = z.infer<typeof ShownReport>;

/** The run that is under way; there is one at a time. */
export const RunUnderWay = z.object({
  serverId: z.string(),
  /** Only this case is measured anew. */
  caseId: CaseId.optional(),
  /** The server that is run after this one, to compare the two. */
  next: z.string().optional(),
  progress: RunProgress.omit({ result: true }),
  /** As they came, in an event only those that are new since the one before. */
  results: z.array(CaseResult),
  /** What is open is still logged out. */
  cancelled: z.boolean(),
});
export type RunUnderWay = z.infer<typeof RunUnderWay>;

const contractRuns = z.object({
  underWay: RunUnderWay.optional(),
  /**
   * The last of each server, the newest first. Its run, with which single cases are measured again, is kept until
   * the application is locked.
   */
  reports: z.array(z.object({ serverId: z.string(), report: ShownReport, runKept: z.boolean() })),
  /** The two servers that were run one after the other, once both have a report. */
  compared: z.object({ before: z.string(), after: z.string() }).optional(),
});
type ContractRunsFields = typeof contractRuns;
/** A name for its type, as for that of `AppState`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- that is what gives a type a name.
export interface ContractRunsSchema extends ContractRunsFields {}

/** The contract runs of this run of the application. Nothing of them is stored. */
export const ContractRuns: ContractRunsSchema = contractRuns;
export type ContractRuns = z.infer<typeof ContractRuns>;

/** How far it is; without a run, one has just ended. At most five a second. */
export const RunStep = z.object({ underWay: RunUnderWay.optional() });
export type RunStep = z.infer<typeof RunStep>;

const id = z.string().max(100);

export const WantedRun = z.object({
  serverId: id,
  /** Run after it, to compare the two. */
  compareWith: id.optional(),
  options: RunOptions,
});
export type WantedRun = z.infer<typeof WantedRun>;
