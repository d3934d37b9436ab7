import type { Settings } from '../../preload/contract/settings.ts';
import type { Route, SettingsSection } from '../route.ts';

/** The part of the settings in which each of them stands. */
const sectionOf: Record<Exclude<keyof Settings, 'welcomed' | 'workbench'>, SettingsSection> = {
  language: 'general',
  theme: 'general',
  presenting: 'general',
  lockAfterMinutes: 'lock',
  lockOnScreenLock: 'lock',
  lockOnSleep: 'lock',
  clearOnQuit: 'sessions',
  callsPerSecond: 'calls',
  notifications: 'notifications',
  lookForUpdates: 'updates',
};
export const settingPlaces = Object.entries(sectionOf).map(([name, section]) => ({
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has no other keys.
  name: name as keyof typeof sectionOf,
  place: { room: 'settings', section } as const satisfies Route,
}));

export const settingSections = [
  'general',
  'lock',
  'sessions',
  'calls',
  'storage',
  'notifications',
  'about',
  'updates',
] as const satisfies SettingsSection[];

export const builtInTabs = ['behaviour', 'people', 'sessions', 'requests', 'data'] as const;

/** What stands in a menu or a form of a room: where it is, by its name in `palette.found` of the locales. */
export const foundThere = [
  { name: 'newServer', place: { room: 'servers' } },
  { name: 'connection', place: { room: 'servers' } },
  { name: 'serverFiles', place: { room: 'servers' } },
  { name: 'double', place: { room: 'servers' } },
  { name: 'register', place: { room: 'account' } },
  { name: 'saveData', place: { room: 'account' } },
  { name: 'faults', place: { room: 'built-in', tab: 'behaviour' } },
  { name: 'clock', place: { room: 'built-in', tab: 'sessions' } },
  { name: 'copies', place: { room: 'built-in', tab: 'data' } },
  { name: 'callFiles', place: { room: 'calls' } },
  { name: 'commands', place: { room: 'calls' } },
  { name: 'reports', place: { room: 'contract' } },
  { name: 'compare', place: { room: 'contract' } },
  { name: 'erase', place: { room: 'settings', section: 'storage' } },
  { name: 'pin', place: { room: 'settings', section: 'lock' } },
  { name: 'licences', place: { room: 'settings', section: 'about' } },
] as const satisfies { name: string; place: Route }[];
