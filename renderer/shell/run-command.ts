import type { AppState } from '../../preload/contract/models.ts';
import { type Command, isServerCommand, serverPlaceOf } from '../../preload/contract/shortcuts.ts';
import { focusable } from '../focus-home.ts';
import { navigate, type Route, type PageName } from '../route.ts';
import { toggleCalls } from '../screens/calls/calls-dock.tsx';
import { toggleWorkbench } from './toggle-workbench.ts';
import type { Actions } from './use-actions.ts';

/** What lies over the window because the person asked for it. */
export type Overlay = 'palette' | 'keys';

interface Where {
  state: AppState;
  room: PageName;
  actions: Actions;
  onOverlay: (overlay: Overlay) => void;
}

/** Does what a key, an item of a native menu, or the palette asks for. What is not possible now does nothing. */
export function runCommand(command: Command, { state, room, actions, onOverlay }: Where): void {
  if (isServerCommand(command)) {
    const server = state.servers[serverPlaceOf(command) - 1];
    if (server) actions.chooseServer(server.id);
    return;
  }
  const to = (place: Route) => () => navigate(place);
  const commands: Record<typeof command, () => void> = {
    palette: () => onOverlay('palette'),
    keys: () => onOverlay('keys'),
    workbench: () => toggleWorkbench(state, room, actions),
    'next-region': nextRegion,
    lock: actions.lock,
    'room-account': to({ room: 'account' }),
    'room-calls': to({ room: 'calls' }),
    'room-contract': to({ room: 'contract' }),
    'room-built-in': to({ room: 'built-in' }),
    'room-servers': to({ room: 'servers' }),
    'room-settings': to({ room: 'settings' }),
    calls: () => toggleCalls({ workbench: state.settings.workbench, room }),
    contract: to({ room: 'contract', starting: true }),
    'built-in': to({ room: 'built-in' }),
    settings: to({ room: 'settings' }),
    about: to({ room: 'settings', section: 'about' }),
    find: () => document.querySelector<HTMLInputElement>('main input[type=search], main [data-find]')?.focus(),
    'check-again': actions.checkAgain,
  };
  commands[command]();
}

/**
 * Gives the focus to the next part of the window: header, rail, room, dock, status bar, and around again (F6, as
 * browsers and desktops have it). A room takes it at its heading.
 */
function nextRegion(): void {
  const regions = Array.from(document.querySelectorAll<HTMLElement>('[data-region]'));
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  for (let step = 1; step <= regions.length; step += 1) {
    const region = regions[(at + step) % regions.length];
    const target = region?.querySelector<HTMLElement>('h1[tabindex]') ?? region?.querySelector<HTMLElement>(focusable);
    if (target) {
      target.focus();
      return;
    }
  }
}
