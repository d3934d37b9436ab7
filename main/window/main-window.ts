import { BrowserWindow, nativeTheme, screen } from 'electron';
import path from 'node:path';
import type { ConfigStore } from '../account/config/config-store.ts';
import type { StartupAppearance } from './startup-appearance.ts';
import { boundsOnScreen } from './window-bounds.ts';
import { zoomFactor } from './zoom-steps.ts';

const preload = path.join(import.meta.dirname, '../preload/index.cjs');
/** High enough for the longest form. */
const defaultSize = { width: 1120, height: 880 };

/** The window is hidden until its first frame is painted, and opens where it was closed. */
export function createMainWindow(options: { look: StartupAppearance; inspectable: boolean }): BrowserWindow {
  const { look, inspectable } = options;
  const remembered = look.bounds;
  const { workAreaSize } = screen.getPrimaryDisplay();
  const window = new BrowserWindow({
    width: Math.min(defaultSize.width, workAreaSize.width),
    height: Math.min(defaultSize.height, workAreaSize.height),
    ...(remembered && boundsOnScreen(remembered, screen.getDisplayMatching(remembered).workArea)),
    minWidth: 320,
    minHeight: 400,
    title: 'Llavero',
    show: false,
    autoHideMenuBar: true,
    // The canvas of `renderer/tokens.css`, so that a dark theme does not flash white before the first frame.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14171c' : '#f6f7f9',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      webviewTag: false,
      spellcheck: false,
      devTools: inspectable,
      zoomFactor: zoomFactor(look),
    },
  });
  if (remembered?.maximized) window.maximize();
  // Chromium stores a zoom level for each origin, which would override ours.
  window.webContents.once('dom-ready', () => window.webContents.setZoomFactor(zoomFactor(look)));
  return window;
}

export function saveBoundsOnClose(window: BrowserWindow, config: ConfigStore): void {
  window.on('close', () => {
    config.change({ window: { ...window.getNormalBounds(), maximized: window.isMaximized() } });
  });
}
