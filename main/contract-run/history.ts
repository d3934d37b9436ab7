import type { Report, ReportComparison } from '../../preload/contract/contract-report.ts';
import { compareReports } from './compare.ts';

/** What is known of a server after some runs: the last result of each case that was measured, and what stands of it. */
export type Learned = {
  known: Report;
  /** What changed by meaning since; absent at the first run. */
  comparison: ReportComparison | undefined;
};

/**
 * Adds a run to what is known of a server, and says what the server has changed by meaning. A case that was not measured
 * this time, since the server throttled, was slow or was away, leaves what was known of it, so it is no change.
 * @param known what the runs before have taught; undefined before the first
 */
export function learn(known: Report | undefined, report: Report): Learned {
  if (!known) return { known: withoutEvidence(report), comparison: undefined };
  const measured = new Set(report.cases.filter(({ outcome }) => outcome !== 'not-measured').map(({ id }) => id));
  const inRun = new Set(report.cases.map(({ id }) => id));
  const before = new Map(known.cases.map((result) => [result.id, result]));
  return {
    known: {
      ...withoutEvidence(report),
      cases: [
        ...report.cases.map((result) => (measured.has(result.id) ? result : (before.get(result.id) ?? result))),
        ...known.cases.filter(({ id }) => !inRun.has(id)),
      ],
      findings: [...report.findings, ...known.findings.filter(({ caseId }) => !measured.has(caseId))],
    },
    comparison: compareReports(known, report),
  };
}

/** Calls are most of a report, and say nothing of the next one. */
const withoutEvidence = (report: Report): Report => ({ ...report, evidence: [] });

/** Says whether a run has nothing to say of a server: it measured none of the stated cases, or of all if it had none. */
export function measuredNothing(report: Report): boolean {
  const stated = report.cases.filter(({ kind }) => kind === 'stated');
  return (stated.length > 0 ? stated : report.cases).every(({ outcome }) => outcome === 'not-measured');
}
