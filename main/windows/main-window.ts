import { BrowserWindow, nativeTheme, screen } from 'electron';
import path from 'node:path';
import type { ConfigStore } from '../config/config.ts';

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
    ...(remembered && isOnScreen(remembered) ? remembered : {}),
    minWidth: 320,
    minHeight: 400,
    title: 'Llavero',
    show: false,
    autoHideMenuBar: true,
    // The page has these colours behind the first frame, so that a dark theme does not flash white.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#242424' : '#ffffff',
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

/** Says whether a place is on a screen. One that was unplugged since must not keep the window out of reach. */
function isOnScreen(bounds: { x: number; y: number; width: number; height: number }): boolean {
  const { workArea } = screen.getDisplayMatching(bounds);
  return (
    bounds.x < workArea.x + workArea.width &&
    bounds.x + bounds.width > workArea.x &&
    bounds.y >= workArea.y &&
    bounds.y < workArea.y + workArea.height
  );
}
