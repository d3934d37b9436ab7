import { app, type BrowserWindow, ipcMain, type IpcMainInvokeEvent, nativeTheme } from 'electron';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { languageNames } from '../../preload/contract/locales/languages.ts';
import { appOrigin, serveRenderer } from './app-protocol.ts';
import { createMainWindow } from './main-window.ts';
import { readStartupAppearance } from './startup-appearance.ts';
import { hardenSession } from './harden-session.ts';
import { resolveLanguage } from './system-language.ts';

/** Milliseconds after which the window is shown although no page is loaded. */
const SHOWN_WITHIN_MS = 3000;
/** Milliseconds between the parsed page and the first frame: 2 to 30 were measured. */
const FRAME_AFTER_PAGE_MS = 50;

export type OpenedWindow = {
  window: BrowserWindow;
  page: ReturnType<typeof pageOf>;
  /** The language where the settings have none. */
  systemLanguage: string;
  /** Resolves when it can be shown. */
  readyToShow: Promise<void>;
  /** `warn` is set once there is a log. */
  blockedRequests: { warn: (what: string) => void };
  /** Sets the handler of the page's first call, `app.state`. */
  setStateHandler: (answer: Answer) => void;
};

type OpenOptions = { developerTools: boolean; language?: string | undefined };

type Answer = (event: IpcMainInvokeEvent, id: unknown, input: unknown) => unknown;

/**
 * Opens the window and loads its page before the application itself is loaded, which takes as long as Chromium needs for
 * the page. It imports nothing large.
 */
export async function openWindow(options: OpenOptions): Promise<OpenedWindow> {
  const look = readStartupAppearance(app.getPath('userData'));
  await app.whenReady();
  const page = pageOf(options);
  nativeTheme.themeSource = look.theme;
  const blockedRequests: OpenedWindow['blockedRequests'] = { warn: () => undefined };
  const denied = hardenSession(
    page.mayLoad,
    (what) => blockedRequests.warn(what),
    page.devServer === undefined ? undefined : (url) => isFrom(page.devServer, url),
  );
  const languages = Object.keys(languageNames);
  const systemLanguage = resolveLanguage(options.language, languages);
  const language = languages.find((each) => each === look.language) ?? systemLanguage;
  serveRenderer(path.join(import.meta.dirname, '../renderer'), language);
  const first = Promise.withResolvers<Answer>();
  ipcMain.handle('app.state', async (event, id: unknown, input: unknown) => (await first.promise)(event, id, input));
  const window = createMainWindow({ look, inspectable: page.inspectable });
  const readyToShow = Promise.race([frameOrPage(window), wait(SHOWN_WITHIN_MS, undefined, { ref: false })]);
  await denied;
  // The page's own title names the screen.
  void window.loadURL(page.url);
  return { window, page, systemLanguage, readyToShow, blockedRequests, setStateHandler: first.resolve };
}

function pageOf({ developerTools }: { developerTools: boolean }) {
  const devServer = app.isPackaged ? undefined : process.env['LLAVERO_DEV_SERVER'];
  const isOwn = (url: string): boolean => isFrom(appOrigin, url) || isFrom(devServer, url);
  return {
    devServer,
    url: devServer ?? `${appOrigin}/`,
    inspectable: !app.isPackaged || developerTools,
    isOwn,
    mayLoad: (url: string): boolean => isOwn(url) || isFrom(devServer?.replace('http', 'ws'), url),
  };
}

function isFrom(origin: string | undefined, url: string): boolean {
  return origin !== undefined && (url === origin || url.startsWith(`${origin}/`));
}

/**
 * Waits for the first frame of a hidden window. At one start of four Chromium makes none before the window is shown
 * (electron/electron#7779, electron/electron#48859); then the parsed page counts. The window has the page's colour until
 * its frame is there.
 */
function frameOrPage(window: BrowserWindow): Promise<void> {
  return new Promise((resolve) => {
    window.once('ready-to-show', resolve);
    window.webContents.once('dom-ready', () => void wait(FRAME_AFTER_PAGE_MS).then(resolve));
  });
}
