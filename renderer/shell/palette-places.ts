import type { Route } from '../route.ts';
import { type SettingsRow, settingsSections } from '../screens/settings/sections.ts';

/** Rows of the settings that have synonyms in `palette.words`. */
const withWords = ['erase', 'licences', 'pin'] as const satisfies readonly SettingsRow[];

export const settingPlaces = settingsSections.flatMap(({ id: section, rows }) =>
  rows.map((row: SettingsRow) => ({
    row,
    words: withWords.find((name) => name === row),
    route: { page: 'settings', section } as const satisfies Route,
  })),
);

/** The pages of what is inside a menu or a form, by its key in `palette.found` of the texts. */
export const foundThere = [
  { name: 'newServer', route: { page: 'servers' } },
  { name: 'connection', route: { page: 'servers' } },
  { name: 'serverFiles', route: { page: 'servers' } },
  { name: 'mock', route: { page: 'servers' } },
  { name: 'register', route: { page: 'account' } },
  { name: 'saveData', route: { page: 'account' } },
  { name: 'faults', route: { page: 'built-in', tab: 'behaviour' } },
  { name: 'clock', route: { page: 'built-in', tab: 'sessions' } },
  { name: 'copies', route: { page: 'built-in', tab: 'data' } },
  { name: 'callFiles', route: { page: 'calls' } },
  { name: 'commands', route: { page: 'calls' } },
  { name: 'rate', route: { page: 'checks', starting: true } },
  { name: 'reports', route: { page: 'checks' } },
  { name: 'compare', route: { page: 'checks' } },
] as const satisfies { name: string; route: Route }[];
