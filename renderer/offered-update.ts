import type { Update, UpdateStatus } from '../preload/contract/updates.ts';

/** A status with a newer version in it. */
export type OfferedUpdate = Extract<UpdateStatus, { update: Update }>;

/** Returns the newer version that is announced, downloaded or ready. */
export const offeredUpdate = (updates: UpdateStatus): OfferedUpdate | undefined =>
  'update' in updates ? updates : undefined;
