import { lazyComponent } from '../components/lazy-component.tsx';
import type { Route } from '../route.ts';
import { AccountPage } from '../screens/account/account-page.tsx';
import { Welcome } from '../screens/first-screens.ts';
import { useApp } from '../api.ts';

const CallsPage = lazyComponent(() => import('../screens/calls/calls-page.tsx').then((loaded) => loaded.CallsPage));
const ChecksPage = lazyComponent(() => import('../screens/checks/checks-page.tsx').then((loaded) => loaded.ChecksPage));
const BuiltInServerPage = lazyComponent(() =>
  import('../screens/built-in-server/built-in-server-page.tsx').then((loaded) => loaded.BuiltInServerPage),
);
const ServersPage = lazyComponent(() =>
  import('../screens/servers/servers-page.tsx').then((loaded) => loaded.ServersPage),
);
const SessionsPage = lazyComponent(() =>
  import('../screens/sessions/sessions-page.tsx').then((loaded) => loaded.SessionsPage),
);
const SettingsPage = lazyComponent(() =>
  import('../screens/settings/settings-page.tsx').then((loaded) => loaded.SettingsPage),
);

/** Shows the room of a place. All but the account are loaded when they are first entered. */
export function CurrentPage({ place }: { place: Route }) {
  const state = useApp();
  switch (place.room) {
    case 'account':
      return state.settings.welcomed ? <AccountPage /> : <Welcome />;
    case 'calls':
      return <CallsPage call={place.call} />;
    case 'contract':
      return <ChecksPage place={place} />;
    case 'built-in':
      return <BuiltInServerPage key={place.tab} tab={place.tab} />;
    case 'servers':
      return <ServersPage key={place.editing} tested={place.tested} />;
    case 'sessions':
      return <SessionsPage place={place} />;
    case 'settings':
      return <SettingsPage section={place.section} />;
    default:
      return place satisfies never;
  }
}
