import { z } from 'zod';

/** What there is in the user-data folder, in the order in which it is shown. */
export const StoredPart = z.enum([
  /** Settings, servers, the last email of each. */
  'settings',
  'tokens',
  'pin',
  /** Of the embedded service. */
  'accounts',
  'snapshots',
  'calls',
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
  /** All parts, also those of which there is nothing. */
  parts: z.array(z.object({ part: StoredPart, files: z.int(), bytes: z.int() })),
});
export type StorageOverview = z.infer<typeof StorageOverview>;
