import { ActionIcon } from '@mantine/core';
import { type Ref, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunUnderWay } from '../../../preload/contract/contract-runs.ts';
import { onEvent } from '../../api.ts';
import classes from '../../app.module.css';
import { ChecklistIcon } from '../../components/icons.tsx';

interface ContractRunButtonProps {
  ref: Ref<HTMLButtonElement>;
  onOpen: () => void;
}

/** Opens the contract run, and shows that one is under way. */
export function ContractRunButton({ ref, onOpen }: ContractRunButtonProps) {
  const { t } = useTranslation();
  const [underWay, setUnderWay] = useState<RunUnderWay>();
  useEffect(() => onEvent('contractRun.progressed', (step) => setUnderWay(step.underWay)), []);

  const { casesDone = 0, casesPlanned = 0 } = underWay?.progress ?? {};
  const name = underWay ? t('run.openUnderWay', { done: casesDone, planned: casesPlanned }) : undefined;
  return (
    <ActionIcon
      ref={ref}
      variant="default"
      size={36}
      className={classes.withDot}
      data-dot={underWay !== undefined}
      aria-label={name ?? t('run.title')}
      title={name ?? t('run.open')}
      aria-keyshortcuts="Control+T Meta+T"
      onClick={onOpen}
    >
      <ChecklistIcon />
    </ActionIcon>
  );
}
