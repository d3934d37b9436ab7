import { z } from 'zod';
import type { RuleName, RuleValue } from './local-servers.ts';
import type { AccountRuleName } from './names.ts';
import { CaseId, NotMeasured } from './report-cases.ts';
import type { ReportComparison } from './report.ts';

const Calls = z.int().min(0).max(2_000_000);
const name = z.string().max(100);

/** The option that a run needs for a case. */
const OnlyWith = z.enum(['throttling', 'races']).optional();

/** Rules of a server that a run may leave open. */
export const UntestedRule = z.enum([
  'nameMost',
  'emailMost',
  'passwordLeast',
  'passwordMost',
  'passwordCutAt',
  'registrationIgnoresCase',
  'registrationTrims',
  'loginIgnoresCase',
  'loginTrims',
  'refusesTakenEmail',
  'unknownEmailAtOnce',
  'tokensPerAccount',
  'logoutEnds',
  'tokenSeconds',
  'schemeIgnoresCase',
  'bodyMostBytes',
  'failedLogins',
]);
export type UntestedRule = z.infer<typeof UntestedRule>;

/** Rules whose value lies between two that were tried. */
export const UntestedLengthRule = UntestedRule.extract(['nameMost', 'emailMost', 'passwordLeast', 'passwordMost']);
export type UntestedLengthRule = z.infer<typeof UntestedLengthRule>;

/**
 * What a server model says of itself beside its answers and rules: what could not be told apart, what is left out, and
 * what was not measured, with the most calls that would show it. `reports.model` in the words says them.
 */
export const MockRemark = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('secret-left-out') }),
  /** A name or a value was longer than a model holds, or nested deeper, or there were too many. */
  z.strictObject({ kind: z.literal('did-not-fit') }),
  /** A value under the name of a secret is another one in each answer. */
  z.strictObject({ kind: z.literal('secret-made-up'), name }),
  z.strictObject({ kind: z.literal('text-differs'), name }),
  z.strictObject({ kind: z.literal('number-differs'), name }),
  z.strictObject({ kind: z.literal('cut') }),
  z.strictObject({ kind: z.literal('several-ways'), situation: name, where: z.string().max(2000) }),
  z.strictObject({ kind: z.literal('no-token') }),
  z.strictObject({ kind: z.literal('redirect'), where: z.string().max(2000) }),
  z.strictObject({ kind: z.literal('case'), caseId: CaseId, reason: NotMeasured, calls: Calls, onlyWith: OnlyWith }),
  /** Without a number, the case that shows it was not measured, and stands beside. */
  z.strictObject({
    kind: z.literal('rule'),
    rule: UntestedRule,
    shownBy: CaseId,
    calls: Calls.optional(),
    onlyWith: OnlyWith,
  }),
  z.strictObject({
    kind: z.literal('length'),
    rule: UntestedLengthRule,
    least: z.int().min(0),
    most: z.int().min(0),
    calls: Calls,
  }),
  z.strictObject({ kind: z.literal('registrations') }),
  z.strictObject({ kind: z.literal('renewals') }),
  z.strictObject({ kind: z.literal('forged-requests') }),
  /** Calls about the account that the mock does not have, by their paths in the description. */
  z.strictObject({ kind: z.literal('account-calls'), names: z.array(name).min(1).max(20) }),
  z.strictObject({ kind: z.literal('other-types'), calls: Calls }),
  z.strictObject({ kind: z.literal('languages'), calls: Calls }),
  z.strictObject({ kind: z.literal('email-letters'), calls: Calls }),
  z.strictObject({ kind: z.literal('name-signs'), calls: Calls }),
  z.strictObject({ kind: z.literal('pairs-together'), calls: Calls }),
  z.strictObject({ kind: z.literal('pairs-first'), calls: Calls }),
  z.strictObject({ kind: z.literal('pairs-unknown'), calls: Calls }),
]);
export type MockRemark = z.infer<typeof MockRemark>;

/** The contents of a mock file, and how the mock server compares with its original. */
export type MockDetails = {
  /** How many calls of the original it rests on, and how many answers it knows. */
  calls: number;
  answers: number;
  /** The rules that were measured, each with the number of calls that it rests on. */
  learned: { rule: RuleName | AccountRuleName; value: RuleValue; calls: number }[];
  /** The rules that were not measured: the service's own choice stands there. */
  notMeasured: (RuleName | AccountRuleName)[];
  /** The cases that the run could not measure. It is absent where there is no report of the original. */
  unmeasuredCases?: { caseId: CaseId; reason: NotMeasured }[] | undefined;
  /** What the model says of itself. */
  remarks: MockRemark[];
  /** How the mock server compares with its original. `before` is the original. */
  comparison?: ReportComparison | undefined;
  /** What the original did otherwise when it was measured again. */
  changes?: ReportComparison | undefined;
};
