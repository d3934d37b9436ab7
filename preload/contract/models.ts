import { z } from 'zod';
import { ConnectionChoices, ConnectionSecret, Fingerprint } from './connection.ts';
import { AppError } from './result.ts';

/** The two registration paths of the interface; `register` alone takes `cpassword`. */
export const RegistrationPath = z.enum(['registro', 'register']);
export type RegistrationPath = z.infer<typeof RegistrationPath>;

export const Language = z.enum(['en', 'es']);
export type Language = z.infer<typeof Language>;

/** What the person chose; `system` follows the operating system. */
export const Settings = z.object({
  language: z.enum(['system', 'en', 'es']),
  theme: z.enum(['system', 'light', 'dark']),
});
export type Settings = z.infer<typeof Settings>;

/** The colours an environment can frame the window with; each has a name in words, since no colour stands alone. */
export const EnvironmentColour = z.enum(['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'purple', 'pink']);
export type EnvironmentColour = z.infer<typeof EnvironmentColour>;

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

/** Everything a person can say about an environment, except where it is. */
export const EnvironmentDetails = z.object({
  name: z.string().max(100),
  colour: EnvironmentColour,
  notes: z.string().max(5_000),
  /** Chosen at first on the registration screen. */
  registrationPath: RegistrationPath,
  /** Registrations and the telling of logouts ask for the host, once per run of the application. */
  production: z.boolean(),
  pinned: Dialect.shape.pinned,
});
export type EnvironmentDetails = z.infer<typeof EnvironmentDetails>;

/** One server Llavero talks to, with what the person says about it. The embedded service is an entry like any other. */
export const Environment = EnvironmentDetails.extend({
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
export type Environment = z.infer<typeof Environment>;

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
  /** The stored token could not be read; nothing was deleted. */
  z.object({ kind: z.literal('vault-unreadable') }),
  /** The session belongs to another address than the environment has now. */
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

/** One session this application holds, in any environment. Times are ISO 8601. */
export const HeldSession = z.object({
  id: z.string(),
  environmentId: z.string(),
  /** What was typed to log in. */
  account: z.string(),
  name: z.string().optional(),
  /** The number before the `|` of the token, when it has one: never more of it. */
  tokenId: z.string().optional(),
  madeAt: z.string().optional(),
  checkedAt: z.string().optional(),
  /** Where the token came from; it is sent nowhere else. */
  baseUrl: z.string(),
  state: z.enum([
    'usable',
    /** The environment has another address now. */
    'other-address',
    /** Logged out here; the server was not told yet. */
    'to-revoke',
  ]),
});
export type HeldSession = z.infer<typeof HeldSession>;

/** Where tokens rest: sealed by the named system store, or in memory only, and why. */
export const VaultStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('asking') }),
  z.object({ state: z.literal('protected'), backend: z.string() }),
  z.object({
    state: z.literal('memory-only'),
    reason: z.enum(['no-keyring', 'weak-keyring', 'keyring-failed', 'file-unreadable']),
  }),
]);
export type VaultStatus = z.infer<typeof VaultStatus>;

export const ServiceStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('starting') }),
  z.object({ state: z.literal('running'), baseUrl: z.string() }),
  z.object({ state: z.literal('failed'), message: z.string() }),
]);
export type ServiceStatus = z.infer<typeof ServiceStatus>;

const appState = z.object({
  revision: z.number(),
  version: z.string(),
  electron: z.object({ version: z.string(), thirdParty: z.boolean() }),
  settings: Settings,
  /** The language in force, after `--lang` and the system were asked. */
  language: Language,
  /** In the order the person gave them. */
  environments: z.array(Environment),
  activeEnvironmentId: z.string(),
  sessions: z.array(HeldSession),
  service: ServiceStatus,
  vault: VaultStatus,
  /** What the active environment shows. */
  session: Session,
});
type AppStateFields = typeof appState;
/** A name for its type: written out at every call, the type of the contract is longer than TypeScript writes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- that is what gives a type a name.
export interface AppStateSchema extends AppStateFields {}

/** Everything the screens show, owned by main. A higher `revision` is newer. */
export const AppState: AppStateSchema = appState;
export type AppState = z.infer<typeof AppState>;

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
