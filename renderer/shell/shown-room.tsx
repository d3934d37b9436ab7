import { lazyComponent } from '../components/when-opened.tsx';
import type { Route } from '../place.ts';
import { AccountRoom } from '../screens/account/account-room.tsx';
import { Welcome } from '../screens/first-screens.ts';
import { useApp } from '../api.ts';

const CallsRoom = lazyComponent(() => import('../screens/calls/calls-room.tsx').then((loaded) => loaded.CallsRoom));
const ContractRoom = lazyComponent(() =>
  import('../screens/contract-run/contract-room.tsx').then((loaded) => loaded.ContractRoom),
);
const BuiltInServerRoom = lazyComponent(() =>
  import('../screens/built-in-server/built-in-server-room.tsx').then((loaded) => loaded.BuiltInServerRoom),
);
const ServersRoom = lazyComponent(() =>
  import('../screens/servers/servers-room.tsx').then((loaded) => loaded.ServersRoom),
);
const SessionsRoom = lazyComponent(() =>
  import('../screens/sessions/sessions-room.tsx').then((loaded) => loaded.SessionsRoom),
);
const SettingsRoom = lazyComponent(() =>
  import('../screens/settings/settings-room.tsx').then((loaded) => loaded.SettingsRoom),
);

/** Shows the room of a place. All but the account are loaded when they are first entered. */
export function ShownRoom({ place }: { place: Route }) {
  const state = useApp();
  switch (place.room) {
    case 'account':
      return state.settings.welcomed ? <AccountRoom /> : <Welcome />;
    case 'calls':
      return <CallsRoom wanted={place.call} />;
    case 'contract':
      return <ContractRoom place={place} />;
    case 'built-in':
      return <BuiltInServerRoom key={place.tab} tab={place.tab} />;
    case 'servers':
      return <ServersRoom key={place.editing} editing={place.editing} tested={place.tested} />;
    case 'sessions':
      return <SessionsRoom place={place} />;
    case 'settings':
      return <SettingsRoom section={place.section} />;
    default:
      return place satisfies never;
  }
}
