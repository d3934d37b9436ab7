import { z } from 'zod';
import type { CaseId, ObservedValue, Subject, Question, CaseResult } from './report-cases.ts';
import { type Report, RunOptions, type RunProgress, type AcceptanceStatus } from './report.ts';
import type { CallSummary } from './calls.ts';

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
export type StoredRun = Omit<RunSummary, 'faults'> & {
  serverId: string;
  /** It is the same as long as the run is kept, and larger than those of earlier runs. */
  number: number;
  startedAt: string;
  toolVersion: string;
  /** Whether it stays when the newer ones are as many as are kept. */
  pinned: boolean;
  /** How many of its broken rules and findings are accepted today. */
  accepted: number;
};

/** The run on which something was seen. */
export type HistoryRun = {
  number: number;
  startedAt: string;
  /** Whether its report can still be opened. */
  isStored: boolean;
};

/** What a server said to one question at one time: how it kept a rule, or what it answered, if it answered that. */
export type HistoryEntry =
  | { kind: 'outcome'; outcome: 'passed' | 'failed' | 'answered' }
  | { kind: 'answer'; value?: ObservedValue | undefined };

/** One question of the interface, with what a server said to it over time. */
export type QuestionHistory = {
  caseId: CaseId;
  section?: number | undefined;
  /** It is absent where the line is about how the rule of the case was kept. */
  question?: Question | undefined;
  subject?: Subject | undefined;
  /** What was said since which run. The oldest is the first, and the last one holds now. */
  states: { since: HistoryRun; entry: HistoryEntry }[];
};

/** What the runs of a server have taught over time. */
export type RunHistory = {
  /** How many runs there were, those included whose reports are not kept any more. */
  runs: number;
  first?: HistoryRun | undefined;
  /** In the order of the cases. */
  questions: QuestionHistory[];
};

/** A report as the screens show it. The calls that prove it are summaries, and the window asks for each by itself. */
export type ReportDetails = Omit<Report, 'evidence'> & {
  evidence: CallSummary[];
  /**
   * The names of the shipped descriptions that the server may have, none where its answers are signs of no known one. It is
   * absent where its interface is the one of the run.
   */
  otherInterfaces?: string[] | undefined;
};

/** A report of an earlier run, with what is accepted of it today. */
export type OpenedReport = { report: ReportDetails; acceptances: AcceptanceStatus[] };

/** The run that is under way. There is one at a time. */
export type CheckInProgress = {
  serverId: string;
  /** If it is there, only this case is measured again. */
  caseId?: CaseId | undefined;
  /** The server that is measured after this one, to compare the two. */
  next?: string | undefined;
  progress: Omit<RunProgress, 'result'>;
  /** They are in the order in which they came. An event has only those that are new since the one before. */
  results: CaseResult[];
  /** Whether the run was cancelled. It then still logs out what is open. */
  cancelled: boolean;
};

/** The checks. Their reports are kept from one start of the application to the next. */
export type ChecksState = {
  running?: CheckInProgress | undefined;
  /** The last report of each server, the newest first. */
  reports: {
    serverId: string;
    report: ReportDetails;
    /** The number under which it is kept. It is absent where it is not, as after a run that measured nothing. */
    number?: number | undefined;
    /** What is accepted of the server. It is absent where nothing is. */
    acceptances?: AcceptanceStatus[] | undefined;
    /** Whether its run can measure single cases again, until a lock or the end of the application. */
    canRerun: boolean;
    /** How much differs by meaning from what the runs before have taught, the last of which began at `since`. */
    changed?: { count: number; since: string } | undefined;
  }[];
  /** All runs whose reports are kept, the newest first. It is absent if no report is kept. */
  stored?: StoredRun[] | undefined;
  /** The two servers that were measured one after the other, once both have a report. */
  compared?: { before: string; after: string } | undefined;
};

/** How far the run is. Without a run, one has just ended. There are at most five steps a second. */
export type CheckProgressEvent = { running?: CheckInProgress | undefined };

const id = z.string().max(100);

export const CheckRequest = z.object({
  serverId: id,
  /** The server that is measured after it, to compare the two. */
  compareWith: id.optional(),
  options: RunOptions,
});
export type CheckRequest = z.infer<typeof CheckRequest>;
