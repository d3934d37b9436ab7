import type { CSSProperties } from 'react';

/**
 * Default widths of resizable panes in pixels. A chosen width concerns this window only, so it is in `localStorage` and
 * not in the settings. Without that storage it is lost.
 */
export const defaultWidths = { calls: 560, dock: 432, report: 428 } as const;
export type PaneName = keyof typeof defaultWidths;

const keyOf = (pane: PaneName): string => `pane-${pane}`;

/** Returns the stored width in pixels, else the default. */
export function loadPaneWidth(pane: PaneName): number {
  const stored = Number(localStorage.getItem(keyOf(pane)) ?? Number.NaN);
  return Number.isFinite(stored) && stored > 0 ? stored : defaultWidths[pane];
}

export function savePaneWidth(pane: PaneName, width: number): void {
  localStorage.setItem(keyOf(pane), String(Math.round(width)));
}

/** Passes the width of a pane to CSS. */
export const paneStyle = (width: number): CSSProperties & Record<'--pane', string> => ({ '--pane': `${width}px` });
