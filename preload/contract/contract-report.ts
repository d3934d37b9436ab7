import { z } from 'zod';
import { AcceptedFault } from './accepted-faults.ts';
import { RecordedCall } from './calls.ts';
import { CaseId, CaseResult, NotMeasured, ObservedValue, Subject } from './report-cases.ts';
import { Question } from './report-questions.ts';
import { Finding, FindingId, Severity } from './report-findings.ts';
import { MadeAccount, RunEnd, RunOptions, Throttling } from './report-run.ts';

/**
 * Everything that a run found, as the report's file has it. It holds no secret: neither the passwords and tokens that the
 * run used, nor those that the server sent.
 */
export const Report = z.object({
  schema: z.literal('llavero-report'),
  version: z.literal(1),
  /** The version of Llavero. */
  toolVersion: z.string(),
  baseUrl: z.string(),
  serverName: z.string().optional(),
  /** In ISO 8601. */
  startedAt: z.string(),
  endedAt: z.string(),
  durationMs: z.number(),
  options: RunOptions,
  ended: RunEnd,
  /** The number of calls that were sent in all, those of the clean-up included. */
  calls: z.int(),
  accounts: z.array(MadeAccount),
  /** When the server throttled the run, in that order. It is absent where it never did. */
  throttlings: z.array(Throttling).optional(),
  /** The email of the account that the run was given. */
  givenAccount: z.string().optional(),
  /** The names of the extra headers that were in its calls. Their values are secrets. */
  extraHeaders: z.array(z.string()).optional(),
  /** In the order of {@link CaseId}. Each case of the plan is there once. */
  cases: z.array(CaseResult),
  /** The most severe is the first. */
  findings: z.array(Finding),
  /** What was accepted of it when the file was written. It is absent where nothing was. */
  accepted: z.array(AcceptedFault.extend({ reason: z.string(), accepted: z.string() })).optional(),
  /** Texts of bodies are cut at 4 KiB; their `bytes` says how long they were. */
  evidence: z.array(RecordedCall.omit({ replayOf: true, contractRun: true })),
});
export type Report = z.infer<typeof Report>;

/** Whose report one side of a comparison is. */
const ComparedReport = Report.pick({ baseUrl: true, serverName: true, startedAt: true, toolVersion: true });

/** One thing that differs by meaning. */
export const ReportDifference = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('outcome'),
    caseId: CaseId,
    before: z.enum(['passed', 'failed', 'answered']),
    after: z.enum(['passed', 'failed', 'answered']),
  }),
  /** An absent value means that the case had no such answer on that side. */
  z.object({
    kind: z.literal('answer'),
    caseId: CaseId,
    question: Question,
    subject: Subject.optional(),
    before: ObservedValue.optional(),
    after: ObservedValue.optional(),
  }),
  z.object({
    kind: z.literal('finding'),
    change: z.enum(['new', 'gone']),
    id: FindingId,
    severity: Severity,
    caseId: CaseId,
  }),
]);
export type ReportDifference = z.infer<typeof ReportDifference>;

/** Two reports compared by meaning, without what changes from run to run. */
export const ReportComparison = z.object({
  before: ComparedReport,
  after: ComparedReport,
  /** The cases that both sides measured. */
  compared: z.int(),
  differences: z.array(ReportDifference),
  /** Cases that were measured on the other side only. Without a reason, the run of this side did not have the case. */
  unknown: z.array(z.object({ caseId: CaseId, side: z.enum(['before', 'after']), reason: NotMeasured.optional() })),
});
export type ReportComparison = z.infer<typeof ReportComparison>;
