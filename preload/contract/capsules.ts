import { z } from 'zod';
import { RecordedCall } from './calls.ts';
import { ReportComparison } from './contract-report.ts';
import { ShownReport } from './contract-runs.ts';
import { byId, method } from './method.ts';
import { CaseId } from './report-cases.ts';
import { FindingId } from './report-findings.ts';

/** What a capsule holds, as the window shows it. */
export const ShownCapsule = z.object({
  /** The version of Llavero that made it. */
  toolVersion: z.string(),
  caseId: CaseId,
  /** It is there where the capsule is about what the case found. */
  findingId: FindingId.optional(),
  /** It has one case, what that found, and the calls that show it. */
  report: ShownReport,
  /** They repeat it at the server itself. */
  commands: z.array(z.string()),
  /** How many answers its model knows. */
  answers: z.int(),
});
export type ShownCapsule = z.infer<typeof ShownCapsule>;

/** What the double of a capsule showed. */
export const CapsuleRun = z.object({
  /** Whether it is the same by meaning. */
  isSame: z.boolean(),
  report: ShownReport,
  /** `before` is the original. */
  comparison: ReportComparison,
});
export type CapsuleRun = z.infer<typeof CapsuleRun>;

/** Capsules: one case or finding in a file, which is run without its server. */
export const capsuleMethods = {
  /**
   * Writes one of a server's run into a file that it asks for: of its last one, or of the one whose report has this
   * number, while that is in memory. `exported` is false when none was chosen.
   */
  save: method(
    z.object({
      serverId: byId.shape.id,
      number: z.int().min(0).optional(),
      caseId: CaseId,
      findingId: FindingId.optional(),
    }),
    z.object({ exported: z.boolean() }),
  ),
  /** Opens one out of a file that it asks for, and runs nothing. It is absent when none was chosen. */
  open: method(z.void(), z.object({ capsule: ShownCapsule.optional() })),
  /** Answers one call of the opened capsule. */
  evidence: method(byId, RecordedCall),
  /** Runs the case of the opened capsule at the double of its model, which ends with that. */
  run: method(z.void(), CapsuleRun),
  /** Forgets the opened capsule, and ends what is run of it. */
  close: method(z.void(), z.object({})),
} as const;
