import { VisuallyHidden } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import type { RunUnderWay } from '../../preload/contract/contract-runs.ts';
import { api, onEvent, useApp } from '../api.ts';
import { AccountIcon, ChecklistIcon, GearIcon, ServerIcon, WireIcon, WorldIcon } from '../components/icons.tsx';
import { navigate, railPages, type PageName } from '../route.ts';
import classes from './rail.module.css';
import { language, t } from '../i18n.ts';

/** What stands for each room beside its name. */
export const roomIcons: Record<(typeof railPages)[number], ComponentType<{ size?: number }>> = {
  account: AccountIcon,
  calls: WireIcon,
  contract: ChecklistIcon,
  'built-in': ServerIcon,
  servers: WorldIcon,
  settings: GearIcon,
};

/** Returns how many calls are kept, and follows that. */
function useCallCount(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const leave = onEvent('calls.counted', setCount);
    void api.calls.count().then((result) => result.ok && setCount(result.value));
    return leave;
  }, []);
  return count;
}

/** Leads to the rooms of the Workbench. It says where a contract run is under way and what misbehaves on purpose. */
export function Rail({ room: shown }: { room: PageName }) {
  const state = useApp();
  const calls = useCallCount();
  const [underWay, setUnderWay] = useState<RunUnderWay>();
  useEffect(() => onEvent('contractRun.progressed', (step) => setUnderWay(step.underWay)), []);
  const { casesDone = 0, casesPlanned = 0 } = underWay?.progress ?? {};

  /** What is said beside the name of a room, also to those who do not see its mark. */
  const marks: Partial<Record<PageName, string | undefined>> = {
    calls: calls > 0 ? t('rail.calls', { count: calls }) : undefined,
    contract: underWay && t('rail.underWay', { done: casesDone, planned: casesPlanned }),
    'built-in': state.behaviour.isOn ? t('rail.misbehaves') : undefined,
  };
  return (
    <nav className={classes.rail} aria-label={t('rail.label')} data-region>
      {railPages.map((room) => {
        const Icon = roomIcons[room];
        return (
          <button
            key={room}
            type="button"
            className={classes.room}
            data-room={room}
            aria-current={room === shown ? 'page' : undefined}
            title={marks[room]}
            onClick={() => navigate({ room })}
          >
            <Icon size={18} />
            <span>{t(`rail.rooms.${room}`)}</span>
            {room === 'calls' && calls > 0 && (
              <span className={classes.count} aria-hidden>
                {new Intl.NumberFormat(language()).format(calls)}
              </span>
            )}
            {room !== 'calls' && marks[room] !== undefined && (
              <>
                <span className={classes.mark} />
                <VisuallyHidden>{marks[room]}</VisuallyHidden>
              </>
            )}
          </button>
        );
      })}
    </nav>
  );
}
