import { arriveAt } from './arrive.ts';
import type { CallSummary } from '../preload/contract/calls.ts';
import type { ConnectionReport } from '../preload/contract/models.ts';
import { api, currentAppState } from './api.ts';
import { createStore, useStore } from './store.ts';

export type SettingsSection =
  | 'general'
  | 'lock'
  | 'sessions'
  | 'calls'
  | 'storage'
  | 'notifications'
  | 'about'
  | 'updates';

export type BuiltInTab = 'behaviour' | 'people' | 'sessions' | 'requests' | 'data';

/**
 * Where in the window the person is. `editing` is the server that the room of servers opens with, and `tested` what was
 * found at the server in use.
 */
export type Place =
  | { room: 'account' }
  | { room: 'calls'; call?: CallSummary | undefined }
  /** `starting` opens the form of a new run, and `run` the report of one. Each press is a new place. */
  | {
      room: 'contract';
      starting?: true;
      run?: { serverId: string; number: number | undefined } | undefined;
      tested?: ConnectionReport | undefined;
    }
  | { room: 'built-in'; tab?: BuiltInTab }
  | { room: 'servers'; editing?: string | undefined; tested?: ConnectionReport | undefined }
  /** `leaving` asks whether every session is to end. Each press is a new place. */
  | { room: 'sessions'; leaving?: true }
  | { room: 'settings'; section?: SettingsSection | undefined };

export type RoomName = Place['room'];

/** The rooms of the rail, in its order. All sessions are reached from the account. */
export const railRooms = [
  'account',
  'calls',
  'contract',
  'built-in',
  'servers',
  'settings',
] as const satisfies RoomName[];

/** The rooms that only the Workbench has. */
const workbenchRooms: ReadonlySet<RoomName> = new Set(['calls', 'contract', 'built-in']);
export const isWorkbenchRoom = (room: RoomName): boolean => workbenchRooms.has(room);

const account = { room: 'account' } as const;
const here = createStore<Place>(account);
/** What had the focus when the person left for the place that is shown. */
let cameFrom: Element | null = null;

/** Goes to another place of the window. A room of the Workbench brings the Workbench along. */
export function go(place: Place): void {
  const settings = currentAppState()?.settings;
  if (settings?.workbench === false && isWorkbenchRoom(place.room)) void api.settings.change({ workbench: true });
  if (place.room !== here.current().room) cameFrom = document.activeElement;
  here.set(place);
}

/** Leads to the account at the server that was chosen, but from the rooms that show that server themselves. */
export function goToChosen(): void {
  if (!isWorkbenchRoom(here.current().room)) go(account);
}

/** Goes back to the account, and gives the focus back to what the person came from. */
export function goBack(): void {
  const before = cameFrom;
  here.set(account);
  requestAnimationFrame(() => {
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    arriveAt(isThere ? before : document.querySelector<HTMLElement>('main h1'));
  });
}

export const usePlace = (): Place => useStore(here);
