import { z } from 'zod';
import type { ConnectionChoices, ConnectionSecret, ExtraHeader, Fingerprint, InterfaceSummary } from './connection.ts';
import {
  ResponseMapping,
  type Language,
  RegistrationPath,
  ServerColour,
  type SessionExpiry,
  type Settings,
} from './settings.ts';
import type { CodeMethod } from './interface.ts';
import type { Operation } from './names.ts';
import type { AppError } from './result.ts';
import type { ServerBehaviour, MockCreation, MockServerInfo } from './local-servers.ts';
import type { UpdateStatus } from './about.ts';

/** Limits of a profile in the window. What exceeds them is counted; the exported file has everything. */
export const ProfileLimits = {
  values: 2000,
  charactersOfText: 20_000,
  characters: 400_000,
  charactersOfPlace: 4000,
} as const;

/** An image in the response, with its size in pixels. Its data is requested from main when it is shown. */
export type DisplayImage = { is: 'picture'; width: number; height: number };

/** A value of a response for display. Numbers keep the digits as sent. Secrets never leave main. */
export type DisplayValue =
  /** `left` is the number of characters that were truncated. */
  | { is: 'text'; text: string; left?: number | undefined }
  | { is: 'number'; digits: string }
  | { is: 'flag'; yes: boolean }
  | { is: 'nothing' }
  /** A date without a time, such as `1990-05-17`. */
  | { is: 'day'; day: string }
  /** `at` is in ISO 8601; UTC is assumed if the server sent no time zone. */
  | { is: 'moment'; at: string; isZoneSaid: boolean }
  | { is: 'secret' }
  | DisplayImage
  | { is: 'list'; items: DisplayValue[] }
  | { is: 'fields'; fields: DisplayField[] };
export type DisplayField = { name: string; value: DisplayValue };

/** An additional field of a profile. `place` is a JSON pointer (RFC 6901) into the response. */
export type ProfileField = { name: string; place: string; value: DisplayValue };

/** The unverified header and claims of a token. They do not include the token. */
export type TokenDetails =
  | { form: 'opaque' }
  | {
      form: 'jwt';
      algorithm: string;
      claims: { name: string; value: DisplayValue }[];
      /** The number of values beyond {@link ProfileLimits}. */
      left?: number | undefined;
    };

/** The user for display. `rest` has the additional fields. */
export type UserProfile = {
  id?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  rest: ProfileField[];
  /** The number of values beyond {@link ProfileLimits}. */
  left?: number | undefined;
};

/** Invisible characters, line ends and those that change the direction of writing. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Names appear in system dialogs, where such characters could make one look like another. */
export const isPlainName = (name: string): boolean => name.search(unseen) < 0;

/** The settings of a server that do not affect its connection. */
export const ServerDetails = z.object({
  name: z
    .string()
    .max(100)
    .overwrite((name) => name.replaceAll(unseen, '')),
  colour: ServerColour,
  notes: z.string().max(5_000),
  /** Preselected in the registration form. */
  registrationPath: RegistrationPath,
  /** If so, the first registration or logout in a run asks to type the host. */
  production: z.boolean(),
  pinned: ResponseMapping.shape.pinned,
});
export type ServerDetails = z.infer<typeof ServerDetails>;

/** The result of a call of the user, a check or the application. It has no secrets. */
export type LastCall = {
  method: string;
  /** Undefined if it is unknown. */
  operation?: Operation | undefined;
  /** Undefined if no response head was received. */
  status?: number | undefined;
  /** Whether anything was received, even if it could not be parsed. */
  answered: boolean;
  /** Its kind, if the call failed. */
  failure?: string | undefined;
  ms: number;
  /** When it ended, in ISO 8601. */
  at: string;
};

/** A server, which may be the built-in one or a mock server. */
export type Server = ServerDetails & {
  id: string;
  builtIn: boolean;
  /** Empty for the built-in server, whose name is translated. */
  name: string;
  /** The canonical base URL, without a trailing slash. Empty for a local server that is stopped. */
  baseUrl: string;
  learned: ResponseMapping['learned'];
  /** Pinned certificates. If there are any, the server must present one of them. */
  pins: Fingerprint[];
  connection: ConnectionChoices;
  /** The names of the stored secrets of the connection. */
  secrets: ConnectionSecret[];
  extraHeaders: ExtraHeader[];
  interface: InterfaceSummary;
  /** Of a local server: the origins that CORS allows. */
  allowedOrigins?: string[] | undefined;
  /** Set for a mock server. */
  mock?: MockServerInfo | undefined;
  /** In this run of the application, at most five, the newest first. */
  lastCalls: LastCall[];
};

/** How the last session ended. The login form shows it once. */
export type SessionNotice =
  /** The server refused the token. `at` is in ISO 8601. */
  | { kind: 'session-ended'; at: string }
  | { kind: 'logged-out' }
  /** The session ended here; the server did not confirm the logout. */
  | { kind: 'logged-out-here-only'; error: AppError }
  /** The API description has no logout. */
  | { kind: 'logged-out-no-way-to-tell'; error: AppError }
  /** The user chose to log out here only. */
  | { kind: 'logged-out-untold' }
  /** The system store cannot decrypt the stored token, which is not deleted. */
  | { kind: 'vault-unreadable' }
  /** The stored token can be read once the keyring is unlocked. */
  | { kind: 'vault-locked' }
  /** The PIN was wrong too often: every session was removed here. */
  | { kind: 'sessions-dropped' }
  /** The user unlocked without the PIN: every session was removed here. */
  | { kind: 'pin-forgotten' }
  /** The application ended between a refresh and the storing of its response. */
  | { kind: 'renewal-lost' }
  /** The server refused the code and ended the login. */
  | { kind: 'code-refused'; error: AppError }
  /** The server takes no code for that login any more. */
  | { kind: 'code-expired' }
  /** The login was given up with its password after five minutes, or when the computer went to sleep. */
  | { kind: 'code-dropped' }
  /** The server ended the session with the change of its password. */
  | { kind: 'password-changed' }
  | { kind: 'account-deleted' }
  /** The account was created, and its email must be confirmed before a login. */
  | { kind: 'confirm-first'; email: string; serverMessage: string }
  /** The account was created, and the login after that failed. */
  | { kind: 'registered-not-logged-in'; email: string; error: AppError };

export type AuthState =
  | {
      step: 'signed-out';
      notice?: SessionNotice | undefined;
      email?: string | undefined;
      /** Set while the profile is requested after an accepted login. */
      accepted?: true | undefined;
    }
  /** The stored session before its first check. `user` is the last known one. */
  | { step: 'restoring'; sessionId: string; user: UserProfile }
  | {
      step: 'signed-in';
      sessionId: string;
      user: UserProfile;
      check:
        /** The server confirmed the session. `at` is in ISO 8601. */
        | { state: 'checked'; at: string }
        /** The server did not respond, or its response was unclear. */
        | { state: 'unchecked'; error: AppError };
    };

/** A login whose server asks for the code of a second factor. What is sent with the code stays in main. */
export type PendingLoginInfo = {
  serverId: string;
  /** What was typed to log in. */
  account: string;
  /** The ways to give a code, the preferred one first. With `isSent`, the server sends the code when asked to. */
  methods: { method: CodeMethod; isSent: boolean }[];
  /** Until when the server takes a code, in ISO 8601, if it says so. */
  expiresAt?: string | undefined;
  /** Whether it replaces a session that is near its end, and does not change what is shown. */
  isRenewal: boolean;
};

export type ExpiryState = 'soon' | 'over';

/** The result of a logout of all sessions, in numbers of sessions. */
export type LogoutAllResult = {
  /** Confirmed by the server. */
  serverNotified: number;
  /** To be retried. */
  pendingLogouts: number;
  /** The API description has no logout. */
  noLogout: number;
};

/** The sessions that a changed server ended, and those of them that the old server did not confirm. */
export type EndedSessions = { ended: number; pendingLogouts: number };

/** A session for display. Times are in ISO 8601. */
export type SessionInfo = {
  id: string;
  serverId: string;
  /** The email that was typed to log in. */
  account: string;
  name?: string | undefined;
  /** The number before the `|` of the token, if it has one. No other part of the token is ever here. */
  tokenId?: string | undefined;
  madeAt?: string | undefined;
  checkedAt?: string | undefined;
  /** When its token was last refreshed. */
  renewedAt?: string | undefined;
  /** Set if the token is refreshed automatically. */
  renews?: true | undefined;
  /** Undefined if the expiry is unknown. */
  end?: SessionExpiry | undefined;
  /** Set once the expiry is near or past, by the clock of this computer. */
  expiryState?: ExpiryState | undefined;
  /** Set if the logout will be retried automatically. */
  logoutPending?: true | undefined;
  /** Where the token came from. It is sent nowhere else. */
  baseUrl: string;
  /** Whether it is the session of the demo user. */
  isDemo: boolean;
  /** Set if the token is in memory only, so that the session ends with the application. */
  inMemory?: true | undefined;
  state:
    | 'usable'
    /** Logged out here, and not confirmed by the server. */
    | 'to-revoke';
};

/** Where tokens are: encrypted by a system store, or in memory only, and why. */
export type VaultStatus =
  | { state: 'asking' }
  /** There are no entries, so the store was not asked, which might prompt. */
  | { state: 'not-asked' }
  | {
      state: 'protected';
      backend: string;
      /** The number of entries that the store cannot decrypt. They are not deleted. */
      unreadable: number;
      /** The other stores that encrypted those entries. */
      before: string[];
    }
  /** The store is locked. New tokens stay in memory until it is unlocked. */
  | { state: 'locked' }
  | { state: 'memory-only'; reason: 'no-keyring' | 'keyring-failed' | 'file-unreadable' };

export type BuiltInStatus =
  | { state: 'starting' }
  | { state: 'running'; baseUrl: string }
  | { state: 'failed'; message: string };

/** A problem with a file in the user-data folder. */
export type FileNotice = {
  file: 'config.json' | 'vault.json' | 'lock.json' | 'calls.sqlite' | 'reports.sqlite';
  problem:
    /** From its backup. */
    | 'restored'
    | 'partly-read'
    /** There was no valid backup, so a new file was created. */
    | 'set-aside'
    /** Written by another version of Llavero, so a new file was created. */
    | 'other-version'
    /** The system refuses to read it. It is not changed. */
    | 'unreadable'
    /** The last change could not be saved. */
    | 'not-written';
  /** The new name of the damaged file in the same folder. */
  quarantinedAs?: string | undefined;
};

/** The state that the locked window has, too. */
type Frame = {
  version: string;
  electron: { version: string; thirdParty: boolean };
  settings: Settings;
  /** By the settings, `--lang` or the system. */
  language: Language;
  /** Whether a PIN is set. */
  pin: boolean;
  /** Whether a screen reader is active. */
  screenReader: boolean;
  files: FileNotice[];
};

/** The state of the renderer, which main owns. */
export type AppState = Frame & {
  locked: false;
  /** In the user's order. */
  servers: Server[];
  activeServerId: string;
  sessions: SessionInfo[];
  builtIn: BuiltInStatus;
  /** Of the built-in server. */
  behaviour: ServerBehaviour;
  /** How far the clock of the built-in server is ahead. */
  clockAheadMs: number;
  vault: VaultStatus;
  updates: UpdateStatus;
  /** A running or failed creation of a mock server. */
  mockCreation?: MockCreation | undefined;
  /** Of the active server. */
  session: AuthState;
  pendingLogin?: PendingLoginInfo | undefined;
  /** Whether a system dialog is open. */
  asking: boolean;
};

/** `start` is a start with a PIN. */
export type LockCause = 'by-hand' | 'idle' | 'screen' | 'sleep' | 'start';

/** The state of a locked window: without accounts, servers and sessions. */
export type LockedState = Frame & {
  locked: true;
  cause: LockCause;
  /** Tries before every session is removed. */
  triesLeft: number;
};

export type WindowState = AppState | LockedState;

/** The result of a connection test, which sends no credentials and creates nothing. */
export type ConnectionReport =
  | { reached: false; error: AppError }
  | {
      reached: true;
      baseUrl: string;
      /** Whether the connection was encrypted and its certificate trusted. */
      secure: boolean;
      status: number;
      milliseconds: number;
      /** By the response to a profile request without a token. */
      answered:
        | 'asks-for-token'
        | 'profile-without-token'
        | 'path-missing'
        | 'web-page'
        | 'captive-portal'
        | 'protection-page'
        | 'redirect'
        | 'server-fault'
        | 'something-else';
      /** The response header `Server`. */
      software?: string | undefined;
    };
