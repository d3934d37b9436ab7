import { z } from 'zod';
import { ConnectionChoices, ConnectionSecret, Fingerprint } from './connection.ts';
import { AppError } from './result.ts';
import { Behaviour } from './built-in-server.ts';

/** The two registration paths of the interface; `register` alone takes `cpassword`. */
export const RegistrationPath = z.enum(['registro', 'register']);
export type RegistrationPath = z.infer<typeof RegistrationPath>;

export const Language = z.enum(['en', 'es']);
export type Language = z.infer<typeof Language>;

/** What the person chose; `system` follows the operating system. */
export const Settings = z.object({
  language: z.enum(['system', 'en', 'es']),
  theme: z.enum(['system', 'light', 'dark']),
  /** After this long without a key or the mouse anywhere on the computer; 0 is never. */
  lockAfterMinutes: z.int().min(0).max(1440),
  /** With the screen of the operating system, and before the computer sleeps. */
  lockOnScreenLock: z.boolean(),
  lockOnSleep: z.boolean(),
  /** No session outlives the application: tokens are in memory only. */
  clearOnQuit: z.boolean(),
  /** Of a contract run, at most. */
  callsPerSecond: z.number().min(0.1).max(100),
});
export type Settings = z.infer<typeof Settings>;

/** The colours a server can frame the window with; each has a name in words, since no colour stands alone. */
export const ServerColour = z.enum(['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'purple', 'pink']);
export type ServerColour = z.infer<typeof ServerColour>;

/** What can be looked up in an answer at a place of its own. */
export const DialectPart = z.enum(['token', 'user', 'message']);
export type DialectPart = z.infer<typeof DialectPart>;

const dialectPath = z.string().max(300);

/**
 * How a server answers. `learned` is where things were found last; `pinned` is where the person says they are, as
 * `data.access_token`, `headers.x-auth-token` or `body`.
 */
export const Dialect = z.object({
  learned: z.partialRecord(DialectPart, dialectPath),
  pinned: z.partialRecord(DialectPart, dialectPath),
});
export type Dialect = z.infer<typeof Dialect>;

/** Everything a person can say about a server, except where it is. */
export const ServerDetails = z.object({
  name: z.string().max(100),
  colour: ServerColour,
  notes: z.string().max(5_000),
  /** Chosen at first on the registration screen. */
  registrationPath: RegistrationPath,
  /** Registrations and the telling of logouts ask for the host, once per run of the application. */
  production: z.boolean(),
  pinned: Dialect.shape.pinned,
});
export type ServerDetails = z.infer<typeof ServerDetails>;

/** One server Llavero talks to, with what the person says about it. The embedded service is an entry like any other. */
export const Server = ServerDetails.extend({
  id: z.string(),
  builtIn: z.boolean(),
  /** Empty for the built-in one, which the screens name in their language. */
  name: z.string(),
  /** Canonical base URL without a trailing slash; of the embedded service, where it listens now. */
  baseUrl: z.string(),
  learned: Dialect.shape.learned,
  /** Certificates trusted for this server alone; with any, it must show one of these. */
  pins: z.array(Fingerprint),
  connection: ConnectionChoices,
  /** Which secrets of the connection are kept. */
  secrets: z.array(ConnectionSecret),
});
export type Server = z.infer<typeof Server>;

/** One more field of the user record. Secrets never leave main: a masked field has no value. */
export const UserField = z.discriminatedUnion('masked', [
  z.object({ masked: z.literal(false), path: z.string(), value: z.string() }),
  z.object({ masked: z.literal(true), path: z.string() }),
]);
export type UserField = z.infer<typeof UserField>;

/** The user as shown: the fields the interface knows first, then every other one the server sent. */
export const User = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  rest: z.array(UserField),
});
export type User = z.infer<typeof User>;

/** How the last session ended, said once on the log-in screen. */
export const Notice = z.discriminatedUnion('kind', [
  /** The server no longer knows the token. */
  z.object({ kind: z.literal('session-ended') }),
  z.object({ kind: z.literal('logged-out') }),
  /** The session ended here, but the server could not be told. */
  z.object({ kind: z.literal('logged-out-here-only'), error: AppError }),
  /** The same at a server without a logout: telling it again cannot help. */
  z.object({ kind: z.literal('logged-out-no-way-to-tell'), error: AppError }),
  /** The session ended here, and the person chose not to tell the server. */
  z.object({ kind: z.literal('logged-out-untold') }),
  /** The system's store does not open the stored token; it is kept aside. */
  z.object({ kind: z.literal('vault-unreadable') }),
  /** The stored token is there once the keyring is unlocked. */
  z.object({ kind: z.literal('vault-locked') }),
  /** The PIN was wrong too often: every session was removed from this computer. */
  z.object({ kind: z.literal('sessions-dropped') }),
  /** The session belongs to another address than the server has now. */
  z.object({ kind: z.literal('other-address'), baseUrl: z.string() }),
  /** The account exists now, and the login that follows a registration failed. */
  z.object({ kind: z.literal('registered-not-logged-in'), email: z.string(), error: AppError }),
]);
export type Notice = z.infer<typeof Notice>;

/** Why one answer was read as it was: places and rules, never values. */
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
  /** Until the profile call has answered, at start and after a switch; `user` is what was seen last time. */
  z.object({ step: z.literal('restoring'), sessionId: z.string(), user: User }),
  z.object({
    step: z.literal('signed-in'),
    sessionId: z.string(),
    user: User,
    check: z.discriminatedUnion('state', [
      /** The server confirmed the session; ISO 8601. */
      z.object({ state: z.literal('checked'), at: z.string() }),
      /** It could not be asked, or answered without a verdict. */
      z.object({ state: z.literal('unchecked'), error: AppError }),
    ]),
    /** The newest answer of each operation in this run of the application. */
    understood: z.array(Understanding),
  }),
]);
export type Session = z.infer<typeof Session>;

/** One session this application holds, in any server. Times are ISO 8601. */
export const HeldSession = z.object({
  id: z.string(),
  serverId: z.string(),
  /** What was typed to log in. */
  account: z.string(),
  name: z.string().optional(),
  /** The number before the `|` of the token, when it has one: never more of it. */
  tokenId: z.string().optional(),
  madeAt: z.string().optional(),
  checkedAt: z.string().optional(),
  /** Where the token came from; it is sent nowhere else. */
  baseUrl: z.string(),
  /** Whether it is the demo person's. */
  isDemo: z.boolean(),
  state: z.enum([
    'usable',
    /** The server has another address now. */
    'other-address',
    /** Logged out here; the server was not told yet. */
    'to-revoke',
  ]),
});
export type HeldSession = z.infer<typeof HeldSession>;

/** Where tokens rest: sealed by the named system store, or in memory only, and why. */
export const VaultStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('asking') }),
  z.object({
    state: z.literal('protected'),
    backend: z.string(),
    /** Entries that the store does not open: they are kept as they are. */
    unreadable: z.int(),
    /** The stores that sealed those, when they were others. */
    before: z.array(z.string()),
  }),
  /** The store is there and does not open yet. What is new stays in memory until it does. */
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
  file: z.enum(['config.json', 'vault.json', 'lock.json', 'exchanges.sqlite']),
  problem: z.enum([
    /** Put back from its last good copy. */
    'restored',
    'partly-read',
    /** Begun anew: there was no good copy. */
    'set-aside',
    /** Of a newer version of Llavero, and left as it is. */
    'newer',
    /** The system does not let it be read; left as it is. */
    'unreadable',
    /** The last change could not be saved. */
    'not-written',
  ]),
  /** The name under which what was found is kept in the same folder. */
  kept: z.string().optional(),
});
export type FileNotice = z.infer<typeof FileNotice>;

/** What the window needs in any case. A higher `revision` is newer. */
const Frame = z.object({
  revision: z.number(),
  version: z.string(),
  electron: z.object({ version: z.string(), thirdParty: z.boolean() }),
  settings: Settings,
  /** The language in force, after `--lang` and the system were asked. */
  language: Language,
  /** Whether a PIN is set. */
  pin: z.boolean(),
  /** In the order in which they were found. */
  files: z.array(FileNotice),
});

const appState = Frame.extend({
  locked: z.literal(false),
  /** In the order the person gave them. */
  servers: z.array(Server),
  activeServerId: z.string(),
  sessions: z.array(HeldSession),
  builtIn: BuiltInStatus,
  /** Of the embedded service, whatever server is the active one. */
  behaviour: Behaviour,
  vault: VaultStatus,
  /** What the active server shows. */
  session: Session,
});
/**
 * Everything the screens show, owned by main. It has a name of its own, and so has its schema's type: the compiler
 * writes types without one out wherever they are used, and the contract's grew too long for it.
 */
export interface AppState extends z.infer<typeof appState> {}
export const AppState: z.ZodType<AppState> = appState;

/** What made the application lock itself; `start` is a start with a PIN. */
export const LockCause = z.enum(['by-hand', 'idle', 'screen', 'sleep', 'start']);
export type LockCause = z.infer<typeof LockCause>;

/** All that a locked window knows: nothing of accounts, servers or sessions. */
export const LockedState = Frame.extend({
  locked: z.literal(true),
  cause: LockCause,
  /** Wrong PINs before the sessions are dropped. */
  triesLeft: z.int(),
});
export type LockedState = z.infer<typeof LockedState>;

export type WindowState = AppState | LockedState;
export const WindowState: z.ZodType<WindowState> = z.discriminatedUnion('locked', [appState, LockedState]);

/** What a look at an address found, without credentials and without creating anything. */
export const ConnectionReport = z.discriminatedUnion('reached', [
  z.object({ reached: z.literal(false), error: AppError }),
  z.object({
    reached: z.literal(true),
    baseUrl: z.string(),
    /** Whether the connection was encrypted and its certificate trusted. */
    secure: z.boolean(),
    status: z.number(),
    milliseconds: z.number(),
    /** What the answer to `perfil` without a token tells. */
    answered: z.enum([
      'asks-for-token',
      'profile-without-token',
      'path-missing',
      'web-page',
      'captive-portal',
      'protection-page',
      'redirect',
      'server-fault',
      'something-else',
    ]),
    /** The response header `Server`. */
    software: z.string().optional(),
  }),
]);
export type ConnectionReport = z.infer<typeof ConnectionReport>;
