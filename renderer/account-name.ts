import type { HeldSession } from '../preload/contract/models.ts';

/** Returns the name of an account, or undefined where nothing of it would be seen. */
export const seenName = ({ name }: Pick<HeldSession, 'name'>): string | undefined =>
  name !== undefined && /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : undefined;
