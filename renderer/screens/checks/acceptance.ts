import type { ShownAcceptance } from '../../../preload/contract/report.ts';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';

export const acceptanceOf = (acceptances: readonly ShownAcceptance[], fault: string): ShownAcceptance | undefined =>
  acceptances.find((each) => each.fault === fault && each.state === 'holds');

export const acceptedFaults = (acceptances: readonly ShownAcceptance[]): ReadonlySet<string> =>
  new Set(acceptances.filter(({ state }) => state === 'holds').map(({ fault }) => fault));

/** Says what is accepted, also where no report at hand has it. */
export function titleOfFault(fault: string, { t }: ReportWords): string {
  const [kind = '', id = ''] = fault.split(':');
  const findings: Partial<Record<string, { title: string }>> = t('findings', { returnObjects: true });
  const cases: Partial<Record<string, string>> = t('cases', { returnObjects: true });
  const rule = cases[id];
  if (kind === 'rule') return rule === undefined ? fault : `${rule}: ${t('outcomes.failed')}`;
  return findings[id]?.title ?? fault;
}
