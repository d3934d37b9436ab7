import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { ShownReport } from '../../../preload/contract/contract-runs.ts';
import { fill, type ReportWords } from '../../../preload/contract/words/say-report.ts';

/** Says in words how many cases had each outcome. */
export function summaryOf(
  { cases, findings }: Pick<ShownReport, 'cases' | 'findings'>,
  { words }: ReportWords,
): { label: string; text: string }[] {
  const count = (kind: CaseResult['kind'], outcome: CaseResult['outcome']): number =>
    cases.filter((each) => each.kind === kind && each.outcome === outcome).length;
  const found = { high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of findings) found[severity] += 1;
  const { stated, statedCount, observed, observedCount, findings: title, findingsCount } = words.report;
  return [
    {
      label: stated,
      text: fill(statedCount, {
        passed: count('stated', 'passed'),
        failed: count('stated', 'failed'),
        notMeasured: count('stated', 'not-measured'),
      }),
    },
    {
      label: observed,
      text: fill(observedCount, {
        answered: count('observed', 'answered'),
        notMeasured: count('observed', 'not-measured'),
      }),
    },
    { label: title, text: fill(findingsCount, found) },
  ];
}
