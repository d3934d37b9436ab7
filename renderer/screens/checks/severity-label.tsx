import type { Severity } from '../../../preload/contract/report.ts';
import { Chip, type ChipProps } from '../../components/chip.tsx';
import classes from './answers.module.css';
import { reportTexts } from '../../answers/report-texts.ts';

const tones: Record<Severity, ChipProps['tone']> = { high: 'danger', medium: 'warn', low: 'plain', info: 'plain' };

export const SeverityLabel = ({ severity }: { severity: Severity }) => {
  const words = reportTexts();
  return (
    <Chip tone={tones[severity]} small>
      <span className={classes.severity}>{words.severity(severity)}</span>
    </Chip>
  );
};
