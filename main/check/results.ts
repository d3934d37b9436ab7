import type { CaseId, CaseResult, NotMeasured } from '../../preload/contract/report-cases.ts';
import { Severity, type Finding, type FindingId } from '../../preload/contract/report.ts';
import type { Case, DetectedFinding } from './case.ts';
import { cases } from './cases/all.ts';
import { findingSeverities } from './finding-severities.ts';
import { findingsPerCase, callIds, createCaseResult, type CaseExecution } from './execute-case.ts';
import type { Observation } from './observation.ts';

export type Results = ReturnType<typeof createResults>;

/**
 * Keeps what a run knows of its cases: the result of each, and what each raised.
 * @param isChosen whether somebody chose the interface of `interface.md`
 */
export function createResults(isChosen: boolean) {
  const results = new Map<CaseId, CaseResult>();
  const raised = new Map<CaseId, DetectedFinding[]>();
  const enough = new Set<CaseId>();

  return {
    count: (): number => results.size,
    has: (id: CaseId): boolean => results.has(id),

    /** Says whether a case could give what another one needs. */
    succeeded(id: CaseId): boolean {
      const outcome = results.get(id)?.outcome;
      return outcome === 'passed' || outcome === 'answered' || (outcome === 'failed' && enough.has(id));
    },

    /** Answers why a case was not measured, if it was not. */
    reasonNotTested(id: CaseId): NotMeasured | undefined {
      const result = results.get(id);
      return result?.outcome === 'not-measured' ? result.reason : undefined;
    },

    put(each: Case, measured: CaseExecution, durationMs: number): CaseResult {
      const { outcome } = measured;
      const result = createCaseResult(
        each,
        each.requiredIfChosen && !isChosen ? 'observed' : each.kind,
        measured,
        durationMs,
      );
      results.set(each.id, result);
      raised.set(each.id, outcome.findings ?? []);
      if ('passed' in outcome && outcome.isEnough) enough.add(each.id);
      return result;
    },

    /** Forgets cases that are tried again. The answer puts back what was known of those not tried after all. */
    reset(wanted: readonly Case[]): () => void {
      const before = wanted.map(({ id }) => ({ id, result: results.get(id), raised: raised.get(id) ?? [] }));
      for (const { id } of wanted) results.delete(id);
      return () => {
        for (const { id, result, raised: found } of before) {
          const now = results.get(id);
          if (!result || now?.outcome !== 'not-measured' || now.reason.kind !== 'run-ended') continue;
          results.set(id, result);
          raised.set(id, found);
        }
      };
    },

    /** Answers all results, in the order of a report. */
    all: (): CaseResult[] => cases.flatMap(({ id }) => results.get(id) ?? []),

    /**
     * Answers what is unsafe, the most severe first.
     * @param scriptOf writes what sends calls again
     */
    findings(scriptOf: (telling: readonly Observation[], id: FindingId) => string): Finding[] {
      const found = new Map<FindingId, Omit<Finding, 'script'> & { telling: readonly Observation[] }>();
      for (const { id: caseId } of cases) {
        for (const { id, seen, details = [], severity = findingSeverities[id] } of raised.get(caseId) ?? []) {
          const calls = callIds(seen);
          if (calls.length === 0) continue;
          const earlier = found.get(id);
          // A server is told of one thing once, by the first case that saw it. Each fault is another thing.
          if (earlier && !findingsPerCase.has(id)) continue;
          const all = [...new Set([...(earlier?.calls ?? []), ...calls])];
          found.set(id, {
            id,
            severity: earlier?.severity ?? severity,
            caseId: earlier?.caseId ?? caseId,
            calls: all,
            telling: [...new Set([...(earlier?.telling ?? []), ...seen])],
            details: [...(earlier?.details ?? []), ...details],
          });
        }
      }
      return Array.from(found.values(), ({ telling, ...finding }) => ({
        ...finding,
        script: scriptOf(telling, finding.id),
      })).toSorted((a, b) => Severity.options.indexOf(a.severity) - Severity.options.indexOf(b.severity));
    },
  };
}
