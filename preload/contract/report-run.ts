import { z } from 'zod';
import { CaseId, CaseResult } from './report-cases.ts';
import { AppError } from './result.ts';

/** Variant chosen for the accounts a run makes; `both` looks at each, with `none` nobody is registered. */
export const RunVariant = z.enum(['registro', 'register', 'both', 'none']);
export type RunVariant = z.infer<typeof RunVariant>;

/** What a person chooses about a run. */
export const RunOptions = z.object({
  callsPerSecond: z.number().min(0.1).max(100).default(5),
  /** Try to meet the limit on failed logins: at most 30 of them, at an account of the run's own. */
  throttling: z.boolean().default(false),
  variant: RunVariant.default('both'),
  /** These cases and what they need; all without it. */
  only: z.array(CaseId).max(CaseId.options.length).optional(),
  /** End at the first stated case that failed. */
  bail: z.boolean().default(false),
});
export type RunOptions = z.infer<typeof RunOptions>;

/**
 * Known before a run starts: the most it takes, without what is sent again because it looked wrong or was throttled.
 * With that, a run sends at most twice as many calls.
 */
export const RunPlan = z.object({ cases: z.array(CaseId), calls: z.int(), accounts: z.int(), seconds: z.number() });
export type RunPlan = z.infer<typeof RunPlan>;

export const RunProgress = z.object({
  /** Under way; absent before the first and after the last. */
  current: CaseId.optional(),
  casesDone: z.int(),
  casesPlanned: z.int(),
  callsMade: z.int(),
  callsPlanned: z.int(),
  secondsLeft: z.number(),
  /** While the server has told it to wait: until then, ISO 8601. */
  waitingUntil: z.string().optional(),
  /** As it came. */
  result: CaseResult.optional(),
});
export type RunProgress = z.infer<typeof RunProgress>;

/** An account the run made, which the interface has no way to delete. */
export const MadeAccount = z.object({
  email: z.string(),
  madeBy: CaseId,
  /** `unsure`: no answer said whether it was made. */
  state: z.enum(['made', 'unsure']),
});
export type MadeAccount = z.infer<typeof MadeAccount>;

/** How a run ended. */
export const RunEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('complete') }),
  z.object({ kind: z.literal('cancelled') }),
  /** At the first failure, as asked. */
  z.object({ kind: z.literal('bail'), caseId: CaseId }),
  /** Three calls in a row got no whole answer: the cases were not tried further. */
  z.object({ kind: z.literal('unreachable'), error: AppError }),
  /** The server is marked as production: nothing was sent. */
  z.object({ kind: z.literal('production') }),
]);
export type RunEnd = z.infer<typeof RunEnd>;
