import { z } from 'zod';

/** A part of what is in the user-data folder, in the order in which the screen shows them. */
export const StoredPart = z.enum([
  /** The settings, the servers, and the last email at each server. */
  'settings',
  'tokens',
  'pin',
  /** The database of the built-in server. */
  'accounts',
  /** The copies of that database. */
  'snapshots',
  /** The models of doubles, their comparisons and their accounts. */
  'doubles',
  'calls',
  /** The reports of contract runs. */
  'reports',
  'logs',
  /** Files that could not be used as they were. */
  'set-aside',
  /** The picture of the window, on a computer without a display. */
  'picture',
  /** What Chromium keeps for itself. */
  'browser',
]);
export type StoredPart = z.infer<typeof StoredPart>;

export const StorageOverview = z.object({
  folder: z.string(),
  /** All parts are listed, also those that have no file. */
  parts: z.array(z.object({ part: StoredPart, files: z.int(), bytes: z.int() })),
});
export type StorageOverview = z.infer<typeof StorageOverview>;
