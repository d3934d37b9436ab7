import type { BrowserWindow } from 'electron';
import type { ConfigStore } from '../account/config/config.ts';
import { nextZoom, zoomFactor } from './zoom-steps.ts';

export type Zoom = ReturnType<typeof createZoom>;

/** The zoom of the page, which is stored in the config. Ctrl with the wheel does the same as the menu. */
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
  // Chromium stores a zoom level for each origin, which would override ours.
  webContents.on('dom-ready', apply);

  return { apply, in: () => step('in'), out: () => step('out'), reset: () => change(1) };
}
