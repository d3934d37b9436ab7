import { app, type BrowserWindow, ipcMain, type IpcMainInvokeEvent, nativeTheme } from 'electron';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemLanguage } from './system-language.ts';
import { appOrigin, serveRenderer } from './app-protocol.ts';
import { readFrames, withFirstFrame } from './first-frame.ts';
import { firstLook } from './first-look.ts';
import { createMainWindow } from './main-window.ts';
import { denyEverythingElse } from './security.ts';

/** Milliseconds after which the window is shown although no page is loaded: hidden, it helps nobody. */
const SHOWN_WITHIN_MS = 3000;
/** Milliseconds after the page is parsed in which Chromium tells of its first frame, where it does: 2 to 30 were seen. */
const FRAME_AFTER_PAGE_MS = 50;

export type OpenedWindow = {
  window: BrowserWindow;
  page: ReturnType<typeof pageOf>;
  /** Whether its first frame is a log-in form that takes keys before any script is read. */
  hasForm: boolean;
  /** Resolves when it can be shown. */
  canBeShown: Promise<void>;
  /** Is told what a page was refused, from the moment that there is a log. */
  refused: { warn: (what: string) => void };
  /** Lets the page have its scripts, which wait where there is a form. */
  giveScripts: () => void;
  /** Gives the page's first question, for its state, to who can answer it. */
  answerFirst: (answer: Answer) => void;
};

type Answer = (event: IpcMainInvokeEvent, input: unknown) => unknown;

/**
 * Opens the window and asks for its page, before the application itself is read: that takes as long as Chromium needs
 * for the page. It imports nothing large.
 * @param options.language the one that the command line asks for
 */
export async function openWindow(options: {
  developerTools: boolean;
  language: string | undefined;
}): Promise<OpenedWindow> {
  const look = firstLook(app.getPath('userData'));
  await app.whenReady();
  const page = pageOf(options);
  nativeTheme.themeSource = look.theme;
  const refused: OpenedWindow['refused'] = { warn: () => undefined };
  const denied = denyEverythingElse(
    page.mayLoad,
    (what) => refused.warn(what),
    page.devServer === undefined ? undefined : (url) => isFrom(page.devServer, url),
  );
  const folder = path.join(import.meta.dirname, '../renderer');
  // Who listens would hear the form twice. On Linux Chromium knows of nobody before the first page, so it is there then.
  const isHeard = app.getAccessibilitySupportFeatures().length > 0;
  const spoken = look.server && !isHeard && page.devServer === undefined ? readFrames(folder) : {};
  const language = look.language === 'system' ? systemLanguage(options.language, Object.keys(spoken)) : look.language;
  const frames = spoken[language];
  const scripts = Promise.withResolvers<void>();
  let isFirstPage = true;
  const takeFirst = (): boolean => {
    const was = isFirstPage;
    isFirstPage = false;
    return was;
  };
  serveRenderer(
    folder,
    (html) =>
      // A page that is loaded anew has a state that is known.
      look.server && frames && takeFirst()
        ? withFirstFrame(html, frames, {
            server: look.server,
            language,
            scheme: nativeTheme.shouldUseDarkColors ? 'dark' : 'light',
            version: app.getVersion(),
          })
        : html,
    scripts.promise,
  );
  const first = Promise.withResolvers<Answer>();
  ipcMain.handle('app.state', async (event, input: unknown) => (await first.promise)(event, input));
  const window = createMainWindow({ look, inspectable: page.inspectable });
  const canBeShown = Promise.race([frameOrPage(window), wait(SHOWN_WITHIN_MS, undefined, { ref: false })]);
  const hasForm = frames !== undefined;
  if (!hasForm) scripts.resolve();
  await denied;
  // The page's own title names the screen.
  void window.loadURL(page.url);
  return { window, page, hasForm, canBeShown, refused, answerFirst: first.resolve, giveScripts: scripts.resolve };
}

/** Returns where the page comes from, and what it may load. */
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
