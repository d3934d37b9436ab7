import type { Severity } from '../../../preload/contract/report-findings.ts';
import classes from './answers.module.css';
import { useReport } from './report-context.ts';

/** Says how severe a finding is. */
export function SeverityLabel({ severity }: { severity: Severity }) {
  const { words } = useReport();
  return (
    <span className={classes.severity} data-severity={severity}>
      {words.severity(severity)}
    </span>
  );
}
