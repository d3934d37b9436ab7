import type { ExpiryState } from '../../../preload/contract/models.ts';
import type { StoredSession } from '../config/config.ts';

const minuteMs = 60_000;
/** An end is near so long before it, or a quarter of the whole session if that is shorter. */
const nearMs = 5 * minuteMs;

/** What says when a session ends. */
export type SessionTimes = Pick<StoredSession, 'end' | 'madeAt' | 'renewedAt' | 'checkedAt' | 'loggedOutAt'>;

/**
 * Returns the moments at which the end of a session comes near and is past; none where nothing said when it ends, or where
 * the server confirmed it after that.
 */
export function expiryTimes({
  end,
  madeAt,
  renewedAt,
  checkedAt,
  loggedOutAt,
}: SessionTimes): { soon: number; over: number } | undefined {
  if (!end || loggedOutAt !== undefined) return undefined;
  const over = Date.parse(end.at);
  if (over <= Date.parse(checkedAt ?? '')) return undefined;
  const length = over - Date.parse(renewedAt ?? madeAt ?? '');
  return { soon: over - (length > 0 ? Math.min(nearMs, length / 4) : nearMs), over };
}

/** Says whether the end of a session is near or past, by the clock of this computer. */
export function expiryState(session: SessionTimes, now: number): ExpiryState | undefined {
  const moments = expiryTimes(session);
  if (!moments || now < moments.soon) return undefined;
  return now < moments.over ? 'soon' : 'over';
}
