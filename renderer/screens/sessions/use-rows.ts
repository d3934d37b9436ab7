import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { HeldSession } from '../../../preload/contract/models.ts';

/** A session as its row shows it. `isTold` says that it went away by itself, since its server was told of the logout. */
export interface SessionRowState {
  session: HeldSession;
  isTold: boolean;
}

/**
 * Returns the rows in the order in which they were first seen. One that goes away while the person does nothing stays
 * in its place, so that no other moves.
 * @param isActing whether something the person wished is under way, which may take rows away
 */
export function useRows(sessions: readonly HeldSession[], isActing: boolean): readonly SessionRowState[] {
  const [seen, setSeen] = useState<readonly HeldSession[]>();
  const [rows, setRows] = useState<readonly SessionRowState[]>([]);
  if (seen?.length === sessions.length && seen.every((each, at) => each === sessions[at])) return rows;
  const next = rowsAfter(rows, sessions, isActing);
  setSeen(sessions);
  setRows(next);
  return next;
}

/** Returns the rows that follow when the sessions have changed. */
export function rowsAfter(
  rows: readonly SessionRowState[],
  sessions: readonly HeldSession[],
  isActing: boolean,
): readonly SessionRowState[] {
  const now = new Map(sessions.map((session) => [session.id, session]));
  const before = new Set(rows.map(({ session }) => session.id));
  const kept = rows.flatMap((row): SessionRowState[] => {
    const session = now.get(row.session.id);
    if (session) return [{ session, isTold: false }];
    return row.isTold || (row.session.toldLater && !isActing) ? [{ session: row.session, isTold: true }] : [];
  });
  const added = sessions.filter(({ id }) => !before.has(id)).map((session) => ({ session, isTold: false }));
  return [...kept, ...added];
}

/**
 * Keeps the focus at a row whose buttons go away because its server was told by itself: the row itself gets it, and reads
 * what has happened.
 */
export function useFocusWhenTold<T extends HTMLElement>(isTold: boolean): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const row = ref.current;
    if (isTold && row?.contains(document.activeElement)) row.focus();
  }, [isTold]);
  return ref;
}
