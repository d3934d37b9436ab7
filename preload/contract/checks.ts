import { z } from 'zod';
import { CaseId, ObservedValue, Subject, Question, CaseResult } from './report-cases.ts';
import { Report, RunOptions, RunProgress, AcceptanceStatus } from './report.ts';
import { CallSummary } from './calls.ts';

/** What a list says of a report without reading it. */
export const RunSummary = z.object({
  kept: z.int(),
  broken: z.int(),
  findings: z.int(),
  /** Ids of everything that could be accepted. */
  faults: z.array(z.string()),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** A run of a server whose report is kept whole. */
export const StoredRun = RunSummary.omit({ faults: true }).extend({
  serverId: z.string(),
  /** It is the same as long as the run is kept, and larger than those of earlier runs. */
  number: z.int(),
  startedAt: z.string(),
  toolVersion: z.string(),
  /** Whether it stays when the newer ones are as many as are kept. */
  pinned: z.boolean(),
  /** How many of its broken rules and findings are accepted today. */
  accepted: z.int(),
});
export type StoredRun = z.infer<typeof StoredRun>;

/** The run on which something was seen. */
export const HistoryRun = z.object({
  number: z.int(),
  startedAt: z.string(),
  /** Whether its report can still be opened. */
  isKept: z.boolean(),
});
export type HistoryRun = z.infer<typeof HistoryRun>;

/** What a server said to one question at one time: how it kept a rule, or what it answered, if it answered that. */
export const HistoryEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('outcome'), outcome: z.enum(['passed', 'failed', 'answered']) }),
  z.object({ kind: z.literal('answer'), value: ObservedValue.optional() }),
]);
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** One question of the interface, with what a server said to it over time. */
export const QuestionHistory = z.object({
  caseId: CaseId,
  section: z.int().optional(),
  /** It is absent where the line is about how the rule of the case was kept. */
  question: Question.optional(),
  subject: Subject.optional(),
  /** What was said since which run. The oldest is the first, and the last one holds now. */
  states: z.array(z.object({ since: HistoryRun, said: HistoryEntry })).min(1),
});
export type QuestionHistory = z.infer<typeof QuestionHistory>;

/** What the runs of a server have taught over time. */
export const RunHistory = z.object({
  /** How many runs there were, those included whose reports are not kept any more. */
  runs: z.int(),
  first: HistoryRun.optional(),
  /** In the order of the cases. */
  questions: z.array(QuestionHistory),
});
export type RunHistory = z.infer<typeof RunHistory>;

/** A report as the screens show it. The calls that prove it are summaries, and the window asks for each by itself. */
export const ReportDetails = Report.omit({ evidence: true }).extend({
  evidence: z.array(CallSummary),
  /**
   * The names of the shipped descriptions that the server may have, none where its answers are signs of no known one. It is
   * absent where its interface is the one of the run.
   */
  otherInterfaces: z.array(z.string()).optional(),
});
export type ReportDetails = z.infer<typeof ReportDetails>;

/** A report of an earlier run, with what is accepted of it today. */
export const OpenedReport = z.object({ report: ReportDetails, acceptances: z.array(AcceptanceStatus) });
export type OpenedReport = z.infer<typeof OpenedReport>;

/** The run that is under way. There is one at a time. */
export const CheckInProgress = z.object({
  serverId: z.string(),
  /** If it is there, only this case is measured again. */
  caseId: CaseId.optional(),
  /** The server that is measured after this one, to compare the two. */
  next: z.string().optional(),
  progress: RunProgress.omit({ result: true }),
  /** They are in the order in which they came. An event has only those that are new since the one before. */
  results: z.array(CaseResult),
  /** Whether the run was cancelled. It then still logs out what is open. */
  cancelled: z.boolean(),
});
export type CheckInProgress = z.infer<typeof CheckInProgress>;

const contractRuns = z.object({
  underWay: CheckInProgress.optional(),
  /** The last report of each server, the newest first. */
  reports: z.array(
    z.object({
      serverId: z.string(),
      report: ReportDetails,
      /** The number under which it is kept. It is absent where it is not, as after a run that measured nothing. */
      number: z.int().optional(),
      /** What is accepted of the server. It is absent where nothing is. */
      acceptances: z.array(AcceptanceStatus).optional(),
      /** Whether its run can measure single cases again, until a lock or the end of the application. */
      runKept: z.boolean(),
      /** How much differs by meaning from what the runs before have taught, the last of which began at `since`. */
      changed: z.object({ count: z.int(), since: z.string() }).optional(),
    }),
  ),
  /** All runs whose reports are kept, the newest first. It is absent if no report is kept. */
  kept: z.array(StoredRun).optional(),
  /** The two servers that were measured one after the other, once both have a report. */
  compared: z.object({ before: z.string(), after: z.string() }).optional(),
});
/**
 * The contract runs. Their reports are kept from one start of the application to the next. The type has a name for the
 * same reason as that of `AppState`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- An interface gives a type a name, and an alias does not.
export interface ChecksState extends z.infer<typeof contractRuns> {}
export const ChecksState: z.ZodType<ChecksState> = contractRuns;

/** How far the run is. Without a run, one has just ended. There are at most five steps a second. */
export const CheckProgressEvent = z.object({ running: CheckInProgress.optional() });
export type CheckProgressEvent = z.infer<typeof CheckProgressEvent>;

const id = z.string().max(100);

export const CheckRequest = z.object({
  serverId: id,
  /** The server that is measured after it, to compare the two. */
  compareWith: id.optional(),
  options: RunOptions,
});
export type CheckRequest = z.infer<typeof CheckRequest>;
