import { useState } from 'react';
import type { SessionInfo } from '../../../preload/contract/models.ts';

export interface SessionRowState {
  session: SessionInfo;
  /** Whether the session disappeared without a user action, since its server has confirmed the logout. */
  serverNotified: boolean;
}

/**
 * Returns the rows in the order in which they first appeared. A session that disappears without a user action keeps its
 * row, so that no other moves.
 * @param isActing whether a user action is running, which may remove rows
 */
export function useSessionRows(sessions: readonly SessionInfo[], isActing: boolean): readonly SessionRowState[] {
  const [seen, setSeen] = useState<readonly SessionInfo[]>();
  const [rows, setRows] = useState<readonly SessionRowState[]>([]);
  if (seen?.length === sessions.length && seen.every((each, at) => each === sessions[at])) return rows;
  const next = nextRows(rows, sessions, isActing);
  setSeen(sessions);
  setRows(next);
  return next;
}

export function nextRows(
  rows: readonly SessionRowState[],
  sessions: readonly SessionInfo[],
  isActing: boolean,
): readonly SessionRowState[] {
  const now = new Map(sessions.map((session) => [session.id, session]));
  const before = new Set(rows.map(({ session }) => session.id));
  const kept = rows.flatMap((row): SessionRowState[] => {
    const session = now.get(row.session.id);
    if (session) return [{ session, serverNotified: false }];
    return row.serverNotified || (row.session.logoutPending && !isActing)
      ? [{ session: row.session, serverNotified: true }]
      : [];
  });
  const added = sessions.filter(({ id }) => !before.has(id)).map((session) => ({ session, serverNotified: false }));
  return [...kept, ...added];
}
