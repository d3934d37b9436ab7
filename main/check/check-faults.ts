import { type Report, FindingId, type Severity } from '../../preload/contract/report.ts';
import { bySeverity, severityOfRule } from '../../preload/contract/severities.ts';
import { CaseId } from '../../preload/contract/report-cases.ts';

/** A failed requirement, or a finding that is more than a note. */
export type CheckFault = {
  /** Such as `rule:login.answer` or `finding:plain-http`; the same in every check, so that it can be accepted. */
  id: string;
  severity: Severity;
  caseId: CaseId;
  /** Ids in `Report.evidence`. */
  evidence: readonly string[];
  what: { kind: 'rule'; caseId: CaseId } | { kind: 'finding'; id: FindingId };
};

export const faultIds: ReadonlySet<string> = new Set([
  ...CaseId.options.map((id) => `rule:${id}`),
  ...FindingId.options.map((id) => `finding:${id}`),
]);

/** The faults of a report, the most severe first. */
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
