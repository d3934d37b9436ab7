import type { ShownAcceptance } from '../../../preload/contract/accepted-faults.ts';
import type { FindingId } from '../../../preload/contract/report-findings.ts';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';

/** Names what can be accepted, as main does. */
export const faultOfFinding = (id: FindingId): string => `finding:${id}`;
export const faultOfRule = (id: CaseId): string => `rule:${id}`;

/** Returns what was accepted of a fault that a report has. */
export const acceptanceOf = (acceptances: readonly ShownAcceptance[], fault: string): ShownAcceptance | undefined =>
  acceptances.find((each) => each.fault === fault && each.state === 'holds');

/** Returns the faults that do not count. */
export const acceptedFaults = (acceptances: readonly ShownAcceptance[]): ReadonlySet<string> =>
  new Set(acceptances.filter(({ state }) => state === 'holds').map(({ fault }) => fault));

/** Says what is accepted, also where no report at hand has it. */
export function titleOfFault(fault: string, { words }: ReportWords): string {
  const [kind = '', id = ''] = fault.split(':');
  const findings: Partial<Record<string, { title: string }>> = words.findings;
  const cases: Partial<Record<string, string>> = words.cases;
  const rule = cases[id];
  if (kind === 'rule') return rule === undefined ? fault : `${rule}: ${words.outcomes.failed}`;
  return findings[id]?.title ?? fault;
}
