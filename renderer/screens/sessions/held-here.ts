import type { HeldSession } from '../../../preload/contract/models.ts';

/** The sessions that have not ended here. Of one that has, its server is still to be told. */
export const heldHere = (sessions: readonly HeldSession[]): HeldSession[] =>
  sessions.filter(({ state }) => state !== 'to-revoke');
