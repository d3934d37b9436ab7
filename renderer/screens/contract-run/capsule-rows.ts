import type { CapsuleRun, ShownCapsule } from '../../../preload/contract/capsules.ts';
import type { ReportDifference } from '../../../preload/contract/contract-report.ts';
import type { ShownReport } from '../../../preload/contract/contract-runs.ts';
import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import type { Cell } from './comparison-rows.ts';

/** What was seen at the server and at its double. */
export interface CapsuleRow {
  key: string;
  what: string;
  server: Cell;
  /** It is absent until the double was run. */
  double: Cell | undefined;
  differs: boolean;
}

const keyOf = ({ question, subject }: Pick<CaseAnswer, 'question' | 'subject'>): string =>
  `${question} ${subject ?? ''}`;

const answersIn = ({ cases: [result] }: ShownReport): readonly CaseAnswer[] =>
  result && result.outcome !== 'not-measured' ? result.answers : [];

/** Puts beside each other what was seen of a case at the server and at its double: findings, the outcome and each answer. */
export function capsuleRows({ report }: ShownCapsule, run: CapsuleRun | undefined, words: ReportWords): CapsuleRow[] {
  const differences = run?.comparison.differences ?? [];
  const differs = (test: (each: ReportDifference) => boolean): boolean => differences.some(test);
  const news = differences.flatMap((each) => (each.kind === 'finding' && each.change === 'new' ? [each] : []));
  const findings = [...report.findings, ...news].map(({ id, severity }): CapsuleRow => {
    const cellOf = (found: boolean): Cell => ({ kind: 'finding', severity: found ? severity : undefined });
    return {
      key: id,
      what: words.finding({ id }).title,
      server: cellOf(report.findings.some((each) => each.id === id)),
      double: run && cellOf(run.report.findings.some((each) => each.id === id)),
      differs: differs((each) => each.kind === 'finding' && each.id === id),
    };
  });
  const outcomeIn = (of: ShownReport | undefined): Cell | undefined => {
    const outcome = of?.cases[0]?.outcome;
    return outcome === undefined || outcome === 'not-measured' ? undefined : { kind: 'outcome', outcome };
  };
  const [result] = report.cases;
  const server = outcomeIn(report);
  const outcomes: CapsuleRow[] =
    result?.kind === 'stated' && server
      ? [
          {
            key: 'outcome',
            what: words.case(result.id),
            server,
            double: outcomeIn(run?.report),
            differs: differs(({ kind }) => kind === 'outcome'),
          },
        ]
      : [];
  const asked = new Map(
    [...answersIn(report), ...(run ? answersIn(run.report) : [])].map((each) => [keyOf(each), each]),
  );
  const answers = [...asked].map(([key, answer]): CapsuleRow => {
    const cellOf = (of: ShownReport): Cell => ({
      kind: 'answer',
      value: answersIn(of).find((each) => keyOf(each) === key)?.value,
    });
    return {
      key,
      what: words.question(answer),
      server: cellOf(report),
      double: run && cellOf(run.report),
      differs: differs((each) => each.kind === 'answer' && keyOf(each) === key),
    };
  });
  return [...findings, ...outcomes, ...answers];
}
