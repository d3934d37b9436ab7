import { Tabs } from '@mantine/core';
import { type ComponentType, useCallback, useRef, useState } from 'react';
import type { BuiltInCounts } from '../../../preload/contract/built-in-server.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { Chip } from '../../components/chip.tsx';
import { Room } from '../../components/room.tsx';
import tabClasses from '../../components/tabs.module.css';
import type { BuiltInTab } from '../../place.ts';
import { useTexts } from '../../texts.tsx';
import { BehaviourTab } from './behaviour-tab.tsx';
import classes from './built-in-server.module.css';
import { DataTab } from './data-tab.tsx';
import { PeopleTab } from './people-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';
import { useCounts } from './use-counts.ts';

const tabs = ['behaviour', 'people', 'sessions', 'requests', 'data'] as const satisfies BuiltInTab[];
type TabName = BuiltInTab;
const isTab = (name: string | null): name is TabName => tabs.some((tab) => tab === name);

/** What every tab is given. */
export interface TabProps {
  state: AppState;
  /** Counts anew, after something was done to what is counted. */
  onChanged: () => void;
  /** Leads to another tab, which takes the focus. */
  onLead: (tab: TabName) => void;
}

const panels: Record<TabName, ComponentType<TabProps>> = {
  behaviour: BehaviourTab,
  people: PeopleTab,
  sessions: SessionsTab,
  requests: RequestsTab,
  data: DataTab,
};

/** The number that stands beside the name of a tab. */
const counted: Partial<Record<TabName, keyof BuiltInCounts>> = {
  people: 'accounts',
  sessions: 'sessions',
  requests: 'requests',
};

const mostShown = 999;

/** Shows the built-in server: how it is to behave, who is in it, what it was asked, and copies of it all. */
export function BuiltInServerRoom({ state, tab: wanted }: { state: AppState; tab: BuiltInTab | undefined }) {
  const { t } = useTexts();
  const [tab, setTab] = useState<TabName>(wanted ?? 'behaviour');
  const { counts, recount } = useCounts();
  const Panel = panels[tab];
  const open = useCallback(
    (name: string | null) => {
      if (!isTab(name)) return;
      setTab(name);
      void recount();
    },
    [recount],
  );
  const tabRefs = useRef<Partial<Record<TabName, HTMLButtonElement | null>>>({});
  function lead(name: TabName) {
    open(name);
    tabRefs.current[name]?.focus();
  }
  return (
    <Room title={t('builtIn.title')} beside={<Address builtIn={state.builtIn} />} layout="panes">
      <Tabs value={tab} onChange={open} keepMounted={false} className={classes.tabs}>
        <Tabs.List aria-label={t('builtIn.title')} className={classes.tabList}>
          {tabs.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              className={tabClasses.tab}
              ref={(tabElement) => {
                tabRefs.current[name] = tabElement;
              }}
            >
              {t(`builtIn.tabs.${name}`)}
              {counted[name] && (
                <span className={classes.count} aria-hidden>
                  {sayCount(counts?.[counted[name]])}
                </span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.panel}>
          <Panel state={state} onChanged={() => void recount()} onLead={lead} />
        </Tabs.Panel>
      </Tabs>
    </Room>
  );
}

/** It takes three digits at most, which is the place that is held for it. */
const sayCount = (count: number | undefined): string =>
  count === undefined ? '' : count > mostShown ? `${mostShown}+` : String(count);

/** Says where the built-in server listens, or why it does not. */
function Address({ builtIn }: Pick<AppState, 'builtIn'>) {
  const { t } = useTexts();
  return (
    <Chip tone="outlined" icon={<span className={classes.dot} data-state={builtIn.state} />}>
      {builtIn.state === 'running' ? (
        <span className={classes.mono}>{builtIn.baseUrl}</span>
      ) : (
        t(`builtIn.address.${builtIn.state}`)
      )}
    </Chip>
  );
}
