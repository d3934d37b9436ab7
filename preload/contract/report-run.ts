import { z } from 'zod';
import { CaseId, CaseResult } from './report-cases.ts';
import { AppError } from './result.ts';
import { accountLimits, emailDomainPattern, longestEmailDomain } from './run-limits.ts';

/** The registration path for the accounts of a run. `both` looks at each; with `none` nobody is registered. */
export const RunVariant = z.enum(['registro', 'register', 'both', 'none']);
export type RunVariant = z.infer<typeof RunVariant>;

/** What a person chooses about a run. */
export const RunOptions = z.object({
  callsPerSecond: z.number().min(0.1).max(100).default(5),
  /** Whether the run tries to meet the limit on failed logins, with at most 30 of them at an account of its own. */
  throttling: z.boolean().default(false),
  /** Whether the run sends calls at once, two at a time, to see whether the server keeps them apart. */
  races: z.boolean().default(false),
  variant: RunVariant.default('both'),
  /** The most accounts that the run makes. */
  accounts: z.int().min(accountLimits.least).max(accountLimits.most).default(accountLimits.usual),
  /** Where its addresses are, instead of `example.test` or, where that is refused, `example.com`. */
  emailDomain: z.string().max(longestEmailDomain).regex(emailDomainPattern).optional(),
  /** The cases to run, with those that they need. All cases run when it is absent. */
  only: z.array(CaseId).max(CaseId.options.length).optional(),
  /** Whether the run ends at the first stated case that failed. */
  bail: z.boolean().default(false),
});
export type RunOptions = z.infer<typeof RunOptions>;

/**
 * What is known before a run starts: the most that it takes, without what is sent again because it looked wrong or was
 * throttled. With that, a run sends at most twice as many calls.
 */
export const RunPlan = z.object({ cases: z.array(CaseId), calls: z.int(), accounts: z.int(), seconds: z.number() });
export type RunPlan = z.infer<typeof RunPlan>;

export const RunProgress = z.object({
  /** The case that is under way. It is absent before the first and after the last. */
  current: CaseId.optional(),
  casesDone: z.int(),
  casesPlanned: z.int(),
  callsMade: z.int(),
  callsPlanned: z.int(),
  secondsLeft: z.number(),
  /** When the wait ends that the server asked for, in ISO 8601. It is absent while there is no such wait. */
  waitingUntil: z.string().optional(),
  result: CaseResult.optional(),
});
export type RunProgress = z.infer<typeof RunProgress>;

/** A time when the server throttled the run in the middle of it. What it did not say is absent. */
export const Throttling = z.object({
  /** The id of the call in `Report.evidence`. */
  call: z.string(),
  limit: z.number().optional(),
  windowSeconds: z.number().optional(),
  askedSeconds: z.number().optional(),
  waitedSeconds: z.number(),
});
export type Throttling = z.infer<typeof Throttling>;

/** An account that the run made. The interface has no way to delete it. */
export const MadeAccount = z.object({
  email: z.string(),
  madeBy: CaseId,
  /** It is `unsure` when no answer said whether the account was made. */
  state: z.enum(['made', 'unsure']),
});
export type MadeAccount = z.infer<typeof MadeAccount>;

/** How a run ended. */
export const RunEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('complete') }),
  z.object({ kind: z.literal('cancelled') }),
  /** It ended at the first failure, as a person had asked. */
  z.object({ kind: z.literal('bail'), caseId: CaseId }),
  /** Three calls in a row got no answer that is HTTP/1.1, so no further case was tried. */
  z.object({ kind: z.literal('unreachable'), error: AppError }),
  /** The server is marked as production, so nothing was sent. */
  z.object({ kind: z.literal('production') }),
]);
export type RunEnd = z.infer<typeof RunEnd>;
