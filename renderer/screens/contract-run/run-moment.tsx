import { Button } from '@mantine/core';
import type { RunMoment } from '../../../preload/contract/kept-runs.ts';
import { useTexts } from '../../texts.tsx';
import { sayMoment, sayMomentFirst } from './say-moment.ts';

interface MomentProps {
  run: RunMoment;
  /** Whether it begins a line. */
  isFirst?: boolean;
  onOpen: (number: number) => void;
}

/** Says when a run was made. It leads to the report, where that is kept. */
export function Moment({ run, isFirst = false, onOpen }: MomentProps) {
  const { t, i18n } = useTexts();
  const moment = (isFirst ? sayMomentFirst : sayMoment)(run.startedAt, i18n.language);
  if (!run.isKept) return <span>{moment}</span>;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      px={0}
      aria-label={t('contract.history.open', { moment })}
      onClick={() => onOpen(run.number)}
    >
      {moment}
    </Button>
  );
}
