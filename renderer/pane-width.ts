import type { CSSProperties } from 'react';

/**
 * How wide in pixels a pane of a room is until the person makes it another. What they choose is about this window alone,
 * so it is in the page's own storage and not among the settings. Where there is no such storage, it is forgotten.
 */
export const defaultWidths = { calls: 560, dock: 432, report: 428 } as const;
export type PaneName = keyof typeof defaultWidths;

const keyOf = (room: PaneName): string => `pane-${room}`;

/** Returns the width in pixels that a person chose, else the usual one. */
export function loadPaneWidth(room: PaneName): number {
  try {
    const kept = Number(localStorage.getItem(keyOf(room)) ?? Number.NaN);
    return Number.isFinite(kept) && kept > 0 ? kept : defaultWidths[room];
  } catch {
    return defaultWidths[room];
  }
}

export function savePaneWidth(room: PaneName, width: number): void {
  try {
    localStorage.setItem(keyOf(room), String(Math.round(width)));
  } catch {
    // Only the width is lost.
  }
}

/** Gives the width of a pane to its styles. */
export const paneStyle = (width: number): CSSProperties & Record<'--pane', string> => ({ '--pane': `${width}px` });
