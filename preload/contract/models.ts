import { z } from 'zod';
import { ConnectionChoices, ConnectionSecret, ExtraHeader, Fingerprint, InterfaceSummary } from './connection.ts';
import { ResponseMapping, Language, RegistrationPath, ServerColour, SessionExpiry, Settings } from './settings.ts';
import { operations } from './names.ts';
import { AppError } from './result.ts';
import { ServerBehaviour, MockCreation, MockServerInfo } from './local-servers.ts';
import { UpdateStatus } from './about.ts';

/** The most of a profile that crosses to the window. What is beyond is counted, and stands in the file that a person saves. */
export const ProfileLimits = {
  values: 2000,
  charactersOfText: 20_000,
  characters: 400_000,
  charactersOfPlace: 4000,
} as const;

/** A picture that stands in the answer. Its size is in pixels; main answers what it is made of when it is asked for. */
export const DisplayImage = z.object({ is: z.literal('picture'), width: z.int(), height: z.int() });
export type DisplayImage = z.infer<typeof DisplayImage>;

/**
 * A value that a server sent, as far as the screens show it. Numbers have the digits that they were sent with. Secrets never
 * leave main.
 */
export type DisplayValue =
  /** `left` is the number of characters that the text has beyond these. */
  | { is: 'text'; text: string; left?: number | undefined }
  | { is: 'number'; digits: string }
  | { is: 'flag'; yes: boolean }
  | { is: 'nothing' }
  /** A day such as `1990-05-17`, which is the same everywhere. */
  | { is: 'day'; day: string }
  /** `at` is in ISO 8601. It is taken as UTC where the zone is not said. */
  | { is: 'moment'; at: string; isZoneSaid: boolean }
  | { is: 'secret' }
  | DisplayImage
  | { is: 'list'; items: DisplayValue[] }
  | { is: 'fields'; fields: DisplayField[] };
export type DisplayField = { name: string; value: DisplayValue };

const DisplayValue: z.ZodType<DisplayValue> = z.lazy(() =>
  z.discriminatedUnion('is', [
    z.object({
      is: z.literal('text'),
      text: z.string().max(ProfileLimits.charactersOfText),
      left: z.int().min(1).optional(),
    }),
    z.object({ is: z.literal('number'), digits: z.string().max(ProfileLimits.charactersOfText) }),
    z.object({ is: z.literal('flag'), yes: z.boolean() }),
    z.object({ is: z.literal('nothing') }),
    z.object({ is: z.literal('day'), day: z.iso.date() }),
    z.object({ is: z.literal('moment'), at: z.iso.datetime(), isZoneSaid: z.boolean() }),
    z.object({ is: z.literal('secret') }),
    DisplayImage,
    z.object({ is: z.literal('list'), items: z.array(DisplayValue) }),
    z.object({ is: z.literal('fields'), fields: z.array(z.object({ name: z.string(), value: DisplayValue })) }),
  ]),
);

/** A field of a profile that the interface does not know. Its place is a JSON pointer (RFC 6901) into the answer. */
export const ProfileField = z.object({
  name: z.string(),
  place: z.string().max(ProfileLimits.charactersOfPlace),
  value: DisplayValue,
});
export type ProfileField = z.infer<typeof ProfileField>;

/** What the token of a session says of itself; nobody here can verify that. It is no part of the token. */
export const TokenDetails = z.discriminatedUnion('form', [
  z.object({ form: z.literal('opaque') }),
  z.object({
    form: z.literal('jwt'),
    algorithm: z.string(),
    claims: z.array(z.object({ name: z.string(), value: DisplayValue })),
    /** How many values are not among them, since there are more than {@link ProfileLimits}. */
    left: z.int().min(1).optional(),
  }),
]);
export type TokenDetails = z.infer<typeof TokenDetails>;

/** The user as the screens show it. `rest` has what the server sent and the interface does not know. */
export const UserProfile = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  rest: z.array(ProfileField),
  /** How many values are not among them, since there are more than {@link ProfileLimits}. */
  left: z.int().min(1).optional(),
});
export type UserProfile = z.infer<typeof UserProfile>;

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
  pinned: ResponseMapping.shape.pinned,
});
export type ServerDetails = z.infer<typeof ServerDetails>;

/** One of the last calls to an address: of a person, a run or the application. No secret is in it. */
export const LastCall = z.object({
  method: z.string(),
  /** The operation of the interface that it was, where that is known. */
  operation: z.enum(operations).optional(),
  /** It is absent where no head of an answer came. */
  status: z.int().optional(),
  /** Whether anything came back, even if it could not be read. */
  answered: z.boolean(),
  /** The kind of the failure, if the call failed. */
  failure: z.string().optional(),
  ms: z.int(),
  /** When it ended, in ISO 8601. */
  at: z.string(),
});
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
  learned: ResponseMapping.shape.learned,
  /** The certificates that are trusted for this server alone. If there are any, it must show one of them. */
  pins: z.array(Fingerprint),
  connection: ConnectionChoices,
  /** Says which secrets of the connection are kept. */
  secrets: z.array(ConnectionSecret),
  extraHeaders: z.array(ExtraHeader),
  interface: InterfaceSummary,
  /** Of one that runs here: the origins of web pages that may use it. */
  allowedOrigins: z.array(z.string()).optional(),
  /** The file of servers that it came from, and its name there. */
  file: z.object({ path: z.string(), name: z.string() }).optional(),
  /** It is there where the server is a double of another one, which runs on this computer. */
  mock: MockServerInfo.optional(),
  /** The last ones to its address in this run of the application, at most five, the newest first. */
  lastCalls: z.array(LastCall),
});
export type Server = z.infer<typeof Server>;

/** How the last session ended. The log-in screen says it once. */
export const SessionNotice = z.discriminatedUnion('kind', [
  /** The server no longer knows the token. `at` is when that was seen, in ISO 8601. */
  z.object({ kind: z.literal('session-ended'), at: z.string() }),
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
  /** The person left the lock without the PIN: every session was removed from this computer. */
  z.object({ kind: z.literal('pin-forgotten') }),
  /** The application ended between a renewal of the session and the moment at which it was kept. */
  z.object({ kind: z.literal('renewal-lost') }),
  /** The account exists now, and its email is to be confirmed before anybody logs in. `serverMessage` is what the server said. */
  z.object({ kind: z.literal('confirm-first'), email: z.string(), serverMessage: z.string() }),
  /** The account exists now, and the login that follows a registration failed. */
  z.object({ kind: z.literal('registered-not-logged-in'), email: z.string(), error: AppError }),
]);
export type SessionNotice = z.infer<typeof SessionNotice>;

export const AuthState = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('signed-out'),
    notice: SessionNotice.optional(),
    email: z.string().optional(),
    /** It is there while the profile of a login is being read that the server accepted a second ago. */
    accepted: z.literal(true).optional(),
  }),
  /** It lasts until the server has answered, at start and after a switch. `user` is what was seen the last time. */
  z.object({ step: z.literal('restoring'), sessionId: z.string(), user: UserProfile }),
  z.object({
    step: z.literal('signed-in'),
    sessionId: z.string(),
    user: UserProfile,
    check: z.discriminatedUnion('state', [
      /** The server confirmed the session. `at` is in ISO 8601. */
      z.object({ state: z.literal('checked'), at: z.string() }),
      /** The server could not be asked, or its answer left it open. */
      z.object({ state: z.literal('unchecked'), error: AppError }),
    ]),
  }),
]);
export type AuthState = z.infer<typeof AuthState>;

/** Whether the end of a session is near, or past. */
export const ExpiryState = z.enum(['soon', 'over']);
export type ExpiryState = z.infer<typeof ExpiryState>;

/** What came of a logout of every session, in numbers of sessions. */
export const LogoutAllResult = z.object({
  /** Their server knows. */
  serverNotified: z.int(),
  /** Their server did not answer, and is told later. */
  pendingLogouts: z.int(),
  /** Their server has no logout. */
  noLogout: z.int(),
});
export type LogoutAllResult = z.infer<typeof LogoutAllResult>;

/** The sessions that ended since their server was given another address, and those among them of which it was not told. */
export const EndedSessions = z.object({ ended: z.int(), pendingLogouts: z.int() });
export type EndedSessions = z.infer<typeof EndedSessions>;

/** One session that this application holds at some server. Times are in ISO 8601. */
export const SessionInfo = z.object({
  id: z.string(),
  serverId: z.string(),
  /** The email that was typed to log in. */
  account: z.string(),
  name: z.string().optional(),
  /** The number before the `|` of the token, if it has one. No other part of the token is ever here. */
  tokenId: z.string().optional(),
  madeAt: z.string().optional(),
  checkedAt: z.string().optional(),
  /** When the session was renewed last. */
  renewedAt: z.string().optional(),
  /** It is there where the application renews the session by itself before it ends. */
  renews: z.literal(true).optional(),
  /** It is absent when nothing said it. */
  end: SessionExpiry.optional(),
  /** It is there once the end is near, or past by the clock of this computer. The server alone knows what it accepts. */
  expiryState: ExpiryState.optional(),
  /** It is there when a logout waits for a server that did not answer, which is told by itself later. */
  logoutPending: z.literal(true).optional(),
  /** The address that the token came from. The token is sent nowhere else. */
  baseUrl: z.string(),
  /** Whether the session is the demo person's. */
  isDemo: z.boolean(),
  /** It is there while the token is in memory only, so that the session ends with the application. */
  inMemory: z.literal(true).optional(),
  state: z.enum([
    'usable',
    /** The session ended here, and the server was not told yet. */
    'to-revoke',
  ]),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

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
    reason: z.enum(['no-keyring', 'keyring-failed', 'file-unreadable']),
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
    /** There was no good copy, so a new file was begun. */
    'set-aside',
    /** Another version of Llavero wrote it, so a new file was begun. */
    'other-version',
    /** The system does not let it be read. It is left as it is. */
    'unreadable',
    /** The last change could not be saved. */
    'not-written',
  ]),
  /** The name under which what was found is kept in the same folder. */
  quarantinedAs: z.string().optional(),
});
export type FileNotice = z.infer<typeof FileNotice>;

/** What the window needs whether it is locked or not. */
const Frame = z.object({
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
  sessions: z.array(SessionInfo),
  builtIn: BuiltInStatus,
  /** How the built-in server behaves, whichever server is the active one. */
  behaviour: ServerBehaviour,
  /** How far the clock of the built-in server is ahead of this computer's. */
  clockAheadMs: z.number(),
  vault: VaultStatus,
  updates: UpdateStatus,
  /** The double that is being made, or could not be. */
  doubleWork: MockCreation.optional(),
  /** The session that is shown of the active server. */
  session: AuthState,
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

/** What answers at an address. It was found without credentials, and nothing was created. */
export const ConnectionReport = z.discriminatedUnion('reached', [
  z.object({ reached: z.literal(false), error: AppError }),
  z.object({
    reached: z.literal(true),
    baseUrl: z.string(),
    /** Whether the connection was encrypted and its certificate trusted. */
    secure: z.boolean(),
    status: z.number(),
    milliseconds: z.number(),
    /** What the answer to `perfil` without a token says. */
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
