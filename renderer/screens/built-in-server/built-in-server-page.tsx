import { Tabs } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { BuiltInCounts } from '../../../preload/contract/local-servers.ts';
import { api, onEvent, useApp } from '../../api.ts';
import { Chip } from '../../components/chip.tsx';
import { Page } from '../../components/page.tsx';
import tabClasses from '../../components/tabs.module.css';
import { t } from '../../i18n.ts';
import { useQuery } from '../../use-query.ts';
import { BehaviourTab } from './behaviour-tab.tsx';
import classes from './built-in-server.module.css';
import { DataTab } from './data-tab.tsx';
import { PeopleTab } from './people-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';
import { type BuiltInTab, builtInTabs } from './tabs.ts';

const panels = {
  behaviour: BehaviourTab,
  people: PeopleTab,
  sessions: SessionsTab,
  requests: RequestsTab,
  data: DataTab,
};

/** The number beside the name of a tab. */
const countOf: Partial<Record<BuiltInTab, keyof BuiltInCounts>> = {
  people: 'accounts',
  sessions: 'sessions',
  requests: 'requests',
};

/** The built-in server: its behaviour, accounts, sessions, requests and data. */
export function BuiltInServerPage({ tab: first = 'behaviour' }: { tab: BuiltInTab | undefined }) {
  const { builtIn } = useApp();
  const [tab, setTab] = useState(first);
  const { data: counts, reload } = useQuery(api.builtIn.counts, tab);
  // Throttled, since under load a request comes every few milliseconds.
  const recount = useThrottledCallback(() => void reload(), 1000);
  useEffect(() => onEvent('builtIn.requested', recount), [recount]);
  const Panel = panels[tab];
  const address = (
    <Chip icon={<span className={classes.dot} data-state={builtIn.state} />}>
      {builtIn.state === 'running' ? (
        <span className="mono">{builtIn.baseUrl}</span>
      ) : (
        t(`builtIn.address.${builtIn.state}`)
      )}
    </Chip>
  );
  return (
    <Page title={t('builtIn.title')} beside={address} layout="panes">
      <Tabs
        id="built-in"
        value={tab}
        onChange={(value) => setTab(builtInTabs.find((name) => name === value) ?? tab)}
        keepMounted={false}
        className="column pane"
      >
        <Tabs.List aria-label={t('builtIn.title')} className={classes.tabList}>
          {builtInTabs.map((name) => (
            <Tabs.Tab key={name} value={name} className={tabClasses.tab}>
              {t(`builtIn.tabs.${name}`)}
              {countOf[name] && (
                <span className={classes.count} aria-hidden>
                  {countText(counts?.[countOf[name]])}
                </span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className="column grow low">
          <div key={tab} className={classes.scroll}>
            <div className={classes.page}>
              <Panel
                onChanged={() => void reload()}
                onOpenTab={(name) => {
                  setTab(name);
                  document.getElementById(`built-in-tab-${name}`)?.focus();
                }}
              />
            </div>
          </div>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** At most three digits, whose width is reserved before the number is known. */
const countText = (count: number | undefined): string =>
  count === undefined ? '' : count > 999 ? '999+' : String(count);
