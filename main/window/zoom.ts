import type { BrowserWindow } from 'electron';
import type { ConfigStore } from '../account/config/config.ts';
import { nextZoom, zoomFactor } from './zoom-steps.ts';

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
