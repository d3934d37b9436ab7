import type { CSSProperties } from 'react';

/**
 * How wide in pixels a pane of a room is until the person makes it another. What they choose is about this window alone,
 * so it is in the page's own storage and not among the settings. Where there is no such storage, it is forgotten.
 */
export const usualWidths = { calls: 560, dock: 432, report: 428 } as const;
export type SplitRoom = keyof typeof usualWidths;

const keyOf = (room: SplitRoom): string => `pane-${room}`;

/** Returns the width in pixels that a person chose, else the usual one. */
export function keptSplit(room: SplitRoom): number {
  try {
    const kept = Number(localStorage.getItem(keyOf(room)) ?? Number.NaN);
    return Number.isFinite(kept) && kept > 0 ? kept : usualWidths[room];
  } catch {
    return usualWidths[room];
  }
}

export function keepSplit(room: SplitRoom, width: number): void {
  try {
    localStorage.setItem(keyOf(room), String(Math.round(width)));
  } catch {
    // Only the width is lost.
  }
}

/** Gives the width of a pane to its styles. */
export const paneStyle = (width: number): CSSProperties & Record<'--pane', string> => ({ '--pane': `${width}px` });
