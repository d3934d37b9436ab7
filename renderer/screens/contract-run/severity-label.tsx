import type { Severity } from '../../../preload/contract/report.ts';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import { Chip, type ChipProps } from '../../components/chip.tsx';
import classes from './answers.module.css';

const tones: Record<Severity, ChipProps['tone']> = { high: 'danger', medium: 'warn', low: 'plain', info: 'plain' };

export const SeverityLabel = ({ severity, words }: { severity: Severity; words: ReportWords }) => (
  <Chip tone={tones[severity]} small>
    <span className={classes.severity}>{words.severity(severity)}</span>
  </Chip>
);
