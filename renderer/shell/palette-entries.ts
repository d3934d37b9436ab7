import type { AppState, Server } from '../../preload/contract/models.ts';
import { type RailPage, railPages } from '../../preload/contract/rail-pages.ts';
import type { Shortcut } from '../../preload/contract/shortcuts.ts';
import { displayName } from '../display-name.ts';
import { navigate, type Route } from '../route.ts';
import { loggedInSessions } from '../screens/sessions/session-actions.ts';
import { serverName } from '../server-name.ts';
import { keysOf, serverKeysOf } from '../use-shortcuts.ts';
import { actions, runWindowCommand } from './commands.ts';
import { builtInTabs } from '../screens/built-in-server/tabs.ts';
import { settingsSections } from '../screens/settings/sections.ts';
import { foundThere, settingPlaces } from './palette-places.ts';
import { t } from '../i18n.ts';

/** A line of the palette. `hint` is shown beside the label and searched too; `keys` are its shortcut. */
export interface PaletteEntry {
  id: string;
  group: 'pages' | 'servers' | 'accounts' | 'actions' | 'places';
  label: string;
  /** The page whose icon is shown before the label, or the colour of a server. */
  page?: RailPage;
  colour?: Server['colour'];
  hint?: string | undefined;
  /** Synonyms, which are searched and not shown. */
  words?: string;
  keys?: string | undefined;
  run: () => void;
}

export const paletteEntries = (state: AppState): PaletteEntry[] => [
  ...pageEntries(),
  ...serverEntries(state),
  ...accountEntries(state),
  ...actionEntries(state),
  ...placeEntries(),
];

const pageEntries = (): PaletteEntry[] =>
  railPages.map(({ name: page }) => ({
    id: `page-${page}`,
    group: 'pages',
    page,
    label: t(`rail.pages.${page}`),
    keys: keysOf(`page-${page}`),
    run: () => navigate({ page }),
  }));

const serverEntries = ({ servers }: AppState): PaletteEntry[] =>
  servers.map((server, index) => ({
    id: `server-${server.id}`,
    group: 'servers',
    colour: server.colour,
    label: serverName(server),
    hint: [server.baseUrl, ...(server.production ? [t('server.production')] : [])].join(' · '),
    keys: serverKeysOf(index + 1),
    run: () => actions.chooseServer(server.id),
  }));

function accountEntries({ sessions, servers }: AppState): PaletteEntry[] {
  const nameOf = (serverId: string) => serverName(servers.find(({ id }) => id === serverId));
  return sessions
    .filter((held) => held.state === 'usable')
    .map(({ id, account, serverId, ...held }) => ({
      id: `session-${id}`,
      group: 'accounts',
      label: displayName(held) ?? account,
      hint: `${account} · ${nameOf(serverId)}`,
      run: () => actions.showAccount(id),
    }));
}

function actionEntries({ settings, behaviour, session, sessions }: AppState): PaletteEntry[] {
  const isIn = session.step !== 'signed-out';
  const byKey = (id: Shortcut['id']) => ({ keys: keysOf(id), run: () => runWindowCommand(id) });
  const themes = { light: 'light', dark: 'dark', systemTheme: 'system' } as const;
  const possible = [
    { name: 'checkAgain', isPossible: isIn, ...byKey('check-again') },
    { name: 'addAccount', isPossible: isIn, run: actions.addAccount },
    { name: 'sessions', isPossible: true, run: () => navigate({ page: 'sessions' }) },
    // Enter runs the first match, and the label of the next one contains these words, too.
    { name: 'logOut', isPossible: isIn, run: actions.logOut },
    {
      name: 'logOutEverywhere',
      isPossible: loggedInSessions(sessions).length > 0,
      run: () => navigate({ page: 'sessions', leaving: true }),
    },
    { name: 'newRun', isPossible: true, ...byKey('new-check') },
    { name: 'demo', isPossible: true, run: actions.startDemo },
    { name: 'workbenchOn', isPossible: !settings.workbench, ...byKey('workbench') },
    { name: 'workbenchOff', isPossible: settings.workbench, ...byKey('workbench') },
    { name: 'faultsOff', isPossible: behaviour.isOn, run: actions.turnFaultsOff },
    ...(['light', 'dark', 'systemTheme'] as const).map((name) => ({
      name,
      isPossible: settings.theme !== themes[name],
      run: () => actions.changeSettings({ theme: themes[name] }),
    })),
    ...(['presentingOn', 'presentingOff'] as const).map((name) => ({
      name,
      hint: t('settings.row.presenting.help'),
      isPossible: settings.presenting === (name === 'presentingOff'),
      run: () => actions.changeSettings({ presenting: !settings.presenting }),
    })),
    { name: 'keys', isPossible: true, ...byKey('keys') },
    { name: 'lock', isPossible: true, ...byKey('lock') },
  ] as const;
  return possible
    .filter(({ isPossible }) => isPossible)
    .map((entry) => ({
      id: entry.name,
      group: 'actions',
      label: t(`palette.actions.${entry.name}`),
      hint: 'hint' in entry ? entry.hint : undefined,
      keys: 'keys' in entry ? entry.keys : undefined,
      run: entry.run,
    }));
}

/** The places of all settings, tabs and menus, which any of their words finds. */
function placeEntries(): PaletteEntry[] {
  const settings = t('settings.open');
  const builtIn = t('builtIn.title');
  const to = (id: string, label: string, hint: string, route: Route, words?: string): PaletteEntry => ({
    id: `page-part-${id}`,
    group: 'places',
    label,
    hint,
    ...(words !== undefined && { words }),
    run: () => navigate(route),
  });
  return [
    ...foundThere.map(({ name, route }) =>
      to(name, t(`palette.found.${name}`), t(`rail.pages.${route.page}`), route, t(`palette.words.${name}`)),
    ),
    ...builtInTabs.map((tab) => to(`tab-${tab}`, t(`builtIn.tabs.${tab}`), builtIn, { page: 'built-in', tab })),
    ...settingsSections.map(({ id: section }) =>
      to(`section-${section}`, t(`settings.section.${section}`), settings, { page: 'settings', section }),
    ),
    ...settingPlaces
      // The section itself is found by the same name.
      .filter(({ row, route }) => t(`settings.row.${row}.label`) !== t(`settings.section.${route.section}`))
      .map(({ row, words, route }) =>
        to(`setting-${row}`, t(`settings.row.${row}.label`), settings, route, words && t(`palette.words.${words}`)),
      ),
  ];
}
