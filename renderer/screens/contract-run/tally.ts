import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { ShownAcceptance } from '../../../preload/contract/report.ts';
import type { ShownReport } from '../../../preload/contract/contract-runs.ts';
import { acceptedFaults, faultOfFinding, faultOfRule } from './acceptance.ts';

const tallied = ['kept', 'broken', 'answered', 'notMeasured', 'high', 'medium', 'low', 'info', 'accepted'] as const;
type Tallied = (typeof tallied)[number];

/** How many there are of one kind. Its tone is the colour of its part of the bar. */
export interface Count {
  what: Tallied;
  count: number;
  tone: 'good' | 'bad' | 'warn' | 'seen' | 'rest';
}

/**
 * Counts what a report has of each kind. A count of zero is left out, but for what decides the verdict. `broken`
 * has all broken rules; what is accepted is counted by itself in the lists, and never left out.
 */
export function tallyOf(
  { cases, findings }: { cases: readonly CaseResult[]; findings: readonly ShownReport['findings'][number][] },
  acceptances: readonly ShownAcceptance[] = [],
) {
  const accepted = acceptedFaults(acceptances);
  const rules = cases.filter(({ id, outcome }) => outcome === 'failed' && accepted.has(faultOfRule(id))).length;
  const open = findings.filter(({ id }) => !accepted.has(faultOfFinding(id)));
  const count = (kind: CaseResult['kind'], outcome: CaseResult['outcome']): number =>
    cases.filter((each) => each.kind === kind && each.outcome === outcome).length;
  const found = (severity: ShownReport['findings'][number]['severity']): number =>
    open.filter((each) => each.severity === severity).length;
  const some = (counts: Count[]): Count[] => counts.filter((each) => each.count > 0);
  const kept = count('stated', 'passed');
  const broken = count('stated', 'failed');
  return {
    kept,
    broken,
    accepted: rules + findings.length - open.length,
    stated: [
      { what: 'kept', count: kept, tone: 'good' },
      { what: 'broken', count: broken - rules, tone: 'bad' },
      ...some([{ what: 'accepted', count: rules, tone: 'rest' }]),
      ...some([{ what: 'notMeasured', count: count('stated', 'not-measured'), tone: 'rest' }]),
    ] satisfies Count[],
    observed: [
      { what: 'answered', count: count('observed', 'answered'), tone: 'seen' },
      ...some([{ what: 'notMeasured', count: count('observed', 'not-measured'), tone: 'rest' }]),
    ] satisfies Count[],
    findings: some([
      { what: 'high', count: found('high'), tone: 'bad' },
      { what: 'medium', count: found('medium'), tone: 'warn' },
      { what: 'low', count: found('low'), tone: 'rest' },
      { what: 'info', count: found('info'), tone: 'rest' },
      { what: 'accepted', count: findings.length - open.length, tone: 'rest' },
    ]),
  };
}
