import type { Severity } from '../../../preload/contract/report.ts';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import classes from './answers.module.css';

export const SeverityLabel = ({ severity, words }: { severity: Severity; words: ReportWords }) => (
  <span className={classes.severity} data-severity={severity}>
    {words.severity(severity)}
  </span>
);
