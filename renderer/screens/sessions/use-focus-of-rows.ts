import { type RefObject, useEffect, useRef } from 'react';
import type { HeldSession } from '../../../preload/contract/models.ts';

/** Gives the focus to a neighbour of a row that went away with it, or to the heading when no row is left. */
export function useFocusOfRows(listRef: RefObject<HTMLElement | null>, sessions: readonly HeldSession[]): void {
  /** The row that had the focus last, and where it stood. */
  const last = useRef<{ id: string; index: number } | undefined>(undefined);

  useEffect(() => {
    const list = listRef.current;
    const remember = (event: FocusEvent) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-session]') : null;
      const id = row?.dataset['session'];
      if (row && id !== undefined) last.current = { id, index: rowsIn(list).indexOf(row) };
    };
    list?.addEventListener('focusin', remember);
    return () => list?.removeEventListener('focusin', remember);
  }, [listRef]);

  useEffect(() => {
    const gone = last.current;
    if (!gone || sessions.some(({ id }) => id === gone.id)) return;
    last.current = undefined;
    // Somebody gave the focus to another element on purpose.
    if (document.activeElement !== document.body) return;
    const rows = rowsIn(listRef.current);
    const next = rows[gone.index] ?? rows.at(-1);
    (next?.querySelector('button') ?? document.querySelector<HTMLElement>('main h1'))?.focus();
  }, [listRef, sessions]);
}

const rowsIn = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-session]') ?? [])];
