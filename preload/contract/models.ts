import { z } from 'zod';
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

/** One server Llavero talks to. The embedded service is an entry like any other. */
export const Server = z.object({
  id: z.string(),
  builtIn: z.boolean(),
  /** Canonical base URL without a trailing slash; of the embedded service, where it listens now. */
  baseUrl: z.string(),
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
  /** The stored token could not be read; nothing was deleted. */
  z.object({ kind: z.literal('vault-unreadable') }),
  /** The account exists now, and the login that follows a registration failed. */
  z.object({ kind: z.literal('registered-not-logged-in'), email: z.string(), error: AppError }),
]);
export type Notice = z.infer<typeof Notice>;

export const Session = z.discriminatedUnion('step', [
  z.object({ step: z.literal('signed-out'), notice: Notice.optional(), email: z.string().optional() }),
  /** At start, until the profile call has answered; `user` is what was seen last time. */
  z.object({ step: z.literal('restoring'), user: User }),
  z.object({
    step: z.literal('signed-in'),
    user: User,
    check: z.discriminatedUnion('state', [
      /** The server confirmed the session; ISO 8601. */
      z.object({ state: z.literal('checked'), at: z.string() }),
      /** It could not be asked, or answered without a verdict. */
      z.object({ state: z.literal('unchecked'), error: AppError }),
    ]),
  }),
]);
export type Session = z.infer<typeof Session>;

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

/** Everything the screens show, owned by main. A higher `revision` is newer. */
export const AppState = z.object({
  revision: z.number(),
  version: z.string(),
  electron: z.object({ version: z.string(), thirdParty: z.boolean() }),
  settings: Settings,
  /** The language in force, after `--lang` and the system were asked. */
  language: Language,
  servers: z.array(Server),
  activeServerId: z.string(),
  service: ServiceStatus,
  vault: VaultStatus,
  session: Session,
});
export type AppState = z.infer<typeof AppState>;
