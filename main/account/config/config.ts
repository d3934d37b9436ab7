import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
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
import { zoomBounds } from './zoom-bounds.ts';

/** What is known of one session, without its token, which rests in the vault. */
const StoredSession = z.object({
  id: z.string(),
  serverId: z.string(),
  vaultAccount: z.string(),
  /** The email that was typed to log in. */
  account: z.string(),
  /** The address that the token came from. It is sent nowhere else. */
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
  /** It is there where what is kept renews the session: its end is nothing that a person has to know of. */
  renews: z.literal(true).optional().catch(undefined),
  /** It is there from before a renewal until its answer is sealed: what is in the vault may be used up. */
  renewing: z.literal(true).optional().catch(undefined),
  /** When the token stops working, as a server or the token itself said it. */
  end: SessionExpiry.optional().catch(undefined),
  /** It is there when the person did not want the session to outlive the application. */
  memoryOnly: z.literal(true).optional(),
  /** When the session was logged out here and the server could not be told. The token waits in the vault. */
  loggedOutAt: z.string().optional(),
  /** It is there when the server is told of that logout by itself once it answers. A person may have chosen otherwise. */
  tellLater: z.literal(true).optional().catch(undefined),
});
export type StoredSession = z.infer<typeof StoredSession>;

export const builtInId = 'built-in';

/** Only a double has an id of this form, so that an id alone tells what it is. Its folder has the same name. */
const doubleId = /^double-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const createMockServerId = (): string => `double-${randomUUID()}`;
export const isMockServerId = (id: string): boolean => doubleId.test(id);

/** Says whether this application itself runs a server, wherever that listens now: the built-in one, or a double. */
export const isLocalServerId = (id: string): boolean => id === builtInId || isMockServerId(id);

/** What a person says of any server, and what was learned there. */
const saidOfServer = {
  name: z.string().catch(''),
  colour: ServerColour.catch('gray'),
  notes: z.string().catch(''),
  registrationPath: RegistrationPath.catch('registro'),
  dialect: ResponseMapping.catch({ learned: {}, pinned: {} }),
};

/**
 * The description of a server's interface as the person gave it, with what is shown of it: that needs no code before the
 * first frame. Without one, a server has the interface of `interface.md`. Values of secret variables rest in the vault,
 * each with the base URL that it is for.
 */
export const StoredInterface = InterfaceSummary.extend({
  text: z.string().max(longestDescription),
  digest: z.string(),
});
export type StoredInterface = z.infer<typeof StoredInterface>;

/** A description whose secret variables have no value any more. */
export const withoutSecretVariables = (stored: StoredInterface): StoredInterface => ({
  ...stored,
  variables: stored.variables.map((each) => (each.secret ? { ...each, isSet: false } : each)),
});

/** A server at an address, or the built-in one. */
const StoredRealServer = z.object({
  id: z.string().refine((id) => !isMockServerId(id)),
  ...saidOfServer,
  /** It is empty for the built-in server, whose address each start decides. */
  baseUrl: z.string(),
  production: z.boolean().catch(false),
  pins: z.array(Fingerprint).max(8).catch([]),
  connection: ConnectionChoices.catch(() => ConnectionChoices.parse({})),
  /** The secrets of the connection that rest in the vault. */
  secrets: z.array(ConnectionSecret).catch([]),
  /** Their values rest in the vault, each with the base URL that it is for. */
  extraHeaders: z.array(ExtraHeader).catch([]),
  /** The origins and proxies that the person agreed to: nothing is sent to any other. */
  agreed: z.array(z.string()).catch([]),
  interface: StoredInterface.optional().catch(undefined),
  /** Written by earlier versions, and ignored. A name that is not read at all would make the file count as damaged. */
  file: z.unknown().optional(),
  double: z.undefined().optional(),
});
export type StoredRealServer = z.infer<typeof StoredRealServer>;

/** Of whom a double was learned, where it listened last, so that it is found there again, and how it compared. */
const StoredMockServerDetails = MockOrigin.extend({
  port: z.int().min(1).max(65_535).optional().catch(undefined),
  compared: z.object({ cases: z.int(), differences: z.int() }).optional().catch(undefined),
});
export type StoredMockServerDetails = z.infer<typeof StoredMockServerDetails>;

/** A double, which runs here: it has no address of its own to keep, no connection to choose, and nothing to protect. */
const StoredMockServer = z
  .object({
    id: z.string().regex(doubleId),
    ...saidOfServer,
    /** That of its model, by which the window calls it too. */
    interface: StoredInterface.optional().catch(undefined),
    double: StoredMockServerDetails,
  })
  .transform((server) => ({
    ...server,
    baseUrl: '' as const,
    production: false as const,
    pins: [] as [],
    connection: ConnectionChoices.parse({}),
    secrets: [] as [],
    extraHeaders: [] as [],
    agreed: [] as [],
  }));
export type StoredMockServer = z.infer<typeof StoredMockServer>;

export const StoredServer = z.union([StoredMockServer, StoredRealServer]);
export type StoredServer = z.infer<typeof StoredServer>;

export const isRemote = (server: StoredServer): server is StoredRealServer =>
  !server.double && !isLocalServerId(server.id);

/** What a person may write into `config.json` about the built-in server. What is absent has its default. */
export const ServiceSettings = z.object({
  loginsPerMinute: z.int().min(1).max(1_000_000).default(5),
  registrationsPerMinute: z.int().min(1).max(1_000_000).default(10),
  tokenDays: z.int().min(1).max(3650).default(30),
  argon2: z
    .object({
      memoryKiB: z.int().min(8).max(2_097_152),
      passes: z.int().min(1).max(100),
      lanes: z.int().min(1).max(1),
    })
    .optional(),
});
export type ServiceSettings = z.infer<typeof ServiceSettings>;

/** A server of which only the address is known. */
export function createStoredServer(id: string, name: string, baseUrl: string): StoredRealServer {
  return StoredRealServer.parse({ id, name, baseUrl });
}

/** A double of which only its original is known. */
export function createStoredMockServer(id: string, name: string, double: StoredMockServerDetails): StoredMockServer {
  return StoredMockServer.parse({ id, name, double });
}

/** Keeps the entries that parse. One that does not must not take the others along. */
const eachValid = <T extends z.ZodType>(entry: T) =>
  z
    .array(z.unknown())
    .transform((entries) =>
      entries.flatMap((each) => {
        const parsed = entry.safeParse(each);
        return parsed.success ? [parsed.data] : [];
      }),
    )
    .catch([]);

/** The version of `config.json`. A file that a person wrote may lack its number. */
export const configVersion = 1;

/** A setting that is missing or wrong does not take the others along. */
const settingsShape = {
  language: Settings.shape.language.catch('system'),
  theme: Settings.shape.theme.catch('system'),
  lockAfterMinutes: Settings.shape.lockAfterMinutes.catch(0),
  lockOnScreenLock: Settings.shape.lockOnScreenLock.catch(false),
  lockOnSleep: Settings.shape.lockOnSleep.catch(false),
  clearOnQuit: Settings.shape.clearOnQuit.catch(false),
  callsPerSecond: Settings.shape.callsPerSecond.catch(5),
  workbench: Settings.shape.workbench.catch(false),
  welcomed: Settings.shape.welcomed.catch(false),
  notifications: Settings.shape.notifications.catch(false),
  presenting: Settings.shape.presenting.catch(false),
  lookForUpdates: Settings.shape.lookForUpdates.catch(true),
};

/** Everything in `config.json`. No secret is in it. */
export const Config = z.object({
  version: z.literal(configVersion).optional().catch(undefined),
  settings: z.object(settingsShape).catch(() => z.object(settingsShape).parse({})),
  callLimits: CallLimits.catch(() => CallLimits.parse({})),
  service: ServiceSettings.catch(() => ServiceSettings.parse({})),
  /** In the order that the person gave them. The built-in server is among them exactly once. */
  servers: eachValid(StoredServer).transform((listed) => [
    ...(listed.some(({ id }) => id === builtInId) ? [] : [createStoredServer(builtInId, '', '')]),
    ...listed,
  ]),
  activeServerId: z.string().catch(builtInId),
  /** By the id of the session. */
  sessions: z.record(z.string(), StoredSession).catch({}),
  /** The session that a server shows, by the id of the server. */
  currentSessions: z.record(z.string(), z.string()).catch({}),
  /** The email that was last used at a server, by the id of the server, to fill the form in. */
  lastEmails: z.record(z.string(), z.string()).catch({}),
  /** Origins of web pages that may use a server which runs here, by the id of the server. */
  allowedOrigins: z
    .record(
      z.string(),
      z.array(z.string()).transform((all) => all.flatMap((each) => parseWebOrigin(each) ?? [])),
    )
    .catch({}),
  /** What was found in texts and is not used yet, the oldest first. `unfinished-imports.ts` reads it once it is asked for. */
  unfinishedImports: z.array(z.unknown()).catch([]),
  /** How large the page is shown; 1 is its own size. */
  zoom: z.number().min(zoomBounds.least).max(zoomBounds.most).catch(1),
  window: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), maximized: z.boolean() })
    .optional()
    .catch(undefined),
});

export type Config = z.infer<typeof Config>;

/** Where the settings rest. */
export type KeyValueStore = {
  readonly store: unknown;
  /** Whether all that was in the file is in `store`. */
  isComplete?: boolean;
  /** May answer a promise, which resolves once the values outlive a power cut: with false where nothing is ever written. */
  set: (values: Record<string, unknown>) => unknown;
  /** Resolves once what follows on a write, such as its copy, is done. */
  settled?: () => Promise<void>;
};

export type ConfigStore = ReturnType<typeof createConfigStore>;

/**
 * Gives typed access to `config.json`. A part that does not parse counts as its default here; the file keeps it until
 * that part is changed. Each change is written at once. Changes of one turn, and those during a write, are one write.
 */
export function createConfigStore(store: KeyValueStore, onFailure: (error: unknown) => void) {
  let unwritten: Record<string, unknown> = {};
  let writing = Promise.resolve();
  let listener = (): void => undefined;
  const isUnwritten = (): boolean => Object.keys(unwritten).length > 0;

  async function writeAll(): Promise<void> {
    if (!isUnwritten()) return;
    const values = unwritten;
    unwritten = {};
    try {
      if ((await store.set(values)) === false) return;
      onDisk = { ...onDisk, ...values };
      listener();
    } catch (error) {
      // With a full or read-only disk, this run goes on with what it knows, and the next write tries it again.
      unwritten = { ...values, ...unwritten };
      onFailure(error);
    }
  }

  /** Writes follow one another, so that two of them never race for the last good copy. */
  function write(): Promise<void> {
    writing = writing.then(writeAll);
    return writing;
  }

  let current = Config.parse(store.store);
  let onDisk = current;
  return {
    get: (): Config => current,
    /** What outlives a power cut by now. */
    persisted: (): Config => onDisk,
    /** Whether all that was in the file came through at the start: only then is gone what is not in it. */
    isComplete: store.isComplete ?? true,
    /** What already has this value is not written again, unless it could not be written before. */
    change(patch: Partial<Config>): void {
      const next = { ...current, ...patch };
      if (!isDeepStrictEqual(next, current)) {
        current = next;
        unwritten = { ...unwritten, ...patch };
        listener();
      }
      if (isUnwritten()) void write();
    },
    /** Resolves once everything that was changed until now is on the disk, or could not be written. */
    flush: (): Promise<void> => write(),
    /** As {@link written}, and once the copy of the file is made, too. */
    async flushWithBackup(): Promise<void> {
      await write();
      await store.settled?.();
    },

    onChange: (next: () => void): void => void (listener = next),
  };
}
