/**
 * The sections of the settings and their rows in their order, for the page and the palette. The texts of a row are in
 * `settings.row`. A row with the name of a boolean setting is a switch: besides its entry here, it needs its texts, its
 * type in `preload/contract/settings.ts` and its default in main.
 */
export const settingsSections = [
  { id: 'general', rows: ['language', 'theme', 'presenting'] },
  { id: 'lock', rows: ['tokens', 'pin', 'lockAfterMinutes', 'lockOnScreenLock', 'lockOnSleep'] },
  { id: 'sessions', rows: ['clearOnQuit'] },
  { id: 'calls', rows: ['limits'] },
  { id: 'storage', rows: ['stored', 'diagnostics', 'erase'] },
  { id: 'notifications', rows: ['notifications'] },
  { id: 'about', rows: ['version', 'electron', 'system', 'licences'] },
  // Last, since an update that is announced while the user reads must push nothing down.
  { id: 'updates', rows: ['lookForUpdates', 'updates'] },
] as const;

export type SettingsSection = (typeof settingsSections)[number]['id'];
export type SettingsRow = (typeof settingsSections)[number]['rows'][number];
