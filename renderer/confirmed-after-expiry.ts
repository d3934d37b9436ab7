import type { SessionInfo } from '../preload/contract/models.ts';

/** True if the server confirmed the session after its announced expiry. */
export const confirmedAfterExpiry = ({ end, checkedAt }: Pick<SessionInfo, 'end' | 'checkedAt'>): boolean =>
  end !== undefined && checkedAt !== undefined && Date.parse(checkedAt) >= Date.parse(end.at);
