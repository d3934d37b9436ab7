import type { TFunction } from 'i18next';
import type { AppState } from '../../preload/contract/models.ts';
import { type Command, keyCapsOf, shortcutOf } from '../../preload/contract/shortcuts.ts';
import { api } from '../api.ts';
import { go } from '../place.ts';
import { serverName } from '../server-name.ts';
import { isMac } from '../use-shortcuts.ts';

/** One line of the palette. `hint` says more and is searched too; `keys` do the same without the palette. */
export interface PaletteEntry {
  id: string;
  group: 'rooms' | 'servers' | 'accounts' | 'actions';
  label: string;
  hint?: string | undefined;
  keys?: string | undefined;
  run: () => void;
}

const keysOf = (command: Command): string | undefined => {
  const shortcut = shortcutOf(command);
  return shortcut && keyCapsOf(shortcut, isMac).join(' ');
};

/** Returns everything that can be done from where the person is. */
export function paletteEntries(state: AppState, t: TFunction, run: (command: Command) => void): PaletteEntry[] {
  return [
    ...roomEntries(t, run),
    ...serverEntries(state, t),
    ...accountEntries(state, t),
    ...actionEntries(state, t, run),
  ];
}

const rooms = ['account', 'calls', 'contract', 'built-in', 'servers', 'settings'] as const;

const roomEntries = (t: TFunction, run: (command: Command) => void): PaletteEntry[] =>
  rooms.map((room) => ({
    id: `room-${room}`,
    group: 'rooms',
    label: t(`rail.rooms.${room}`),
    keys: keysOf(`room-${room}`),
    run: () => run(`room-${room}`),
  }));

const serverEntries = ({ servers }: AppState, t: TFunction): PaletteEntry[] =>
  servers.map((server, index) => ({
    id: `server-${server.id}`,
    group: 'servers',
    label: serverName(server, t),
    hint: [server.baseUrl, ...(server.production ? [t('server.production')] : [])].join(' · '),
    keys: index < 9 ? `${isMac ? '⌘' : 'Ctrl'} ${index + 1}` : undefined,
    run: () => void api.servers.choose({ id: server.id }),
  }));

const accountEntries = ({ sessions, servers }: AppState, t: TFunction): PaletteEntry[] =>
  sessions
    .filter((held) => held.state === 'usable')
    .map(({ id, account, name, serverId }) => ({
      id: `session-${id}`,
      group: 'accounts',
      label: name ?? account,
      hint: `${account} · ${serverName(
        servers.find((server) => server.id === serverId),
        t,
      )}`,
      run: () => {
        go({ room: 'account' });
        void api.sessions.choose({ id });
      },
    }));

function actionEntries(state: AppState, t: TFunction, run: (command: Command) => void): PaletteEntry[] {
  const { session, settings, behaviour } = state;
  const isIn = session.step !== 'signed-out';
  const action = (
    id: Parameters<typeof label>[0],
    act: () => void,
    isPossible = true,
    command?: Command,
  ): PaletteEntry[] =>
    isPossible ? [{ id, group: 'actions', label: label(id), keys: command && keysOf(command), run: act }] : [];
  const label = (id: ActionName) => t(`palette.actions.${id}`);
  return [
    ...action('checkAgain', () => run('check-again'), isIn, 'check-again'),
    ...action('addAccount', () => void (go({ room: 'account' }), api.session.addAccount()), isIn),
    ...action('sessions', () => go({ room: 'sessions' })),
    ...action('demo', () => void (go({ room: 'account' }), api.demo.start())),
    ...action('workbenchOn', () => run('workbench'), !settings.workbench, 'workbench'),
    ...action('workbenchOff', () => run('workbench'), settings.workbench, 'workbench'),
    ...action('allWell', () => void api.builtIn.behave({ dialect: null, wrong: [], faults: [] }), behaviour.isOn),
    ...action('light', () => void api.settings.change({ theme: 'light' }), settings.theme !== 'light'),
    ...action('dark', () => void api.settings.change({ theme: 'dark' }), settings.theme !== 'dark'),
    ...action('systemTheme', () => void api.settings.change({ theme: 'system' }), settings.theme !== 'system'),
    ...action('keys', () => run('keys'), true, 'keys'),
    ...action('lock', () => run('lock'), true, 'lock'),
    ...(session.step === 'signed-out'
      ? []
      : action('logOut', () => void api.sessions.logout({ id: session.sessionId, tellServer: true }))),
  ];
}

type ActionName =
  | 'checkAgain'
  | 'addAccount'
  | 'sessions'
  | 'demo'
  | 'workbenchOn'
  | 'workbenchOff'
  | 'allWell'
  | 'light'
  | 'dark'
  | 'systemTheme'
  | 'keys'
  | 'lock'
  | 'logOut';
