import type {
  AppState,
  BuiltInStatus,
  FileNotice,
  HeldSession,
  Language,
  Server,
  Session,
  VaultStatus,
} from '../../preload/contract/models.ts';
import type { WatchStatus } from '../../preload/contract/watched.ts';
import type { UpdateStatus } from '../../preload/contract/updates.ts';
import type { Behaviour } from '../../preload/contract/built-in-server.ts';
import { builtInId, type Config } from '../config/config.ts';

/** What has no other home than the state: what the parts of the application say of themselves. */
export type Facts = {
  builtIn: BuiltInStatus;
  behaviour: Behaviour;
  clockAheadMs: number;
  vault: VaultStatus;
  updates: UpdateStatus;
  watches: WatchStatus[];
  /** Whether a PIN is set. */
  pin: boolean;
  /** Whether a program listens that reads the window to a person. */
  screenReader: boolean;
  /** What is shown of the active server. */
  session: Session;
};

/** Everything main knows of which the window shows something. */
export type Known = Facts & {
  about: Pick<AppState, 'version' | 'electron'>;
  /** The language of the command line, else that of the system. */
  systemLanguage: Language;
  config: Config;
  sessions: HeldSession[];
  files: FileNotice[];
};

/** Makes what the window shows of what main knows, and of nothing else. */
export function projectState({
  about,
  systemLanguage,
  config,
  ...known
}: Known): Omit<AppState, 'revision' | 'locked'> {
  const { settings } = config;
  return {
    ...about,
    ...known,
    settings,
    language: settings.language === 'system' ? systemLanguage : settings.language,
    servers: serversOf(config, known.builtIn),
    activeServerId: activeServerIdOf(config),
  };
}

/** Returns all servers as shown. The address of the built-in one is empty while it does not run. */
function serversOf(config: Config, builtIn: BuiltInStatus): Server[] {
  const builtInUrl = builtIn.state === 'running' ? builtIn.baseUrl : '';
  // To whom passwords may go is no matter of the window.
  return config.servers.map(({ dialect, passwordHosts: _hosts, ...server }) => ({
    ...server,
    builtIn: server.id === builtInId,
    baseUrl: server.id === builtInId ? builtInUrl : server.baseUrl,
    learned: dialect.learned,
    pinned: dialect.pinned,
  }));
}

/** Returns the server that was chosen last, if it is still there. */
function activeServerIdOf({ servers, activeServerId }: Config): string {
  return servers.some(({ id }) => id === activeServerId) ? activeServerId : builtInId;
}
