import type { CaseResult } from './report-cases.ts';
import type { Finding, Severity } from './report.ts';
import { bySeverity, severityOfRule } from './severities.ts';

/** Names what can be accepted. */
const faultOfFinding = (id: Finding['id']): string => `finding:${id}`;
const faultOfRule = (id: CaseResult['id']): string => `rule:${id}`;

/** The groups of a report in the order of its page. Each row is in one of them, so that their counts add up to all. */
export const rowGroups = ['problems', 'notes', 'accepted', 'unspecified', 'passed', 'not-tested'] as const;
export type RowGroup = (typeof rowGroups)[number];

/** One row of a report: a finding, or a case that is not one of its findings. */
export type ReportRow<F> = { group: RowGroup; fault: string; severity: Severity } & (
  | { kind: 'finding'; finding: F }
  | { kind: 'case'; result: CaseResult }
);

/**
 * Returns the rows of a report: what is wrong by its severity, whether it is a finding or a failed requirement, the notes,
 * what is accepted, and then the cases in their order.
 * @param accepted faults such as `finding:plain-http`
 */
export function reportRows<F extends Pick<Finding, 'id' | 'severity'>>(
  { cases, findings }: { cases: readonly CaseResult[]; findings: readonly F[] },
  accepted: ReadonlySet<string>,
): ReportRow<F>[] {
  const ofFindings = findings.map((finding): ReportRow<F> => {
    const { severity } = finding;
    const fault = faultOfFinding(finding.id);
    const group = accepted.has(fault) ? 'accepted' : severity === 'info' ? 'notes' : 'problems';
    return { kind: 'finding', group, fault, severity, finding };
  });
  const ofCases = cases.map((result): ReportRow<F> => {
    const fault = faultOfRule(result.id);
    const failed = accepted.has(fault) ? 'accepted' : 'problems';
    const group = { failed, passed: 'passed', answered: 'unspecified', 'not-measured': 'not-tested' } as const;
    return { kind: 'case', group: group[result.outcome], fault, severity: severityOfRule(result.id), result };
  });
  const isWrong = ({ group }: ReportRow<F>): boolean => group === 'problems' || group === 'accepted';
  const wrong = [...ofFindings, ...ofCases.filter(isWrong)].toSorted((a, b) => bySeverity(a.severity, b.severity));
  const rows = [...wrong, ...ofCases.filter((row) => !isWrong(row))];
  return rowGroups.flatMap((group) => rows.filter((row) => row.group === group));
}

/** Returns how many rows each group has. */
export const countsOf = (rows: readonly { group: RowGroup }[]): Record<RowGroup, number> => {
  const counts = { problems: 0, notes: 0, accepted: 0, unspecified: 0, passed: 0, 'not-tested': 0 };
  for (const { group } of rows) counts[group] += 1;
  return counts;
};
