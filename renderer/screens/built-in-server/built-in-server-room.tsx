import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import { Room } from '../../components/room.tsx';
import { go } from '../../place.ts';
import { AccountsTab } from './accounts-tab.tsx';
import { BehaviourTab } from './behaviour-tab.tsx';
import { DataTab } from './data-tab.tsx';
import { RequestsTab } from './requests-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

const tabs = ['behaviour', 'accounts', 'sessions', 'requests', 'data'] as const;
type TabName = (typeof tabs)[number];
const isTab = (name: string | null): name is TabName => tabs.some((tab) => tab === name);

const panels: Record<TabName, ComponentType<{ state: AppState; onClose: () => void }>> = {
  behaviour: BehaviourTab,
  accounts: AccountsTab,
  sessions: SessionsTab,
  requests: RequestsTab,
  data: DataTab,
};

/** Shows the built-in server: how it is to behave, who is in it, what it was asked, and copies of it all. */
export function BuiltInServerRoom({ state }: { state: AppState }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<TabName>('behaviour');
  const Panel = panels[tab];
  return (
    <Room title={t('builtIn.title')}>
      <Tabs value={tab} onChange={(name) => isTab(name) && setTab(name)} keepMounted={false}>
        <Tabs.List aria-label={t('builtIn.title')}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name} data-autofocus={name === 'behaviour' || undefined}>
              {t(`builtIn.tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          <Panel state={state} onClose={() => go({ room: 'account' })} />
        </Tabs.Panel>
      </Tabs>
    </Room>
  );
}
