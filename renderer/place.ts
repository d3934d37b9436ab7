import { arriveAt } from './arrive.ts';
import { useSyncExternalStore } from 'react';
import type { CallSummary } from '../preload/contract/calls.ts';
import { api, currentAppState } from './api.ts';

/** The parts of the settings, each under a heading of its own. */
export type SettingsSection =
  | 'general'
  | 'lock'
  | 'sessions'
  | 'calls'
  | 'storage'
  | 'notifications'
  | 'about'
  | 'updates';

/** The tabs of the room of the built-in server. */
export type BuiltInTab = 'behaviour' | 'people' | 'sessions' | 'requests' | 'data';

/** Where in the window the person is. `editing` is the server that the room of servers opens with. */
export type Place =
  | { room: 'account' }
  | { room: 'calls'; call?: CallSummary | undefined }
  /** `starting` opens the form of a new run. Each press is a new place. */
  | { room: 'contract'; starting?: true }
  | { room: 'built-in'; tab?: BuiltInTab }
  | { room: 'servers'; editing?: string | undefined }
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
let current: Place = account;
/** What had the focus when the person left for the place that is shown. */
let cameFrom: Element | null = null;
const listeners = new Set<() => void>();

function show(place: Place): void {
  current = place;
  for (const listener of listeners) listener();
}

/** Goes to another place of the window. A room of the Workbench brings the Workbench along. */
export function go(place: Place): void {
  const settings = currentAppState()?.settings;
  if (settings?.workbench === false && isWorkbenchRoom(place.room)) void api.settings.change({ workbench: true });
  if (place.room !== current.room) cameFrom = document.activeElement;
  show(place);
}

/** Goes back to the account, and gives the focus back to what the person came from. */
export function goBack(): void {
  const before = cameFrom;
  show(account);
  requestAnimationFrame(() => {
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    arriveAt(isThere ? before : document.querySelector<HTMLElement>('main h1'));
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const place = (): Place => current;

/** Returns where the person is. */
export const usePlace = (): Place => useSyncExternalStore(subscribe, place, place);
