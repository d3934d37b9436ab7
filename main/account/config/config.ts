import {
  ConnectionChoices,
  ConnectionSecret,
  ExtraHeader,
  Fingerprint,
  longestDescription,
  InterfaceSummary,
} from '../../../preload/contract/connection.ts';
import {
  CallLimits,
  ResponseMapping,
  MockOrigin,
  RegistrationPath,
  ServerColour,
  SessionExpiry,
  Settings,
} from '../../../preload/contract/settings.ts';
import { z } from 'zod';
import { parseWebOrigin } from '../../files/web-origin.ts';
import { configVersion, defaultConfig, defaultServer } from './default-config.ts';
import { builtInId, isMockServerId } from './server-ids.ts';
import { zoomBounds } from './zoom-bounds.ts';

/** A session without its token, which is in the vault. */
const StoredSession = z.object({
  id: z.string(),
  serverId: z.string(),
  vaultAccount: z.string(),
  /** The email that was typed to log in. */
  account: z.string(),
  /** Where the token came from. It is sent nowhere else. */
  baseUrl: z.string(),
  /** The digest of the description by which the session was made; absent for the interface of `interface.md`. */
  interface: z.string().optional(),
  /** The address of `localhost` that answered at login: another user may listen on the other one. */
  loopbackAddress: z.string().optional(),
  user: z.object({ id: z.string().optional(), name: z.string().optional(), email: z.string().optional() }),
  /** The number before the `|`, of tokens that have one. */
  tokenId: z.string().optional(),
  madeAt: z.string().optional(),
  checkedAt: z.string().optional(),
  renewedAt: z.string().optional(),
  /** Set if the session can be refreshed automatically, so its expiry is not shown. */
  renews: z.literal(true).optional().catch(undefined),
  /** Set from before a refresh until its response is in the vault: the stored refresh token may be used up. */
  renewing: z.literal(true).optional().catch(undefined),
  /** When the token expires, by the server or the token itself. */
  end: SessionExpiry.optional().catch(undefined),
  /** Set if the user wants the session to end with the application. */
  memoryOnly: z.literal(true).optional(),
  /** When the session was logged out while the server could not be reached. The token stays in the vault. */
  loggedOutAt: z.string().optional(),
  /** Set if that logout is retried automatically, unless the user chose otherwise. */
  tellLater: z.literal(true).optional().catch(undefined),
});
export type StoredSession = z.infer<typeof StoredSession>;

const commonServerFields = {
  name: z.string().catch(defaultServer.name),
  colour: ServerColour.catch(defaultServer.colour),
  notes: z.string().catch(defaultServer.notes),
  registrationPath: RegistrationPath.catch(defaultServer.registrationPath),
  dialect: ResponseMapping.catch(defaultServer.dialect),
};

/**
 * An API description as the user entered it, and a summary, so that no parser is loaded before the first frame. A server
 * without one has the interface of `interface.md`. Values of secret variables are in the vault, each with its base URL.
 */
export const StoredInterface = InterfaceSummary.extend({
  text: z.string().max(longestDescription),
  digest: z.string(),
});
export type StoredInterface = z.infer<typeof StoredInterface>;

export const withoutSecretVariables = (stored: StoredInterface): StoredInterface => ({
  ...stored,
  variables: stored.variables.map((each) => (each.secret ? { ...each, isSet: false } : each)),
});

/** A server at an address, or the built-in one. */
const StoredRealServer = z.object({
  id: z.string().refine((id) => !isMockServerId(id)),
  ...commonServerFields,
  /** Empty for the built-in server, whose port changes. */
  baseUrl: z.string(),
  production: z.boolean().catch(defaultServer.production),
  pins: z.array(Fingerprint).max(8).catch([]),
  connection: ConnectionChoices.catch(defaultServer.connection),
  /** Those of the connection that are in the vault. */
  secrets: z.array(ConnectionSecret).catch([]),
  /** Their values are in the vault, each with its base URL. */
  extraHeaders: z.array(ExtraHeader).catch([]),
  /** Origins and proxies that the user approved: nothing is sent to others. */
  agreed: z.array(z.string()).catch([]),
  interface: StoredInterface.optional().catch(undefined),
  /** Written by earlier versions, and ignored. A name that is not read at all would make the file count as damaged. */
  file: z.unknown().optional(),
  mock: z.undefined().optional(),
});
export type StoredRealServer = z.infer<typeof StoredRealServer>;

/** The origin of a mock server, its last port, so that clients find it again, and its last verification. */
const StoredMockServerDetails = MockOrigin.extend({
  port: z.int().min(1).max(65_535).optional().catch(undefined),
  compared: z.object({ cases: z.int(), differences: z.int() }).optional().catch(undefined),
});
export type StoredMockServerDetails = z.infer<typeof StoredMockServerDetails>;

/** A mock server runs in this application: it has no address, no connection settings and no secrets. */
const StoredMockServer = z
  .object({
    id: z.string().refine(isMockServerId),
    ...commonServerFields,
    interface: StoredInterface.optional().catch(undefined),
    mock: StoredMockServerDetails,
  })
  .transform((server) => ({
    ...server,
    baseUrl: '' as const,
    production: false as const,
    pins: [] as [],
    connection: defaultServer.connection,
    secrets: [] as [],
    extraHeaders: [] as [],
    agreed: [] as [],
    file: undefined,
  }));
export type StoredMockServer = z.infer<typeof StoredMockServer>;

/** Earlier builds wrote `double` for `mock`. */
function withCurrentNames(server: unknown): unknown {
  if (typeof server !== 'object' || server === null || !('double' in server)) return server;
  const { double: mock, ...others } = server;
  return { ...others, mock };
}

const CurrentServer = z.union([StoredMockServer, StoredRealServer]);
export const StoredServer = z.preprocess(withCurrentNames, CurrentServer);
export type StoredServer = z.infer<typeof CurrentServer>;

export const isRemote = (server: StoredServer): server is StoredRealServer => !server.mock && server.id !== builtInId;

const { settings, service } = defaultConfig;

/** Settings of the built-in server that can be written into `config.json` by hand. */
export const ServiceSettings = z.object({
  loginsPerMinute: z.int().min(1).max(1_000_000).default(service.loginsPerMinute),
  registrationsPerMinute: z.int().min(1).max(1_000_000).default(service.registrationsPerMinute),
  tokenDays: z.int().min(1).max(3650).default(service.tokenDays),
  argon2: z
    .object({
      memoryKiB: z.int().min(8).max(2_097_152),
      passes: z.int().min(1).max(100),
      lanes: z.int().min(1).max(1),
    })
    .optional(),
});
export type ServiceSettings = z.infer<typeof ServiceSettings>;

export function createStoredServer(id: string, name: string, baseUrl: string): StoredRealServer {
  return StoredRealServer.parse({ id, name, baseUrl });
}

export function createStoredMockServer(id: string, name: string, details: StoredMockServerDetails): StoredMockServer {
  return StoredMockServer.parse({ id, name, mock: details });
}

/** Drops the entries that do not parse. */
const validEntries = <T extends z.ZodType>(entry: T) =>
  z
    .array(z.unknown())
    .transform((entries) =>
      entries.flatMap((each) => {
        const parsed = entry.safeParse(each);
        return parsed.success ? [parsed.data] : [];
      }),
    )
    .catch([]);

/** Each falls back on its own. */
const settingsShape = {
  language: Settings.shape.language.catch(settings.language),
  theme: Settings.shape.theme.catch(settings.theme),
  lockAfterMinutes: Settings.shape.lockAfterMinutes.catch(settings.lockAfterMinutes),
  lockOnScreenLock: Settings.shape.lockOnScreenLock.catch(settings.lockOnScreenLock),
  lockOnSleep: Settings.shape.lockOnSleep.catch(settings.lockOnSleep),
  clearOnQuit: Settings.shape.clearOnQuit.catch(settings.clearOnQuit),
  callsPerSecond: Settings.shape.callsPerSecond.catch(settings.callsPerSecond),
  workbench: Settings.shape.workbench.catch(settings.workbench),
  welcomed: Settings.shape.welcomed.catch(settings.welcomed),
  notifications: Settings.shape.notifications.catch(settings.notifications),
  presenting: Settings.shape.presenting.catch(settings.presenting),
  lookForUpdates: Settings.shape.lookForUpdates.catch(settings.lookForUpdates),
};

/** Everything in `config.json`. No secret is in it. */
export const Config = z.object({
  version: z.literal(configVersion).optional().catch(undefined),
  settings: z.object(settingsShape).catch(settings),
  callLimits: CallLimits.catch(defaultConfig.callLimits),
  service: ServiceSettings.catch(service),
  /** In the user's order. The built-in server is among them exactly once. */
  servers: validEntries(StoredServer).transform((listed) => [
    ...(listed.some(({ id }) => id === builtInId) ? [] : [createStoredServer(builtInId, '', '')]),
    ...listed,
  ]),
  activeServerId: z.string().catch(defaultConfig.activeServerId),
  /** By the id of the session. */
  sessions: z.record(z.string(), StoredSession).catch({}),
  /** The ids of the current sessions, by the id of the server. */
  currentSessions: z.record(z.string(), z.string()).catch({}),
  /** The email of the last login, by the id of the server. */
  lastEmails: z.record(z.string(), z.string()).catch({}),
  /** Origins for CORS of servers that run here, by the id of the server. */
  allowedOrigins: z
    .record(
      z.string(),
      z.array(z.string()).transform((all) => all.flatMap((each) => parseWebOrigin(each) ?? [])),
    )
    .catch({}),
  /** Imports that were not finished, the oldest first. They are parsed when they are shown. */
  unfinishedImports: z.array(z.unknown()).catch([]),
  zoom: z.number().min(zoomBounds.least).max(zoomBounds.most).catch(defaultConfig.zoom),
  window: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), maximized: z.boolean() })
    .optional()
    .catch(undefined),
});

export type Config = z.infer<typeof Config>;
