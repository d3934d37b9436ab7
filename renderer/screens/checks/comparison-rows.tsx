import type { CaseId, ObservedValue } from '../../../preload/contract/report-cases.ts';
import type { ReportComparison, ReportDifference, Severity } from '../../../preload/contract/report.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { t } from '../../i18n.ts';
import classes from './comparison.module.css';
import { Parts, SeverityLabel } from './report-parts.tsx';

export type Side = 'before' | 'after';
export const sides = ['before', 'after'] as const;

/** The value of one side in a row. */
export type Cell =
  | { kind: 'finding'; severity: Severity | undefined }
  | { kind: 'outcome'; outcome: 'passed' | 'failed' | 'answered' }
  | { kind: 'answer'; value: ObservedValue | undefined };

export interface DifferenceRow {
  key: string;
  caseId: CaseId;
  title: string;
  before: Cell;
  after: Cell;
  /** The less safe side: it has the finding, or fails the requirement. */
  worse: Side | undefined;
}

function rowOf(each: ReportDifference): DifferenceRow {
  const words = reportTexts();
  const { caseId } = each;
  if (each.kind === 'finding') {
    const worse = each.change === 'new' ? 'after' : 'before';
    const cellOf = (side: Side): Cell => ({ kind: 'finding', severity: side === worse ? each.severity : undefined });
    const { title } = words.finding(each);
    return { key: each.id, caseId, title, before: cellOf('before'), after: cellOf('after'), worse };
  }
  if (each.kind === 'outcome') {
    return {
      key: caseId,
      caseId,
      title: words.case(caseId),
      before: { kind: 'outcome', outcome: each.before },
      after: { kind: 'outcome', outcome: each.after },
      worse: each.after === 'failed' ? 'after' : each.before === 'failed' ? 'before' : undefined,
    };
  }
  return {
    key: `${caseId} ${each.question} ${each.subject}`,
    caseId,
    title: `${words.case(caseId)}: ${words.question(each)}`,
    before: { kind: 'answer', value: each.before },
    after: { kind: 'answer', value: each.after },
    worse: undefined,
  };
}

export const differenceRows = ({ differences }: ReportComparison): DifferenceRow[] => differences.map(rowOf);

/** Title of a section of the interface. The number is undefined if no loaded report has the test. */
export function sectionTitle(number: number | undefined): string {
  const title = number === undefined ? undefined : reportTexts().section(number);
  return title === undefined ? t('checks.otherSection') : t('run.section', { number, title });
}

export function ComparisonCell({ cell }: { cell: Cell }) {
  const words = reportTexts();
  switch (cell.kind) {
    case 'finding':
      return cell.severity ? (
        <SeverityLabel severity={cell.severity} />
      ) : (
        <span className={classes.absent}>{t('checks.notFound')}</span>
      );
    case 'outcome':
      return (
        <span className={classes.outcome} data-outcome={cell.outcome}>
          {words.t(`outcomes.${cell.outcome}`)}
        </span>
      );
    case 'answer':
      return cell.value ? (
        <Parts parts={words.value(cell.value)} />
      ) : (
        <span className={classes.absent}>{words.t('comparison.unsaid')}</span>
      );
    default:
      return cell satisfies never;
  }
}
