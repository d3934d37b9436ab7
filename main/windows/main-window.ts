import { BrowserWindow, nativeTheme, screen } from 'electron';
import path from 'node:path';
import type { ConfigStore } from '../config/config.ts';
import { placeOnScreen } from './window-place.ts';
import { zoomFactor } from './zoom-steps.ts';

const preload = path.join(import.meta.dirname, '../preload/index.cjs');
/** It is high enough for the longest form, if the screen is. */
const defaultSize = { width: 1000, height: 880 };

/** Makes the application's one window. It is hidden until its first frame is painted, and opens where it was closed. */
export function createMainWindow(options: {
  pageUrl: string;
  config: ConfigStore;
  inspectable: boolean;
}): BrowserWindow {
  const { pageUrl, config, inspectable } = options;
  const remembered = config.get().window;
  const { workAreaSize } = screen.getPrimaryDisplay();
  const window = new BrowserWindow({
    width: Math.min(defaultSize.width, workAreaSize.width),
    height: Math.min(defaultSize.height, workAreaSize.height),
    ...(remembered && placeOnScreen(remembered, screen.getDisplayMatching(remembered).workArea)),
    minWidth: 320,
    minHeight: 400,
    title: 'Llavero',
    show: false,
    autoHideMenuBar: true,
    // They are the canvas of `renderer/tokens.css`, so that a dark theme does not flash white before the first frame.
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
      zoomFactor: zoomFactor(config.get()),
    },
  });
  if (remembered?.maximized) window.maximize();
  window.on('close', () => {
    config.change({ window: { ...window.getNormalBounds(), maximized: window.isMaximized() } });
  });
  // The page's own title names the screen.
  void window.loadURL(pageUrl);
  return window;
}
