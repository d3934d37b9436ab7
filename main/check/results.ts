import type { CaseId, CaseResult, NotMeasured } from '../../preload/contract/report-cases.ts';
import { Severity, type Finding, type FindingId } from '../../preload/contract/report.ts';
import type { Case, DetectedFinding } from './case.ts';
import { cases } from './cases/all.ts';
import { findingSeverities } from './finding-severities.ts';
import { findingsPerCase, callIds, createCaseResult, type CaseExecution } from './execute-case.ts';
import type { Observation } from './observation.ts';

/** The result of each case of a check, and the findings that each raised. */
export class Results {
  readonly #isRequirement: (each: Case) => boolean;
  readonly #results = new Map<CaseId, CaseResult>();
  readonly #findings = new Map<CaseId, DetectedFinding[]>();
  /** Failed cases that still gave what others need. */
  readonly #sufficient = new Set<CaseId>();

  /** @param isDefaultInterfaceChosen whether somebody chose the API type of `interface.md` */
  constructor(isDefaultInterfaceChosen: boolean) {
    this.#isRequirement = ({ kind, requiredIfChosen }) =>
      kind === 'stated' && (isDefaultInterfaceChosen || !requiredIfChosen);
  }

  count = (): number => this.#results.size;
  has = (id: CaseId): boolean => this.#results.has(id);

  /** Whether a case gave what others need of it. */
  succeeded(id: CaseId): boolean {
    const outcome = this.#results.get(id)?.outcome;
    return outcome === 'passed' || outcome === 'answered' || (outcome === 'failed' && this.#sufficient.has(id));
  }

  /** Undefined if the case was tested. */
  reasonNotTested(id: CaseId): NotMeasured | undefined {
    const result = this.#results.get(id);
    return result?.outcome === 'not-measured' ? result.reason : undefined;
  }

  put(each: Case, execution: CaseExecution, durationMs: number): CaseResult {
    const { outcome } = execution;
    const result = createCaseResult(each, this.#isRequirement(each) ? 'stated' : 'observed', execution, durationMs);
    this.#results.set(each.id, result);
    this.#findings.set(each.id, outcome.findings ?? []);
    if ('passed' in outcome && outcome.isEnough) this.#sufficient.add(each.id);
    return result;
  }

  /** Marks cases as not tested: the first for a reason, and the others since the check ended with it. */
  skip(skipped: readonly Case[], reason: NotMeasured): void {
    for (const [at, each] of skipped.entries()) {
      const notMeasured: NotMeasured = at === 0 ? reason : { kind: 'run-ended' };
      this.put(each, { outcome: { notMeasured }, seen: [] }, 0);
    }
  }

  /** Removes cases that are tested again. The returned function restores those that were not tested after all. */
  reset(wanted: readonly Case[]): () => void {
    const before = wanted.map(({ id }) => ({
      id,
      result: this.#results.get(id),
      findings: this.#findings.get(id) ?? [],
    }));
    for (const { id } of wanted) this.#results.delete(id);
    return () => {
      for (const { id, result, findings } of before) {
        if (!result || this.reasonNotTested(id)?.kind !== 'run-ended') continue;
        this.#results.set(id, result);
        this.#findings.set(id, findings);
      }
    };
  }

  /** In the order of a report. */
  all = (): CaseResult[] => cases.flatMap(({ id }) => this.#results.get(id) ?? []);

  /**
   * What is unsafe, the most severe first.
   * @param scriptOf returns the script that reproduces a finding by its observations
   */
  findings(scriptOf: (observations: readonly Observation[], id: FindingId) => string): Finding[] {
    const found = new Map<FindingId, Omit<Finding, 'script'> & { observations: readonly Observation[] }>();
    for (const { id: caseId } of cases) {
      for (const { id, seen, details = [], severity = findingSeverities[id] } of this.#findings.get(caseId) ?? []) {
        const calls = callIds(seen);
        if (calls.length === 0) continue;
        const earlier = found.get(id);
        // The first case that detects a flaw reports it. Each server fault is a flaw of its own.
        if (earlier && !findingsPerCase.has(id)) continue;
        found.set(id, {
          id,
          severity: earlier?.severity ?? severity,
          caseId: earlier?.caseId ?? caseId,
          calls: [...new Set([...(earlier?.calls ?? []), ...calls])],
          observations: [...new Set([...(earlier?.observations ?? []), ...seen])],
          details: [...(earlier?.details ?? []), ...details],
        });
      }
    }
    return Array.from(found.values(), ({ observations, ...finding }) => ({
      ...finding,
      script: scriptOf(observations, finding.id),
    })).toSorted((a, b) => Severity.options.indexOf(a.severity) - Severity.options.indexOf(b.severity));
  }
}
