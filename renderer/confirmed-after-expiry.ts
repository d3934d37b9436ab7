import type { HeldSession } from '../preload/contract/models.ts';

/** Says whether the server confirmed a session after the end that was said of it. */
export const confirmedAfterExpiry = ({ end, checkedAt }: Pick<HeldSession, 'end' | 'checkedAt'>): boolean =>
  end !== undefined && checkedAt !== undefined && Date.parse(checkedAt) >= Date.parse(end.at);
