import { Tabs } from '@mantine/core';
import { type ComponentType, useCallback, useRef, useState, useEffect } from 'react';
import type { BuiltInCounts } from '../../../preload/contract/local-servers.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { Chip } from '../../components/chip.tsx';
import { Page } from '../../components/page.tsx';
import tabClasses from '../../components/tabs.module.css';
import type { BuiltInTab } from '../../route.ts';
import { BehaviourTab } from './behaviour-tab.tsx';
import classes from './built-in-server.module.css';
import { DataTab } from './data-tab.tsx';
import { PeopleTab } from './people-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';
import type { TabProps } from './tab-props.ts';
import { api, onEvent, useApp } from '../../api.ts';
import { useQuery } from '../../use-query.ts';
import { t } from '../../i18n.ts';

const tabs = ['behaviour', 'people', 'sessions', 'requests', 'data'] as const satisfies BuiltInTab[];
const isTab = (name: string | null): name is BuiltInTab => tabs.some((tab) => tab === name);

const panels: Record<BuiltInTab, ComponentType<TabProps>> = {
  behaviour: BehaviourTab,
  people: PeopleTab,
  sessions: SessionsTab,
  requests: RequestsTab,
  data: DataTab,
};

/** The number that stands beside the name of a tab. */
const counted: Partial<Record<BuiltInTab, keyof BuiltInCounts>> = {
  people: 'accounts',
  sessions: 'sessions',
  requests: 'requests',
};

const mostShown = 999;

/** Shows the built-in server: how it is to behave, who is in it, what it was asked, and copies of it all. */
export function BuiltInServerPage({ tab: wanted }: { tab: BuiltInTab | undefined }) {
  const state = useApp();
  const [tab, setTab] = useState<BuiltInTab>(wanted ?? 'behaviour');
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
  const tabRefs = useRef<Partial<Record<BuiltInTab, HTMLButtonElement | null>>>({});
  function lead(name: BuiltInTab) {
    open(name);
    tabRefs.current[name]?.focus();
  }
  return (
    <Page title={t('builtIn.title')} beside={<Address builtIn={state.builtIn} />} layout="panes">
      <Tabs value={tab} onChange={open} keepMounted={false} className="column pane">
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
        <Tabs.Panel value={tab} className="column grow low">
          <Panel onChanged={() => void recount()} onLead={lead} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** It takes three digits at most, which is the place that is held for it. */
const sayCount = (count: number | undefined): string =>
  count === undefined ? '' : count > mostShown ? `${mostShown}+` : String(count);

function Address({ builtIn }: Pick<AppState, 'builtIn'>) {
  return (
    <Chip icon={<span className={classes.dot} data-state={builtIn.state} />}>
      {builtIn.state === 'running' ? (
        <span className="mono">{builtIn.baseUrl}</span>
      ) : (
        t(`builtIn.address.${builtIn.state}`)
      )}
    </Chip>
  );
}

/** Under load a request comes every few milliseconds, and nobody reads a number that changes as often. */
const recountEveryMs = 1000;

/** Calls `work` a moment after the built-in server answered requests, until the function that is returned is called. */
function afterRequests(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = onEvent('builtIn.requested', () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      work();
    }, recountEveryMs);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Counts what the built-in server holds, at once, when it is asked to, and a moment after requests came in. */
function useCounts() {
  const { data: counts, reload } = useQuery(api.builtIn.counts);
  useEffect(() => afterRequests(() => void reload()), [reload]);
  return { counts, recount: reload };
}
