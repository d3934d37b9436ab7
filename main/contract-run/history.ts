import type { Report, ReportDifference } from '../../preload/contract/contract-report.ts';
import { compareReports } from './compare.ts';

/** What is known of a server after some runs: the last result of each case that was measured, and what stands of it. */
export type Learned = { known: Report; changes: ReportDifference[] };

/**
 * Adds a run to what is known of a server, and says what the server has changed by meaning. A case that was not measured
 * this time, since the server throttled, was slow or was away, leaves what was known of it, so it is no change.
 * @param known what the runs before have taught; undefined before the first
 */
export function learn(known: Report | undefined, report: Report): Learned {
  if (!known) return { known: withoutEvidence(report), changes: [] };
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
    changes: compareReports(known, report).differences,
  };
}

/** Calls are most of a report, and say nothing of the next one. */
const withoutEvidence = (report: Report): Report => ({ ...report, evidence: [] });
