import type { ComponentType, ReactNode } from 'react';
import { useApp } from './api.ts';
import {
  AccountIcon,
  ChecklistIcon,
  GearIcon,
  PeopleIcon,
  ServerIcon,
  WireIcon,
  WorldIcon,
} from './components/icons.tsx';
import { lazyComponent } from './components/lazy-component.tsx';
import type { PageName, Route } from './route.ts';
import { AccountPage } from './screens/account/account-page.tsx';
import { Welcome } from './screens/welcome/welcome.tsx';

const CallsPage = lazyComponent(async () => (await import('./screens/calls/calls-page.tsx')).CallsPage);
const ChecksPage = lazyComponent(async () => (await import('./screens/checks/checks-page.tsx')).ChecksPage);
const BuiltInServerPage = lazyComponent(
  async () => (await import('./screens/built-in-server/built-in-server-page.tsx')).BuiltInServerPage,
);
const ServersPage = lazyComponent(async () => (await import('./screens/servers/servers-page.tsx')).ServersPage);
const SessionsPage = lazyComponent(async () => (await import('./screens/sessions/sessions-page.tsx')).SessionsPage);
const SettingsPage = lazyComponent(async () => (await import('./screens/settings/settings-page.tsx')).SettingsPage);

const AccountOrWelcome = () => (useApp().settings.welcomed ? <AccountPage /> : <Welcome />);

type Routes = { [Name in PageName]: Extract<Route, { page: Name }> };

/**
 * All pages. The names, order and keys of those in the rail are in `preload/contract/rail-pages.ts`, their labels under
 * `rail.pages` in the texts. All but the account are loaded on demand.
 */
export const pages: {
  [Name in PageName]: { icon: ComponentType<{ size?: number }>; render: (route: Routes[Name]) => ReactNode };
} = {
  account: { icon: AccountIcon, render: () => <AccountOrWelcome /> },
  calls: { icon: WireIcon, render: ({ call }) => <CallsPage call={call} /> },
  checks: { icon: ChecklistIcon, render: (route) => <ChecksPage route={route} /> },
  'built-in': { icon: ServerIcon, render: ({ tab }) => <BuiltInServerPage key={tab} tab={tab} /> },
  servers: {
    icon: WorldIcon,
    render: ({ editing, tested }) => <ServersPage key={editing} tested={tested} />,
  },
  sessions: { icon: PeopleIcon, render: (route) => <SessionsPage route={route} /> },
  settings: { icon: GearIcon, render: ({ section }) => <SettingsPage section={section} /> },
};

const render = <Name extends PageName>(name: Name, route: Routes[Name]): ReactNode => pages[name].render(route);

export const CurrentPage = ({ route }: { route: Route }): ReactNode => render(route.page, route);
