import { z } from 'zod';
import { registrationPaths } from './names.ts';
import { languageNames } from './locales/languages.ts';

// What `config.json` keeps is read for the first state, so nothing else of the contract stands here
// (`test/boundaries/start.test.ts`).

export const RegistrationPath = z.enum(registrationPaths);
export type RegistrationPath = z.infer<typeof RegistrationPath>;

/** A language that has a file in `preload/contract/locales/window/`. */
export const Language = z.enum(Object.keys(languageNames));
export type Language = z.infer<typeof Language>;

/** What the person chose. `system` follows the operating system. */
export const Settings = z.object({
  language: z.enum(['system', ...Object.keys(languageNames)]),
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
  /** Whether the window shows the tools of a tester, on pages of their own. */
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
export const MappedPart = z.enum(['token', 'user', 'message']);
export type MappedPart = z.infer<typeof MappedPart>;

const dialectPath = z.string().max(300);

/**
 * How a server answers. `learned` has the places where the parts were found last. `pinned` has those that the person
 * named, such as `data.access_token`, `headers.x-auth-token` or `body`.
 */
export const ResponseMapping = z.object({
  learned: z.partialRecord(MappedPart, dialectPath),
  pinned: z.partialRecord(MappedPart, dialectPath),
});
export type ResponseMapping = z.infer<typeof ResponseMapping>;

/** When a session ends, in ISO 8601, and what said so: a field of an answer, under the server's name, or the token itself. */
export const SessionExpiry = z.object({ at: z.iso.datetime(), by: z.string(), in: z.enum(['answer', 'token']) });
export type SessionExpiry = z.infer<typeof SessionExpiry>;

/** The most that is kept of a person's own calls, and again of those of contract runs. Pinned calls stay, and they count. */
export const CallLimits = z.object({
  count: z.int().min(10).max(100_000).default(500),
  bytes: z.int().min(1_000_000).max(2_000_000_000).default(20_000_000),
});
export type CallLimits = z.infer<typeof CallLimits>;

/** The original of a mock server. */
export const MockOrigin = z.object({
  /** The name of the original. It is its host where it has no other. */
  of: z.string().max(200),
  /** The address of the original. */
  originUrl: z.string().max(2_000),
  /** The server that was measured. It is absent where the model came out of a file. */
  originId: z.string().max(100).optional(),
  /** When the original was measured, in ISO 8601. */
  measuredAt: z.iso.datetime(),
});
export type MockOrigin = z.infer<typeof MockOrigin>;
