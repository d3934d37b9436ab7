import { z } from 'zod';
import { ModelRemark } from './model-remarks.ts';
import { BehaviourChange, ClockMove } from './built-in-server.ts';
import { ReportComparison } from './contract-report.ts';
import { RuleName, RuleValue, SharedModel } from './doubles.ts';
import { byId, method } from './method.ts';
import { AppState } from './models.ts';
import { CaseId, NotMeasured } from './report-cases.ts';
import { FindingId } from './report-findings.ts';

/** What is in a double's model, and how it compares with its original. */
export const DoubleDetails = z.object({
  /** How many calls of the original it rests on, and how many answers it knows. */
  calls: z.int(),
  answers: z.int(),
  /** The rules that were measured, each with the number of calls that it rests on. */
  learned: z.array(z.object({ rule: RuleName, value: RuleValue, calls: z.int() })),
  /** The rules that were not measured: the service's own choice stands there. */
  notMeasured: z.array(RuleName),
  /** The cases that the run could not measure. It is absent where there is no report of the original. */
  unmeasuredCases: z.array(z.object({ caseId: CaseId, reason: NotMeasured })).optional(),
  /** What the model says of itself. A model of before says it in English sentences. */
  remarks: z.array(z.union([z.string(), ModelRemark])),
  /** How the double compares with its original. `before` is the original. */
  comparison: ReportComparison.optional(),
  /** What the original did otherwise when it was measured again. */
  changes: ReportComparison.optional(),
});
export type DoubleDetails = z.infer<typeof DoubleDetails>;

/** Doubles: servers that were measured, and are imitated on this computer. */
export const doubleMethods = {
  /**
   * Makes a double of a server from its last run, or measures it first. Answers the id of the double once that runs; the
   * comparison with its original goes on.
   */
  make: method(z.object({ serverId: byId.shape.id, measure: z.boolean() }), z.object({ id: z.string() })),
  /** Measures the original of a double again, and learns the double anew. Its accounts stay. */
  measureAgain: method(byId, z.object({ id: z.string() })),
  /** Ends what is under way of a double that is being made or measured again, and forgets why one failed. */
  cancel: method(z.void(), AppState),
  /** Compares a double with its original once more. */
  compare: method(byId, AppState),
  start: method(byId, AppState),
  stop: method(byId, AppState),
  details: method(byId, DoubleDetails),
  /** Moves the clock of a double. It is back at the next start. */
  moveClock: method(byId.extend({ to: ClockMove }), AppState),
  behave: method(byId.extend({ change: BehaviourChange.omit({ dialect: true }) }), AppState),
  /** Asks for the file with the system's own dialog. `exported` is false when none was chosen. */
  exportModel: method(byId, z.object({ exported: z.boolean() })),
  /**
   * Writes a report of one finding into a file that it asks for, with the model of the server in it. Without a number it
   * is one of the last run of the server.
   */
  shareFinding: method(
    z.object({ serverId: byId.shape.id, number: z.int().min(0).optional(), findingId: FindingId }),
    z.discriminatedUnion('exported', [
      z.object({ exported: z.literal(false) }),
      z.object({ exported: z.literal(true), model: SharedModel }),
    ]),
  ),
  /** Makes a double from a file, for which the system's own dialog asks. The id is absent when none was chosen. */
  importModel: method(z.void(), z.object({ id: z.string().optional() })),
} as const;
