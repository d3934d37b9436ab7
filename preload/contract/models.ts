import { z } from 'zod';
import { ConnectionChoices, ConnectionSecret, ExtraHeader, Fingerprint } from './connection.ts';
import { AppError } from './result.ts';
import { Behaviour } from './built-in-server.ts';
import { DoubleWorkOf, ShownDouble } from './doubles.ts';
import { languages } from './languages.ts';
import { User } from './profile.ts';

export { User };
import { UpdateStatus } from './updates.ts';

/** The two registration paths of the interface; `register` alone takes `cpassword`. */
export const RegistrationPath = z.enum(['registro', 'register']);
export type RegistrationPath = z.infer<typeof RegistrationPath>;

/** A language that has a file in `renderer/locales/`. */
export const Language = z.enum(Object.keys(languages));
export type Language = z.infer<typeof Language>;

/** What the person chose. `system` follows the operating system. */
export const Settings = z.object({
  language: z.enum(['system', ...Object.keys(languages)]),
  theme: z.enum(['system', 'light', 'dark']),
  /** Minutes without a key or the mouse on the computer, after which the application locks itself. 0 is never. */
  lockAfterMinutes: z.int().min(0).max(1440),
  /** Whether the application locks itself together with the screen of the operating system. */
  lockOnScreenLock: z.boolean(),
  /** Whether the application locks itself before the computer sleeps. */
  lockOnSleep: z.boolean(),
  /** Whether no session outlives the application. Tokens are then in memory only. */
  clearOnQuit: z.boolean(),
  /** The most calls a second that a contract run sends. */
  callsPerSecond: z.number().min(0.1).max(100),
  /** Whether the window shows the tools of a tester, in rooms of their own. */
  workbench: z.boolean(),
  /** Whether the first minute is over: the person has chosen how to begin, or to skip that. */
  welcomed: z.boolean(),
  /** Whether the system shows a notification when a session or a contract run has ended. */
  notifications: z.boolean(),
  /** Whether the window is shown to others: larger, with emails masked and without notes. */
  presenting: z.boolean(),
  /** Whether Llavero looks for newer versions by itself, where a feed is configured. */
  lookForUpdates: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

/** The colours with which a server can frame the window. Each has a name in words, since no colour stands alone. */
export const ServerColour = z.enum(['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'purple', 'pink']);
export type ServerColour = z.infer<typeof ServerColour>;

/** A part of an answer that a server may have at a place of its own. */
export const DialectPart = z.enum(['token', 'user', 'message']);
export type DialectPart = z.infer<typeof DialectPart>;

const dialectPath = z.string().max(300);

/**
 * How a server answers. `learned` has the places where the parts were found last. `pinned` has those that the person
 * named, such as `data.access_token`, `headers.x-auth-token` or `body`.
 */
export const Dialect = z.object({
  learned: z.partialRecord(DialectPart, dialectPath),
  pinned: z.partialRecord(DialectPart, dialectPath),
});
export type Dialect = z.infer<typeof Dialect>;

/** Signs that nobody sees, that end a line or that turn the direction of writing. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name stands in questions of the system's, where such signs could say something else. */
export const isPlainName = (name: string): boolean => name.search(unseen) < 0;

/** Everything that a person can say about a server, except its address. */
export const ServerDetails = z.object({
  name: z
    .string()
    .max(100)
    .overwrite((name) => name.replaceAll(unseen, '')),
  colour: ServerColour,
  notes: z.string().max(5_000),
  /** The path that the registration screen has chosen at first. */
  registrationPath: RegistrationPath,
  /** Whether registrations and logouts ask for the host, once in a run of the application. */
  production: z.boolean(),
  pinned: Dialect.shape.pinned,
});
export type ServerDetails = z.infer<typeof ServerDetails>;

/** The last call to an address, whoever made it: whether anything came back, and when, in ISO 8601. */
export const LastCall = z.object({ answered: z.boolean(), at: z.string() });
export type LastCall = z.infer<typeof LastCall>;

/** One server Llavero talks to, with what the person says about it. The built-in server is one like any other. */
export const Server = ServerDetails.extend({
  id: z.string(),
  builtIn: z.boolean(),
  /** It is empty for the built-in server, which the screens name in their language. */
  name: z.string(),
  /**
   * The canonical base URL, without a slash at its end. That of the built-in server or of a double says where it listens
   * now, and is empty while it does not.
   */
  baseUrl: z.string(),
  learned: Dialect.shape.learned,
  /** The certificates that are trusted for this server alone. If there are any, it must show one of them. */
  pins: z.array(Fingerprint),
  connection: ConnectionChoices,
  /** Says which secrets of the connection are kept. */
  secrets: z.array(ConnectionSecret),
  extraHeaders: z.array(ExtraHeader),
  /** It is there where the server is a double of another one, which runs on this computer. */
  double: ShownDouble.optional(),
  /** Of this run of the application. A server that runs here has none: its state says whether it answers. */
  lastCall: LastCall.optional(),
});
export type Server = z.infer<typeof Server>;

/** How the last session ended. The log-in screen says it once. */
export const Notice = z.discriminatedUnion('kind', [
  /** The server no longer knows the token. */
  z.object({ kind: z.literal('session-ended') }),
  z.object({ kind: z.literal('logged-out') }),
  /** The session ended here, but the server could not be told. */
  z.object({ kind: z.literal('logged-out-here-only'), error: AppError }),
  /** The same happened at a server without a logout, so telling it again cannot help. */
  z.object({ kind: z.literal('logged-out-no-way-to-tell'), error: AppError }),
  /** The session ended here, and the person chose not to tell the server. */
  z.object({ kind: z.literal('logged-out-untold') }),
  /** The system's store does not open the stored token, which is kept aside. */
  z.object({ kind: z.literal('vault-unreadable') }),
  /** The stored token can be read once the keyring is unlocked. */
  z.object({ kind: z.literal('vault-locked') }),
  /** The PIN was wrong too often: every session was removed from this computer. */
  z.object({ kind: z.literal('sessions-dropped') }),
  /** The session belongs to another address than the server has now. */
  z.object({ kind: z.literal('other-address'), baseUrl: z.string() }),
  /** The server gave a token and refused it at once. */
  z.object({ kind: z.literal('not-logged-in'), error: AppError }),
  /** The account exists now, and its email is to be confirmed before anybody logs in. `says` is what the server said. */
  z.object({ kind: z.literal('confirm-first'), email: z.string(), says: z.string() }),
  /** The account exists now, and the login that follows a registration failed. */
  z.object({ kind: z.literal('registered-not-logged-in'), email: z.string(), error: AppError }),
]);
export type Notice = z.infer<typeof Notice>;

/** Why one answer was read as it was. It has places and rules, never values. */
export const Understanding = z.object({
  operation: z.enum(['registro', 'register', 'login', 'perfil', 'salir']),
  verdict: z.string(),
  rule: z.string(),
  found: z.array(
    z.object({
      what: z.enum(['token', 'user', 'message', 'fieldErrors', 'retryAfterSeconds']),
      path: z.string(),
      rule: z.string(),
    }),
  ),
});
export type Understanding = z.infer<typeof Understanding>;

export const Session = z.discriminatedUnion('step', [
  z.object({ step: z.literal('signed-out'), notice: Notice.optional(), email: z.string().optional() }),
  /** It lasts until the server has answered, at start and after a switch. `user` is what was seen the last time. */
  z.object({ step: z.literal('restoring'), sessionId: z.string(), user: User }),
  z.object({
    step: z.literal('signed-in'),
    sessionId: z.string(),
    user: User,
    check: z.discriminatedUnion('state', [
      /** The server confirmed the session. `at` is in ISO 8601. */
      z.object({ state: z.literal('checked'), at: z.string() }),
      /** The server could not be asked, or its answer left it open. */
      z.object({ state: z.literal('unchecked'), error: AppError }),
    ]),
  }),
]);
export type Session = z.infer<typeof Session>;

/** When a session ends, in ISO 8601, and what said so: a field of an answer, under the server's name, or the token itself. */
export const SessionEnd = z.object({ at: z.iso.datetime(), by: z.string(), in: z.enum(['answer', 'token']) });
export type SessionEnd = z.infer<typeof SessionEnd>;

/** Whether the end of a session is near, or past. */
export const Ending = z.enum(['soon', 'over']);
export type Ending = z.infer<typeof Ending>;

/** What came of a logout of every session, in numbers of sessions. */
export const LoggedOutEverywhere = z.object({
  /** Their server knows. */
  told: z.int(),
  /** Their server did not answer, and is told later. */
  waiting: z.int(),
  /** Their server has no logout. */
  noLogout: z.int(),
});
export type LoggedOutEverywhere = z.infer<typeof LoggedOutEverywhere>;

/** One session that this application holds at some server. Times are in ISO 8601. */
export const HeldSession = z.object({
  id: z.string(),
  serverId: z.string(),
  /** The email that was typed to log in. */
  account: z.string(),
  name: z.string().optional(),
  /** The number before the `|` of the token, if it has one. No other part of the token is ever here. */
  tokenId: z.string().optional(),
  madeAt: z.string().optional(),
  checkedAt: z.string().optional(),
  /** It is absent when nothing said it. */
  end: SessionEnd.optional(),
  /** It is there once the end is near, or past by the clock of this computer. The server alone knows what it accepts. */
  ending: Ending.optional(),
  /** It is there when a logout waits for a server that did not answer, which is told by itself later. */
  toldLater: z.literal(true).optional(),
  /** The address that the token came from. The token is sent nowhere else. */
  baseUrl: z.string(),
  /** Whether the session is the demo person's. */
  isDemo: z.boolean(),
  /** It is there while the token is in memory only, so that the session ends with the application. */
  inMemory: z.literal(true).optional(),
  state: z.enum([
    'usable',
    /** The server has another address now. */
    'other-address',
    /** The session ended here, and the server was not told yet. */
    'to-revoke',
  ]),
});
export type HeldSession = z.infer<typeof HeldSession>;

/** Where tokens rest: sealed by the system store that is named, or in memory only, and why. */
export const VaultStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('asking') }),
  /** Nothing rests, so the store was left alone. It is asked when there is something to keep. */
  z.object({ state: z.literal('not-asked') }),
  z.object({
    state: z.literal('protected'),
    backend: z.string(),
    /** The number of entries that the store does not open. They are kept as they are. */
    unreadable: z.int(),
    /** The stores that sealed those entries, if they were others. */
    before: z.array(z.string()),
  }),
  /** The store is there, and does not open yet. New tokens stay in memory until it does. */
  z.object({ state: z.literal('locked') }),
  z.object({
    state: z.literal('memory-only'),
    reason: z.enum(['no-keyring', 'weak-keyring', 'keyring-failed', 'file-unreadable']),
  }),
]);
export type VaultStatus = z.infer<typeof VaultStatus>;

export const BuiltInStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('starting') }),
  z.object({ state: z.literal('running'), baseUrl: z.string() }),
  z.object({ state: z.literal('failed'), message: z.string() }),
]);
export type BuiltInStatus = z.infer<typeof BuiltInStatus>;

/** A file of the profile that could not be used as it was, or not be written. */
export const FileNotice = z.object({
  file: z.enum(['config.json', 'vault.json', 'lock.json', 'calls.sqlite', 'reports.sqlite']),
  problem: z.enum([
    /** The file was put back from its last good copy. */
    'restored',
    'partly-read',
    /** There was no good copy, so it was begun anew. */
    'set-aside',
    /** Another version of Llavero wrote it, so it was begun anew. */
    'other-version',
    /** The system does not let it be read. It is left as it is. */
    'unreadable',
    /** The last change could not be saved. */
    'not-written',
  ]),
  /** The name under which what was found is kept in the same folder. */
  kept: z.string().optional(),
});
export type FileNotice = z.infer<typeof FileNotice>;

/** What the window needs whether it is locked or not. A higher `revision` is newer. */
const Frame = z.object({
  revision: z.number(),
  version: z.string(),
  electron: z.object({ version: z.string(), thirdParty: z.boolean() }),
  settings: Settings,
  /** The language of the screens, after `--lang` and the system were asked. */
  language: Language,
  /** Whether a PIN is set. */
  pin: z.boolean(),
  /** Whether a program listens that reads the window to a person. */
  screenReader: z.boolean(),
  /** They are in the order in which they were found. */
  files: z.array(FileNotice),
});

const appState = Frame.extend({
  locked: z.literal(false),
  /** They are in the order that the person gave them. */
  servers: z.array(Server),
  activeServerId: z.string(),
  sessions: z.array(HeldSession),
  builtIn: BuiltInStatus,
  /** How the built-in server behaves, whichever server is the active one. */
  behaviour: Behaviour,
  /** How far the clock of the built-in server is ahead of this computer's. */
  clockAheadMs: z.number(),
  vault: VaultStatus,
  updates: UpdateStatus,
  /** The double that is being made, or could not be. */
  doubleWork: DoubleWorkOf.optional(),
  /** The session that is shown of the active server. */
  session: Session,
  /** Whether a question of the system waits for the person. */
  asking: z.boolean(),
});
/**
 * Everything that the screens show. Main owns it. The type has a name, since the compiler writes a type without a name
 * out wherever it is used, and that of the contract grew too long.
 */
export interface AppState extends z.infer<typeof appState> {}
export const AppState: z.ZodType<AppState> = appState;

/** What made the application lock itself. `start` is a start with a PIN. */
export const LockCause = z.enum(['by-hand', 'idle', 'screen', 'sleep', 'start']);
export type LockCause = z.infer<typeof LockCause>;

/** All that a locked window knows. It has nothing of accounts, servers or sessions. */
export const LockedState = Frame.extend({
  locked: z.literal(true),
  cause: LockCause,
  /** The number of wrong PINs that are left before the sessions are dropped. */
  triesLeft: z.int(),
});
export type LockedState = z.infer<typeof LockedState>;

export type WindowState = AppState | LockedState;
export const WindowState: z.ZodType<WindowState> = z.discriminatedUnion('locked', [appState, LockedState]);
