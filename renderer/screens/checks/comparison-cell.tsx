import classes from './comparison.module.css';
import type { Cell } from './comparison-rows.ts';
import { Parts } from './parts.tsx';
import { SeverityLabel } from './severity-label.tsx';
import { t } from '../../i18n.ts';
import { reportTexts } from '../../answers/report-texts.ts';

export function ComparisonCell({ cell }: { cell: Cell }) {
  const words = reportTexts();
  switch (cell.kind) {
    case 'finding':
      return cell.severity ? (
        <SeverityLabel severity={cell.severity} />
      ) : (
        <span className={classes.absent}>{t('contract.notFound')}</span>
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
