import type { Route } from '../route.ts';
import { type SettingsRow, settingsSections } from '../screens/settings/sections.ts';

/** Rows of the settings that other words find too, which are in `palette.words`. */
const withWords = ['erase', 'licences', 'pin'] as const satisfies readonly SettingsRow[];

export const settingPlaces = settingsSections.flatMap(({ id: section, rows }) =>
  rows.map((row: SettingsRow) => ({
    row,
    words: withWords.find((name) => name === row),
    place: { room: 'settings', section } as const satisfies Route,
  })),
);

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
  { name: 'rate', place: { room: 'contract', starting: true } },
  { name: 'reports', place: { room: 'contract' } },
  { name: 'compare', place: { room: 'contract' } },
] as const satisfies { name: string; place: Route }[];
