import { z } from 'zod';
import { CaseId, ObservedValue, Subject } from './report-cases.ts';
import { Question } from './report-questions.ts';

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
export const KeptRun = RunSummary.omit({ faults: true }).extend({
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
export type KeptRun = z.infer<typeof KeptRun>;

/** The run on which something was seen. */
export const RunMoment = z.object({
  number: z.int(),
  startedAt: z.string(),
  /** Whether its report can still be opened. */
  isKept: z.boolean(),
});
export type RunMoment = z.infer<typeof RunMoment>;

/** What a server said to one question at one time: how it kept a rule, or what it answered, if it answered that. */
export const SaidThen = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('outcome'), outcome: z.enum(['passed', 'failed', 'answered']) }),
  z.object({ kind: z.literal('answer'), value: ObservedValue.optional() }),
]);
export type SaidThen = z.infer<typeof SaidThen>;

/** One question of the interface, with what a server said to it over time. */
export const QuestionHistory = z.object({
  caseId: CaseId,
  section: z.int().optional(),
  /** It is absent where the line is about how the rule of the case was kept. */
  question: Question.optional(),
  subject: Subject.optional(),
  /** What was said since which run. The oldest is the first, and the last one holds now. */
  states: z.array(z.object({ since: RunMoment, said: SaidThen })).min(1),
});
export type QuestionHistory = z.infer<typeof QuestionHistory>;

/** What the runs of a server have taught over time. */
export const RunHistory = z.object({
  /** How many runs there were, those included whose reports are not kept any more. */
  runs: z.int(),
  first: RunMoment.optional(),
  /** In the order of the cases. */
  questions: z.array(QuestionHistory),
});
export type RunHistory = z.infer<typeof RunHistory>;
