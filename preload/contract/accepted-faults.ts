import { z } from 'zod';
import { CaseId } from './report-cases.ts';
import { longestReason } from './run-limits.ts';

/** One fault that somebody accepts, with why and since when. */
export const AcceptedFault = z.object({
  /** Such as `rule:login.answer` or `finding:plain-http`. */
  fault: z.string(),
  /** The case that found it. */
  case: CaseId,
  reason: z.string().trim().min(1).max(longestReason),
  /** The day on which it was accepted, in UTC. */
  accepted: z.iso.date(),
});
export type AcceptedFault = z.infer<typeof AcceptedFault>;

/** What an acceptance means for one report. */
export const ShownAcceptance = AcceptedFault.extend({
  /**
   * `holds`: the report has the fault, and it is accepted. `gone`: the case was measured, and the fault is not there.
   * `unmeasured`: nothing can be said of it.
   */
  state: z.enum(['holds', 'gone', 'unmeasured']),
});
export type ShownAcceptance = z.infer<typeof ShownAcceptance>;
