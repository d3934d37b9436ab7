import type { Update, UpdateStatus } from '../preload/contract/about.ts';

export type OfferedUpdate = Extract<UpdateStatus, { update: Update }>;

export const offeredUpdate = (updates: UpdateStatus): OfferedUpdate | undefined =>
  'update' in updates ? updates : undefined;
