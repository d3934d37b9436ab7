import type { CSSProperties } from 'react';

/**
 * How wide in pixels a pane of a pane is until the person makes it another. What they choose is about this window alone,
 * so it is in the page's own storage and not among the settings. Where there is no such storage, it is forgotten.
 */
export const defaultWidths = { calls: 560, dock: 432, report: 428 } as const;
export type PaneName = keyof typeof defaultWidths;

const keyOf = (pane: PaneName): string => `pane-${pane}`;

/** Returns the width in pixels that a person chose, else the usual one. */
export function loadPaneWidth(pane: PaneName): number {
  try {
    const stored = Number(localStorage.getItem(keyOf(pane)) ?? Number.NaN);
    return Number.isFinite(stored) && stored > 0 ? stored : defaultWidths[pane];
  } catch {
    return defaultWidths[pane];
  }
}

export function savePaneWidth(pane: PaneName, width: number): void {
  try {
    localStorage.setItem(keyOf(pane), String(Math.round(width)));
  } catch {
    // Only the width is lost.
  }
}

/** Gives the width of a pane to its styles. */
export const paneStyle = (width: number): CSSProperties & Record<'--pane', string> => ({ '--pane': `${width}px` });
