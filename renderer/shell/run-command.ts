import type { AppState } from '../../preload/contract/models.ts';
import type { Command } from '../../preload/contract/shortcuts.ts';
import { api } from '../api.ts';
import { go, type RoomName } from '../place.ts';
import { toggleCalls } from '../screens/calls/use-calls-dock.ts';
import { nextRegion } from './next-region.ts';
import { toggleWorkbench } from './toggle-workbench.ts';

/** What lies over the window because the person asked for it. */
export type Overlay = 'palette' | 'keys';

interface Where {
  state: AppState;
  room: RoomName;
  onOverlay: (overlay: Overlay) => void;
}

const serverPlaces = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Does what a key, an item of a native menu, or the palette asks for. What is not possible now does nothing. */
export function runCommand(command: Command, { state, room, onOverlay }: Where): void {
  const { servers, session } = state;
  const toRoom = (to: Exclude<RoomName, 'sessions'>) => () => go({ room: to });
  const toServer = (place: number) => () => {
    const server = servers[place - 1];
    if (server) void api.servers.choose({ id: server.id });
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.fromEntries` loses the names of the keys.
  const toServers = Object.fromEntries(serverPlaces.map((place) => [`server-${place}`, toServer(place)])) as Record<
    `server-${(typeof serverPlaces)[number]}`,
    () => void
  >;
  const actions: Record<Command, () => void> = {
    palette: () => onOverlay('palette'),
    keys: () => onOverlay('keys'),
    workbench: () => toggleWorkbench(state, room),
    'next-region': nextRegion,
    lock: () => void api.lock.now(),
    'room-account': toRoom('account'),
    'room-calls': toRoom('calls'),
    'room-contract': toRoom('contract'),
    'room-built-in': toRoom('built-in'),
    'room-servers': toRoom('servers'),
    'room-settings': toRoom('settings'),
    calls: () => toggleCalls({ workbench: state.settings.workbench, room }),
    contract: toRoom('contract'),
    'built-in': toRoom('built-in'),
    settings: toRoom('settings'),
    about: () => go({ room: 'settings', section: 'about' }),
    ...toServers,
    find: () => document.querySelector<HTMLInputElement>('main input[type=search], main [data-find]')?.focus(),
    'check-again': () => {
      if (session.step === 'signed-in') void api.sessions.check({ id: session.sessionId });
    },
  };
  actions[command]();
}
