import { ActionIcon } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunUnderWay } from '../../preload/contract/contract-runs.ts';
import type { ExchangeSummary } from '../../preload/contract/exchanges.ts';
import type { AppState } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import classes from '../app.module.css';
import { ChecklistIcon } from './icons.tsx';

/** Not needed for the first frame, nor by who never opens it. */
const LazyDialog = lazy(() =>
  import('../screens/contract-run/contract-run-dialog.tsx').then(({ ContractRunDialog }) => ({
    default: ContractRunDialog,
  })),
);

/** Opens the contract run with a press or with Ctrl or Cmd and T, and shows that one is under way. */
export function ContractRunButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  const [underWay, setUnderWay] = useState<RunUnderWay>();
  useEffect(() => api.conformance.onProgressed((step) => setUnderWay(step.underWay)), []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isShortcut || event.key.toLowerCase() !== 't' || event.repeat) return;
      if (document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      onOpen();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [onOpen]);

  const { casesDone = 0, casesPlanned = 0 } = underWay?.progress ?? {};
  const name = underWay ? t('run.openUnderWay', { done: casesDone, planned: casesPlanned }) : undefined;
  return (
    <ActionIcon
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

interface ContractRunDialogProps {
  state: AppState;
  onClose: () => void;
  onShowExchange: (exchange: ExchangeSummary) => void;
}

export function ContractRunDialog(props: ContractRunDialogProps) {
  return (
    <Suspense>
      <LazyDialog {...props} />
    </Suspense>
  );
}
