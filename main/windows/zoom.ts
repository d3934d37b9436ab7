import type { BrowserWindow } from 'electron';
import { type ConfigStore, zoomBounds } from '../config/config.ts';

/** The sizes that one goes through, as browsers have them. */
const steps = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

/** How much larger the window is while it is shown to others. */
const whilePresenting = 1.25;

/** Returns the next size in a direction, or the same one at the end. */
export const nextZoom = (zoom: number, direction: 'in' | 'out'): number =>
  (direction === 'in' ? steps.find((step) => step > zoom + 0.01) : steps.findLast((step) => step < zoom - 0.01)) ??
  zoom;

/** Returns how large the page is shown. */
export function zoomFactor({ zoom, settings }: Pick<ReturnType<ConfigStore['get']>, 'zoom' | 'settings'>): number {
  return Math.min(zoom * (settings.presenting ? whilePresenting : 1), zoomBounds.most);
}

export type Zoom = ReturnType<typeof createZoom>;

/** Changes how large the page is shown, and remembers it. Ctrl with the wheel does the same as the menu. */
export function createZoom(window: BrowserWindow, config: ConfigStore) {
  const { webContents } = window;

  function apply(): void {
    if (!window.isDestroyed()) webContents.setZoomFactor(zoomFactor(config.get()));
  }

  function change(zoom: number): void {
    config.change({ zoom });
    apply();
  }

  const step = (direction: 'in' | 'out'): void => change(nextZoom(config.get().zoom, direction));
  webContents.on('zoom-changed', (_event, direction) => step(direction));
  // Chromium keeps a size of its own for each origin, which would win over ours.
  webContents.on('dom-ready', apply);

  return { apply, in: () => step('in'), out: () => step('out'), reset: () => change(1) };
}
