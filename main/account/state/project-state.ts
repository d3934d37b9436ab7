import type {
  AppState,
  BuiltInStatus,
  FileNotice,
  SessionInfo,
  Server,
  AuthState,
  PendingLoginInfo,
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
import type { Config, StoredMockServerDetails, StoredInterface } from '../config/config.ts';
import { builtInId } from '../config/server-ids.ts';

/** Runtime status of a local server. */
export type LocalServerStatus = {
  run: MockStatus;
  /** Empty while the server is stopped. */
  baseUrl: string;
  clockAheadMs: number;
  behaviour: ServerBehaviour;
};

export const stoppedServer: LocalServerStatus = {
  run: { state: 'stopped' },
  baseUrl: '',
  clockAheadMs: 0,
  behaviour: { isOn: false, dialect: null, defects: [], faults: [], left: [], seed: 1 },
};

export type MockServerStatus = LocalServerStatus & {
  /** Progress of a running verification. */
  verifying?: { casesDone: number; casesPlanned: number } | undefined;
};

/** What is stored nowhere else: the status of the parts of the application. */
export type RuntimeState = {
  builtIn: BuiltInStatus;
  behaviour: ServerBehaviour;
  clockAheadMs: number;
  vault: VaultStatus;
  updates: UpdateStatus;
  /** By server id; without those that were never started in this run. */
  mockServers: ReadonlyMap<string, MockServerStatus>;
  mockCreation: MockCreation | undefined;
  lastCalls: LastCalls;
  /** Whether a PIN is set. */
  pin: boolean;
  /** Whether a screen reader is active. */
  screenReader: boolean;
  /** Of the active server. */
  session: AuthState;
  pendingLogin: PendingLoginInfo | undefined;
  /** Whether a system dialog is open. */
  asking: boolean;
};

export type ProjectionInput = RuntimeState & {
  about: Pick<AppState, 'version' | 'electron'>;
  /** The language of the command line, else that of the system. */
  systemLanguage: Language;
  config: Config;
  sessions: SessionInfo[];
  files: FileNotice[];
};

/** Pure: the state of the window follows from its input alone. */
export function projectState({
  about,
  systemLanguage,
  config,
  mockServers,
  lastCalls,
  ...facts
}: ProjectionInput): Omit<AppState, 'locked'> {
  const { settings } = config;
  return {
    ...about,
    ...facts,
    settings,
    language: settings.language === 'system' ? systemLanguage : settings.language,
    servers: serversOf(config, facts.builtIn, mockServers, lastCalls),
    activeServerId: activeServerIdOf(config),
  };
}

/** The base URL of a local server is empty while it is stopped. */
function serversOf(
  config: Config,
  builtIn: BuiltInStatus,
  mockServers: RuntimeState['mockServers'],
  lastCalls: LastCalls,
): Server[] {
  const builtInUrl = builtIn.state === 'running' ? builtIn.baseUrl : '';
  // Approved origins stay in main, and so does what earlier builds stored.
  return config.servers.map(({ dialect, agreed: _agreed, file: _file, mock, ...server }) => {
    const facts = mock && (mockServers.get(server.id) ?? stoppedServer);
    const baseUrl = server.id === builtInId ? builtInUrl : (facts?.baseUrl ?? server.baseUrl);
    return {
      ...server,
      builtIn: server.id === builtInId,
      baseUrl,
      learned: dialect.learned,
      pinned: dialect.pinned,
      interface: summaryOf(server.interface),
      ...(facts && { mock: mockServerInfo(mock, facts) }),
      ...(config.allowedOrigins[server.id] && { allowedOrigins: config.allowedOrigins[server.id] }),
      lastCalls: [...(lastCalls.get(originOf(baseUrl)) ?? [])],
    };
  });
}

/** Without the text of the description, which may be long. */
function summaryOf(stored: StoredInterface | undefined): InterfaceSummary {
  if (!stored) return defaultInterfaceSummary;
  const { text: _text, ...shown } = stored;
  return shown;
}

function mockServerInfo(
  { port: _port, compared, ...origin }: StoredMockServerDetails,
  { run, verifying, clockAheadMs, behaviour }: MockServerStatus,
): MockServerInfo {
  return {
    ...origin,
    run,
    verification: verificationOf(origin.originId, compared, verifying),
    clockAheadMs,
    behaviour,
  };
}

function verificationOf(
  originId: string | undefined,
  compared: StoredMockServerDetails['compared'],
  verifying: MockServerStatus['verifying'],
): MockVerificationStatus {
  if (verifying) return { state: 'running', ...verifying };
  if (compared) return { state: 'compared', ...compared };
  return { state: originId === undefined ? 'from-file' : 'not-compared' };
}

function activeServerIdOf({ servers, activeServerId }: Config): string {
  return servers.some(({ id }) => id === activeServerId) ? activeServerId : builtInId;
}
