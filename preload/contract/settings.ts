import { z } from 'zod';
import { registrationPaths } from './names.ts';
import { languageNames } from './locales/languages.ts';

// These schemas are loaded for the first state, so nothing else of the contract belongs here
// (`test/boundaries/start.test.ts`).

export const RegistrationPath = z.enum(registrationPaths);
export type RegistrationPath = z.infer<typeof RegistrationPath>;

/** A language that has a file in `preload/contract/locales/window/`. */
export const Language = z.enum(Object.keys(languageNames));
export type Language = z.infer<typeof Language>;

/** `system` follows the operating system. */
export const Settings = z.object({
  language: z.enum(['system', ...Object.keys(languageNames)]),
  theme: z.enum(['system', 'light', 'dark']),
  /** Minutes without user input on the computer until the application locks itself; 0 is never. */
  lockAfterMinutes: z.int().min(0).max(1440),
  /** Whether the application locks itself with the screen. */
  lockOnScreenLock: z.boolean(),
  /** Whether the application locks itself before the computer sleeps. */
  lockOnSleep: z.boolean(),
  /** Whether sessions end with the application. Tokens are then in memory only. */
  clearOnQuit: z.boolean(),
  /** The maximum request rate of a check. */
  callsPerSecond: z.number().min(0.1).max(100),
  /** Whether the window shows the developer tools. */
  workbench: z.boolean(),
  /** Whether the welcome screen was completed or skipped. */
  welcomed: z.boolean(),
  /** Whether the system shows a notification when a session or a check has ended. */
  notifications: z.boolean(),
  /** Presentation mode: larger, with masked emails and without notes. */
  presenting: z.boolean(),
  /** Whether Llavero checks for updates automatically, if a feed is configured. */
  lookForUpdates: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

/** The colours of servers. The window shows each with its name, since no colour may be the only sign. */
export const ServerColour = z.enum(['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'purple', 'pink']);
export type ServerColour = z.infer<typeof ServerColour>;

/** A part of a response whose path differs between servers. */
export const MappedPart = z.enum(['token', 'user', 'message']);
export type MappedPart = z.infer<typeof MappedPart>;

const dialectPath = z.string().max(300);

/**
 * Paths of the parts of a response, such as `data.access_token`, `headers.x-auth-token` or `body`. `learned` has those
 * where they were found last, `pinned` those that the user set.
 */
export const ResponseMapping = z.object({
  learned: z.partialRecord(MappedPart, dialectPath),
  pinned: z.partialRecord(MappedPart, dialectPath),
});
export type ResponseMapping = z.infer<typeof ResponseMapping>;

/** When a session expires, in ISO 8601, and its source: a field of a response, by the server's name, or the token. */
export const SessionExpiry = z.object({ at: z.iso.datetime(), by: z.string(), in: z.enum(['answer', 'token']) });
export type SessionExpiry = z.infer<typeof SessionExpiry>;

/** The limits of stored requests, once for the user's own and once for those of checks. Pinned ones count, and stay. */
export const CallLimits = z.object({
  count: z.int().min(10).max(100_000).default(500),
  bytes: z.int().min(1_000_000).max(2_000_000_000).default(20_000_000),
});
export type CallLimits = z.infer<typeof CallLimits>;

/** The server that a mock was generated from. */
export const MockOrigin = z.object({
  /** The name of the original server, or else its host. */
  of: z.string().max(200),
  /** The address of the original server. */
  originUrl: z.string().max(2_000),
  /** Absent if the mock definition came from a file. */
  originId: z.string().max(100).optional(),
  /** When the original server was checked, in ISO 8601. */
  measuredAt: z.iso.datetime(),
});
export type MockOrigin = z.infer<typeof MockOrigin>;
