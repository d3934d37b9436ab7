import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CheckInProgress } from '../../preload/contract/checks.ts';
import { railPages } from '../../preload/contract/rail-pages.ts';
import { api, onEvent, useApp } from '../api.ts';
import { pages } from '../pages.tsx';
import { navigate, type PageName } from '../route.ts';
import classes from './rail.module.css';
import { language, t } from '../i18n.ts';

/** Links to the pages, with marks for a running check and active faults. */
export function Rail({ page: shown }: { page: PageName }) {
  const state = useApp();
  const [calls, setCalls] = useState(0);
  useEffect(() => {
    const leave = onEvent('calls.counted', setCalls);
    void api.calls.count().then((result) => result.ok && setCalls(result.value));
    return leave;
  }, []);
  const [running, setRunning] = useState<CheckInProgress>();
  useEffect(() => onEvent('checks.progressed', (step) => setRunning(step.running)), []);
  const { casesDone = 0, casesPlanned = 0 } = running?.progress ?? {};

  const marks: Partial<Record<PageName, string | undefined>> = {
    calls: calls > 0 ? t('rail.calls', { count: calls }) : undefined,
    checks: running && t('rail.runningCheck', { done: casesDone, planned: casesPlanned }),
    'built-in': state.behaviour.isOn ? t('rail.misbehaves') : undefined,
  };
  return (
    <nav className={classes.rail} aria-label={t('rail.label')} data-region>
      {railPages.map(({ name: page }) => {
        const Icon = pages[page].icon;
        return (
          <button
            key={page}
            type="button"
            className={classes.page}
            data-page={page}
            aria-current={page === shown ? 'page' : undefined}
            title={marks[page]}
            onClick={() => navigate({ page })}
          >
            <Icon size={18} />
            <span>{t(`rail.pages.${page}`)}</span>
            {page === 'calls' && calls > 0 && (
              <span className={classes.count} aria-hidden>
                {new Intl.NumberFormat(language()).format(calls)}
              </span>
            )}
            {page !== 'calls' && marks[page] !== undefined && (
              <>
                <span className={classes.mark} />
                <VisuallyHidden>{marks[page]}</VisuallyHidden>
              </>
            )}
          </button>
        );
      })}
    </nav>
  );
}
