import type { AppState, Server } from '../../preload/contract/models.ts';
import type { Command, Shortcut } from '../../preload/contract/shortcuts.ts';
import { displayName } from '../display-name.ts';
import { navigate, type Route, railPages } from '../route.ts';
import { heldHere } from '../screens/sessions/held-here.ts';
import { serverName } from '../server-name.ts';
import { keysOf, serverKeysOf } from '../use-shortcuts.ts';
import { builtInTabs } from '../screens/built-in-server/tabs.ts';
import { settingsSections } from '../screens/settings/sections.ts';
import { foundThere, settingPlaces } from './palette-places.ts';
import type { Actions } from './use-actions.ts';
import { t } from '../i18n.ts';

/** One line of the palette. `hint` says more and is searched too; `keys` do the same without the palette. */
export interface PaletteEntry {
  id: string;
  group: 'rooms' | 'servers' | 'accounts' | 'actions' | 'places';
  label: string;
  /** The room that it leads to, or the colour of the server, which is shown before it. */
  room?: (typeof railPages)[number];
  colour?: Server['colour'];
  hint?: string | undefined;
  /** Other words for it, which are searched and not shown. */
  words?: string;
  keys?: string | undefined;
  run: () => void;
}

interface Options {
  state: AppState;
  actions: Actions;
  /** Runs what has keys of its own. */
  run: (command: Command) => void;
}

export const paletteEntries = (options: Options): PaletteEntry[] => [
  ...roomEntries(options),
  ...serverEntries(options),
  ...accountEntries(options),
  ...actionEntries(options),
  ...placeEntries(),
];

const roomEntries = ({ run }: Options): PaletteEntry[] =>
  railPages.map((room) => ({
    id: `room-${room}`,
    group: 'rooms',
    room,
    label: t(`rail.rooms.${room}`),
    keys: keysOf(`room-${room}`),
    run: () => run(`room-${room}`),
  }));

const serverEntries = ({ state: { servers }, actions }: Options): PaletteEntry[] =>
  servers.map((server, index) => ({
    id: `server-${server.id}`,
    group: 'servers',
    colour: server.colour,
    label: serverName(server),
    hint: [server.baseUrl, ...(server.production ? [t('server.production')] : [])].join(' · '),
    keys: serverKeysOf(index + 1),
    run: () => actions.chooseServer(server.id),
  }));

function accountEntries({ state: { sessions, servers }, actions }: Options): PaletteEntry[] {
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

/** What can be done, and when. What has keys runs as they do. */
function actionEntries({ state, actions, run }: Options): PaletteEntry[] {
  const { settings, behaviour, session } = state;
  const isIn = session.step !== 'signed-out';
  const byKey = (id: Shortcut['id']) => ({ keys: keysOf(id), run: () => run(id) });
  const themes = { light: 'light', dark: 'dark', systemTheme: 'system' } as const;
  const possible = [
    { name: 'checkAgain', isPossible: isIn, ...byKey('check-again') },
    { name: 'addAccount', isPossible: isIn, run: actions.addAccount },
    { name: 'sessions', isPossible: true, run: () => navigate({ room: 'sessions' }) },
    // Enter runs the first line that is found, and these words are in the next one, too.
    { name: 'logOut', isPossible: isIn, run: actions.logOut },
    {
      name: 'logOutEverywhere',
      isPossible: heldHere(state.sessions).length > 0,
      run: () => navigate({ room: 'sessions', leaving: true }),
    },
    { name: 'newRun', isPossible: true, ...byKey('contract') },
    { name: 'demo', isPossible: true, run: actions.startDemo },
    { name: 'workbenchOn', isPossible: !settings.workbench, ...byKey('workbench') },
    { name: 'workbenchOff', isPossible: settings.workbench, ...byKey('workbench') },
    { name: 'allWell', isPossible: behaviour.isOn, run: actions.turnMisbehaviourOff },
    ...(['light', 'dark', 'systemTheme'] as const).map((name) => ({
      name,
      isPossible: settings.theme !== themes[name],
      run: () => actions.change({ theme: themes[name] }),
    })),
    ...(['presentingOn', 'presentingOff'] as const).map((name) => ({
      name,
      hint: t('settings.row.presenting.help'),
      isPossible: settings.presenting === (name === 'presentingOff'),
      run: () => actions.change({ presenting: !settings.presenting }),
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

/** Where every setting, tab and menu is, so that any of its words leads there. */
function placeEntries(): PaletteEntry[] {
  const settings = t('settings.open');
  const builtIn = t('builtIn.title');
  const to = (id: string, label: string, hint: string, place: Route, words?: string): PaletteEntry => ({
    id: `place-${id}`,
    group: 'places',
    label,
    hint,
    ...(words !== undefined && { words }),
    run: () => navigate(place),
  });
  return [
    ...foundThere.map(({ name, place }) =>
      to(name, t(`palette.found.${name}`), t(`rail.rooms.${place.room}`), place, t(`palette.words.${name}`)),
    ),
    ...builtInTabs.map((tab) => to(`tab-${tab}`, t(`builtIn.tabs.${tab}`), builtIn, { room: 'built-in', tab })),
    ...settingsSections.map(({ id: section }) =>
      to(`section-${section}`, t(`settings.section.${section}`), settings, { room: 'settings', section }),
    ),
    ...settingPlaces
      // The section itself is found by the same name.
      .filter(({ row, place }) => t(`settings.row.${row}.label`) !== t(`settings.section.${place.section}`))
      .map(({ row, words, place }) =>
        to(`setting-${row}`, t(`settings.row.${row}.label`), settings, place, words && t(`palette.words.${words}`)),
      ),
  ];
}
