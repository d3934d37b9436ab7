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
import type { Operation } from './names.ts';
import type { AppError } from './result.ts';
import type { ServerBehaviour, MockCreation, MockServerInfo } from './local-servers.ts';
import type { UpdateStatus } from './about.ts';

/** The most of a profile that crosses to the window. What is beyond is counted, and stands in the file that a person saves. */
export const ProfileLimits = {
  values: 2000,
  charactersOfText: 20_000,
  characters: 400_000,
  charactersOfPlace: 4000,
} as const;

/** A picture that stands in the answer. Its size is in pixels; main answers what it is made of when it is asked for. */
export type DisplayImage = { is: 'picture'; width: number; height: number };

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

/** A field of a profile that the interface does not know. Its place is a JSON pointer (RFC 6901) into the answer. */
export type ProfileField = { name: string; place: string; value: DisplayValue };

/** What the token of a session says of itself; nobody here can verify that. It is no part of the token. */
export type TokenDetails =
  | { form: 'opaque' }
  | {
      form: 'jwt';
      algorithm: string;
      claims: { name: string; value: DisplayValue }[];
      /** How many values are not among them, since there are more than {@link ProfileLimits}. */
      left?: number | undefined;
    };

/** The user as the screens show it. `rest` has what the server sent and the interface does not know. */
export type UserProfile = {
  id?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  rest: ProfileField[];
  /** How many values are not among them, since there are more than {@link ProfileLimits}. */
  left?: number | undefined;
};

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
export type LastCall = {
  method: string;
  /** The operation of the interface that it was, where that is known. */
  operation?: Operation | undefined;
  /** It is absent where no head of an answer came. */
  status?: number | undefined;
  /** Whether anything came back, even if it could not be read. */
  answered: boolean;
  /** The kind of the failure, if the call failed. */
  failure?: string | undefined;
  ms: number;
  /** When it ended, in ISO 8601. */
  at: string;
};

/** One server Llavero talks to, with what the person says about it. The built-in server is one like any other. */
export type Server = ServerDetails & {
  id: string;
  builtIn: boolean;
  /** It is empty for the built-in server, which the screens name in their language. */
  name: string;
  /**
   * The canonical base URL, without a slash at its end. That of the built-in server or of a mock server is empty while it
   * does not run.
   */
  baseUrl: string;
  learned: ResponseMapping['learned'];
  /** The certificates that are trusted for this server alone. If there are any, it must show one of them. */
  pins: Fingerprint[];
  connection: ConnectionChoices;
  /** Says which secrets of the connection are kept. */
  secrets: ConnectionSecret[];
  extraHeaders: ExtraHeader[];
  interface: InterfaceSummary;
  /** Of one that runs here: the origins of web pages that may use it. */
  allowedOrigins?: string[] | undefined;
  /** Set for a mock server, which runs on this computer. */
  mock?: MockServerInfo | undefined;
  /** The last ones to its address in this run of the application, at most five, the newest first. */
  lastCalls: LastCall[];
};

/** How the last session ended. The log-in screen says it once. */
export type SessionNotice =
  /** The server no longer knows the token. `at` is when that was seen, in ISO 8601. */
  | { kind: 'session-ended'; at: string }
  | { kind: 'logged-out' }
  /** The session ended here, but the server could not be told. */
  | { kind: 'logged-out-here-only'; error: AppError }
  /** The same happened at a server without a logout, so telling it again cannot help. */
  | { kind: 'logged-out-no-way-to-tell'; error: AppError }
  /** The session ended here, and the person chose not to tell the server. */
  | { kind: 'logged-out-untold' }
  /** The system's store does not open the stored token, which is kept aside. */
  | { kind: 'vault-unreadable' }
  /** The stored token can be read once the keyring is unlocked. */
  | { kind: 'vault-locked' }
  /** The PIN was wrong too often: every session was removed from this computer. */
  | { kind: 'sessions-dropped' }
  /** The person left the lock without the PIN: every session was removed from this computer. */
  | { kind: 'pin-forgotten' }
  /** The application ended between a renewal of the session and the moment at which it was kept. */
  | { kind: 'renewal-lost' }
  /** The account exists now, and its email is to be confirmed before anybody logs in. `serverMessage` is what the server said. */
  | { kind: 'confirm-first'; email: string; serverMessage: string }
  /** The account exists now, and the login that follows a registration failed. */
  | { kind: 'registered-not-logged-in'; email: string; error: AppError };

export type AuthState =
  | {
      step: 'signed-out';
      notice?: SessionNotice | undefined;
      email?: string | undefined;
      /** It is there while the profile of a login is being read that the server accepted a second ago. */
      accepted?: true | undefined;
    }
  /** It lasts until the server has answered, at start and after a switch. `user` is what was seen the last time. */
  | { step: 'restoring'; sessionId: string; user: UserProfile }
  | {
      step: 'signed-in';
      sessionId: string;
      user: UserProfile;
      check:
        /** The server confirmed the session. `at` is in ISO 8601. */
        | { state: 'checked'; at: string }
        /** The server could not be asked, or its answer left it open. */
        | { state: 'unchecked'; error: AppError };
    };

/** Whether the end of a session is near, or past. */
export type ExpiryState = 'soon' | 'over';

/** What came of a logout of every session, in numbers of sessions. */
export type LogoutAllResult = {
  /** Their server knows. */
  serverNotified: number;
  /** Their server did not answer, and is told later. */
  pendingLogouts: number;
  /** Their server has no logout. */
  noLogout: number;
};

/** The sessions that ended since their server was given another address, and those among them of which it was not told. */
export type EndedSessions = { ended: number; pendingLogouts: number };

/** One session that this application holds at some server. Times are in ISO 8601. */
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
  /** When the session was renewed last. */
  renewedAt?: string | undefined;
  /** It is there where the application renews the session by itself before it ends. */
  renews?: true | undefined;
  /** It is absent when nothing said it. */
  end?: SessionExpiry | undefined;
  /** It is there once the end is near, or past by the clock of this computer. The server alone knows what it accepts. */
  expiryState?: ExpiryState | undefined;
  /** It is there when a logout waits for a server that did not answer, which is told by itself later. */
  logoutPending?: true | undefined;
  /** The address that the token came from. The token is sent nowhere else. */
  baseUrl: string;
  /** Whether the session is the demo person's. */
  isDemo: boolean;
  /** It is there while the token is in memory only, so that the session ends with the application. */
  inMemory?: true | undefined;
  state:
    | 'usable'
    /** The session ended here, and the server was not told yet. */
    | 'to-revoke';
};

/** Where tokens rest: sealed by the system store that is named, or in memory only, and why. */
export type VaultStatus =
  | { state: 'asking' }
  /** Nothing rests, so the store was left alone. It is asked when there is something to keep. */
  | { state: 'not-asked' }
  | {
      state: 'protected';
      backend: string;
      /** The number of entries that the store does not open. They are kept as they are. */
      unreadable: number;
      /** The stores that sealed those entries, if they were others. */
      before: string[];
    }
  /** The store is there, and does not open yet. New tokens stay in memory until it does. */
  | { state: 'locked' }
  | { state: 'memory-only'; reason: 'no-keyring' | 'keyring-failed' | 'file-unreadable' };

export type BuiltInStatus =
  | { state: 'starting' }
  | { state: 'running'; baseUrl: string }
  | { state: 'failed'; message: string };

/** A file of the profile that could not be used as it was, or not be written. */
export type FileNotice = {
  file: 'config.json' | 'vault.json' | 'lock.json' | 'calls.sqlite' | 'reports.sqlite';
  problem:
    /** The file was put back from its last good copy. */
    | 'restored'
    | 'partly-read'
    /** There was no good copy, so a new file was begun. */
    | 'set-aside'
    /** Another version of Llavero wrote it, so a new file was begun. */
    | 'other-version'
    /** The system does not let it be read. It is left as it is. */
    | 'unreadable'
    /** The last change could not be saved. */
    | 'not-written';
  /** The name under which what was found is kept in the same folder. */
  quarantinedAs?: string | undefined;
};

/** What the window needs whether it is locked or not. */
type Frame = {
  version: string;
  electron: { version: string; thirdParty: boolean };
  settings: Settings;
  /** The language of the screens, after `--lang` and the system were asked. */
  language: Language;
  /** Whether a PIN is set. */
  pin: boolean;
  /** Whether a program listens that reads the window to a person. */
  screenReader: boolean;
  /** They are in the order in which they were found. */
  files: FileNotice[];
};

/** Everything that the screens show. Main owns it. */
export type AppState = Frame & {
  locked: false;
  /** They are in the order that the person gave them. */
  servers: Server[];
  activeServerId: string;
  sessions: SessionInfo[];
  builtIn: BuiltInStatus;
  /** How the built-in server behaves, whichever server is the active one. */
  behaviour: ServerBehaviour;
  /** How far the clock of the built-in server is ahead of this computer's. */
  clockAheadMs: number;
  vault: VaultStatus;
  updates: UpdateStatus;
  /** The mock server that is being created, or could not be. */
  mockCreation?: MockCreation | undefined;
  /** The session that is shown of the active server. */
  session: AuthState;
  /** Whether a question of the system waits for the person. */
  asking: boolean;
};

/** What made the application lock itself. `start` is a start with a PIN. */
export type LockCause = 'by-hand' | 'idle' | 'screen' | 'sleep' | 'start';

/** All that a locked window knows. It has nothing of accounts, servers or sessions. */
export type LockedState = Frame & {
  locked: true;
  cause: LockCause;
  /** The number of wrong PINs that are left before the sessions are dropped. */
  triesLeft: number;
};

export type WindowState = AppState | LockedState;

/** What answers at an address. It was found without credentials, and nothing was created. */
export type ConnectionReport =
  | { reached: false; error: AppError }
  | {
      reached: true;
      baseUrl: string;
      /** Whether the connection was encrypted and its certificate trusted. */
      secure: boolean;
      status: number;
      milliseconds: number;
      /** What the answer to `perfil` without a token says. */
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
