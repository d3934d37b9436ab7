import type { CaseResult } from './report-cases.ts';
import type { Finding, Severity } from './report.ts';
import { bySeverity, severityOfRule } from './severities.ts';

const faultOfFinding = (id: Finding['id']): string => `finding:${id}`;
const faultOfRule = (id: CaseResult['id']): string => `rule:${id}`;

/** The groups of a report, in order. Each row is in exactly one, so that their counts add up. */
export const rowGroups = ['problems', 'notes', 'accepted', 'unspecified', 'passed', 'not-tested'] as const;
export type RowGroup = (typeof rowGroups)[number];

/** A finding, or a case. */
export type ReportRow<F> = { group: RowGroup; fault: string; severity: Severity } & (
  | { kind: 'finding'; finding: F }
  | { kind: 'case'; result: CaseResult }
);

/**
 * The rows of a report by group: problems, notes and accepted faults by severity, then the cases in their order.
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

export const countsOf = (rows: readonly { group: RowGroup }[]): Record<RowGroup, number> => {
  const counts = { problems: 0, notes: 0, accepted: 0, unspecified: 0, passed: 0, 'not-tested': 0 };
  for (const { group } of rows) counts[group] += 1;
  return counts;
};
