import type { SessionInfo } from '../../../preload/contract/models.ts';
import type { AppError, Result } from '../../../preload/contract/result.ts';
import type { During } from '../../error-text.ts';
import { createStore } from '../../store.ts';

export type SessionAction = 'use' | 'check' | 'logout' | 'retry' | 'giveUp' | 'forget';

interface SessionActions {
  running: readonly { id: string; action: SessionAction }[];
  /** The last failure, and the session that it is shown at. */
  failure?: { id: string; error: AppError; during: During } | undefined;
}

/** Actions of single sessions in progress. A server may respond late, so several may run at the same time. */
export const sessionActions = createStore<SessionActions>({ running: [] });

/** Sessions without those whose logout the server has yet to confirm. */
export const loggedInSessions = (sessions: readonly SessionInfo[]): SessionInfo[] =>
  sessions.filter(({ state }) => state !== 'to-revoke');

/** Returns true on success. The same action for the same session is not started twice. */
export async function runSessionAction(
  id: string,
  action: SessionAction,
  call: () => Promise<Result<unknown>>,
): Promise<boolean> {
  const { running } = sessionActions.current();
  if (running.some((each) => each.id === id && each.action === action)) return false;
  const entry = { id, action };
  sessionActions.set({ running: [...running, entry] });
  const result = await call();
  const { running: now, failure: earlier } = sessionActions.current();
  // A logout aborts a check, and the user may cancel either: no failure to show.
  const failure: SessionActions['failure'] =
    result.ok || result.error.kind === 'cancelled'
      ? earlier
      : { id, error: result.error, during: action === 'logout' || action === 'retry' ? 'logout' : 'check' };
  sessionActions.set({ running: now.filter((each) => each !== entry), failure });
  return result.ok;
}

export const clearSessionFailure = (): void => sessionActions.set({ ...sessionActions.current(), failure: undefined });
