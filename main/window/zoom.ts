import type { BrowserWindow } from 'electron';
import type { ConfigStore } from '../account/config/config-store.ts';
import { nextZoom, zoomFactor } from './zoom-steps.ts';

export type Zoom = ReturnType<typeof createZoom>;

/** The zoom of the page, which is stored in the config. Ctrl with the wheel does the same as the menu. */
export function createZoom(window: BrowserWindow, config: ConfigStore) {
  function apply(): void {
    if (!window.isDestroyed()) window.webContents.setZoomFactor(zoomFactor(config.get()));
  }

  function change(zoom: number): void {
    config.change({ zoom });
    apply();
  }

  const step = (direction: 'in' | 'out'): void => change(nextZoom(config.get().zoom, direction));
  if (!window.isDestroyed()) {
    window.webContents.on('zoom-changed', (_event, direction) => step(direction));
    // Chromium stores a zoom level for each origin, which would override ours.
    window.webContents.on('dom-ready', apply);
  }

  return { apply, in: () => step('in'), out: () => step('out'), reset: () => change(1) };
}
