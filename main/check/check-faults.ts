import { type Report, FindingId, type Severity } from '../../preload/contract/report.ts';
import { bySeverity, severityOfRule } from '../../preload/contract/severities.ts';
import { CaseId } from '../../preload/contract/report-cases.ts';

/** What a run holds against a server: a rule of the interface that it broke, or a finding that is more than a note. */
export type CheckFault = {
  /** Such as `rule:login.answer` or `finding:plain-http`. It is the same in every run. */
  id: string;
  severity: Severity;
  caseId: CaseId;
  /** Ids of `Report.evidence` that show it. */
  evidence: readonly string[];
  what: { kind: 'rule'; caseId: CaseId } | { kind: 'finding'; id: FindingId };
};

/** All ids that a fault can have. */
export const faultIds: ReadonlySet<string> = new Set([
  ...CaseId.options.map((id) => `rule:${id}`),
  ...FindingId.options.map((id) => `finding:${id}`),
]);

/** Returns the faults of a report, the most severe first. */
export const listFaults = (report: Report): CheckFault[] =>
  [
    ...report.cases
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ id, calls }): CheckFault => ({
        id: `rule:${id}`,
        severity: severityOfRule(id),
        caseId: id,
        evidence: calls,
        what: { kind: 'rule', caseId: id },
      })),
    ...report.findings
      .filter(({ severity }) => severity !== 'info')
      .map(({ id, severity, caseId, calls }): CheckFault => ({
        id: `finding:${id}`,
        severity,
        caseId,
        evidence: calls,
        what: { kind: 'finding', id },
      })),
  ].toSorted((a, b) => bySeverity(a.severity, b.severity));
