import type {
  AppState,
  BuiltInStatus,
  FileNotice,
  SessionInfo,
  Server,
  AuthState,
  VaultStatus,
} from '../../../preload/contract/models.ts';
import type { InterfaceSummary } from '../../../preload/contract/connection.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import type { UpdateStatus } from '../../../preload/contract/about.ts';
import type {
  ServerBehaviour,
  MockVerificationStatus,
  MockStatus,
  MockCreation,
  MockServerInfo,
} from '../../../preload/contract/local-servers.ts';
import { originOf, type LastCalls } from './last-calls.ts';
import { defaultInterfaceSummary } from '../../interface/default-interface-summary.ts';
import { builtInId, type Config, type StoredMockServerDetails, type StoredInterface } from '../config/config.ts';

/** What is known of a server that runs here. */
export type LocalServerStatus = {
  run: MockStatus;
  /** It is empty while the server does not run. */
  baseUrl: string;
  clockAheadMs: number;
  behaviour: ServerBehaviour;
};

/** This is known of a server that does not run. */
export const stoppedServer: LocalServerStatus = {
  run: { state: 'stopped' },
  baseUrl: '',
  clockAheadMs: 0,
  behaviour: { isOn: false, dialect: null, defects: [], faults: [], left: [], seed: 1 },
};

export type MockServerStatus = LocalServerStatus & {
  /** How far the comparison with its original is, while that goes on. */
  verifying?: { casesDone: number; casesPlanned: number } | undefined;
};

/** What has no other home than the state: what the parts of the application say of themselves. */
export type RuntimeState = {
  builtIn: BuiltInStatus;
  behaviour: ServerBehaviour;
  clockAheadMs: number;
  vault: VaultStatus;
  updates: UpdateStatus;
  /** Those that ran in this run of the application, by the id of the server. */
  mockServers: ReadonlyMap<string, MockServerStatus>;
  doubleWork: MockCreation | undefined;
  lastCalls: LastCalls;
  /** Whether a PIN is set. */
  pin: boolean;
  /** Whether a program listens that reads the window to a person. */
  screenReader: boolean;
  /** What is shown of the active server. */
  session: AuthState;
  /** Whether a question of the system waits for the person. */
  asking: boolean;
};

/** Everything main knows of which the window shows something. */
export type ProjectionInput = RuntimeState & {
  about: Pick<AppState, 'version' | 'electron'>;
  /** The language of the command line, else that of the system. */
  systemLanguage: Language;
  config: Config;
  sessions: SessionInfo[];
  files: FileNotice[];
};

/** Makes what the window shows of what main knows, and of nothing else. */
export function projectState({
  about,
  systemLanguage,
  config,
  mockServers,
  lastCalls,
  ...known
}: ProjectionInput): Omit<AppState, 'locked'> {
  const { settings } = config;
  return {
    ...about,
    ...known,
    settings,
    language: settings.language === 'system' ? systemLanguage : settings.language,
    servers: serversOf(config, known.builtIn, mockServers, lastCalls),
    activeServerId: activeServerIdOf(config),
  };
}

/** Returns all servers as shown. The address of one that runs here is empty while it does not. */
function serversOf(
  config: Config,
  builtIn: BuiltInStatus,
  doubles: RuntimeState['mockServers'],
  lastCalls: LastCalls,
): Server[] {
  const builtInUrl = builtIn.state === 'running' ? builtIn.baseUrl : '';
  // What the person agreed to is no matter of the window.
  return config.servers.map(({ dialect, agreed: _agreed, double, ...server }) => {
    const facts = double && (doubles.get(server.id) ?? stoppedServer);
    const baseUrl = server.id === builtInId ? builtInUrl : (facts?.baseUrl ?? server.baseUrl);
    return {
      ...server,
      builtIn: server.id === builtInId,
      baseUrl,
      learned: dialect.learned,
      pinned: dialect.pinned,
      interface: shownOf(server.interface),
      ...(facts && { mock: shownDouble(double, facts) }),
      ...(config.allowedOrigins[server.id] && { allowedOrigins: config.allowedOrigins[server.id] }),
      lastCalls: [...(lastCalls.get(originOf(baseUrl)) ?? [])],
    };
  });
}

/** What the screens need of a description, which is not its text. */
function shownOf(stored: StoredInterface | undefined): InterfaceSummary {
  if (!stored) return defaultInterfaceSummary;
  const { text: _text, ...shown } = stored;
  return shown;
}

function shownDouble(
  { port: _port, compared, ...origin }: StoredMockServerDetails,
  { run, verifying, clockAheadMs, behaviour }: MockServerStatus,
): MockServerInfo {
  return { ...origin, run, verification: proofOf(origin.originId, compared, verifying), clockAheadMs, behaviour };
}

function proofOf(
  originId: string | undefined,
  compared: StoredMockServerDetails['compared'],
  proving: MockServerStatus['verifying'],
): MockVerificationStatus {
  if (proving) return { state: 'under-way', ...proving };
  if (compared) return { state: 'compared', ...compared };
  return { state: originId === undefined ? 'from-file' : 'not-compared' };
}

/** Returns the server that was chosen last, if it is still there. */
function activeServerIdOf({ servers, activeServerId }: Config): string {
  return servers.some(({ id }) => id === activeServerId) ? activeServerId : builtInId;
}
