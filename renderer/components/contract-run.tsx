import { ActionIcon } from '@mantine/core';
import { lazy, type RefObject, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunUnderWay } from '../../preload/contract/contract-runs.ts';
import type { CallSummary } from '../../preload/contract/calls.ts';
import type { AppState } from '../../preload/contract/models.ts';
import { onEvent } from '../api.ts';
import classes from '../app.module.css';
import { ChecklistIcon } from './icons.tsx';

/** Not needed for the first frame, nor by who never opens it. */
const LazyDialog = lazy(() =>
  import('../screens/contract-run/contract-run-dialog.tsx').then(({ ContractRunDialog }) => ({
    default: ContractRunDialog,
  })),
);

interface ContractRunButtonProps {
  ref: RefObject<HTMLButtonElement | null>;
  onOpen: () => void;
}

/** Opens the contract run with a press or with Ctrl or Cmd and T, and shows that one is under way. */
export function ContractRunButton({ ref, onOpen }: ContractRunButtonProps) {
  const { t } = useTranslation();
  const [underWay, setUnderWay] = useState<RunUnderWay>();
  useEffect(() => onEvent('contractRun.progressed', (step) => setUnderWay(step.underWay)), []);

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

interface ContractRunDialogProps {
  /** Takes the focus when what had it is gone. */
  opener: RefObject<HTMLButtonElement | null>;
  state: AppState;
  onClose: () => void;
  onShowCall: (call: CallSummary) => void;
}

/** The dialog, loaded when it is first opened. Closed, it gives the focus back to where it was. */
export function ContractRunDialog({ opener, ...props }: ContractRunDialogProps) {
  const [cameFrom] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // What opened it may be gone, or about to go, as the item of a menu is.
      const isThere =
        cameFrom instanceof HTMLElement &&
        cameFrom !== document.body &&
        cameFrom.isConnected &&
        !cameFrom.closest('[role=menu]');
      if (isThere) cameFrom.focus();
      else opener.current?.focus();
    },
    [cameFrom, opener],
  );
  return (
    <Suspense>
      <LazyDialog {...props} />
    </Suspense>
  );
}
