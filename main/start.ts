import {
  app,
  clipboard,
  nativeTheme,
  Notification,
  powerMonitor,
  session as electronSession,
  type BrowserWindow,
} from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppState } from '../preload/contract/models.ts';
import { type Application, createApplication, type Ports } from './application.ts';
import { startBuiltIn } from './built-in-server/start-service.ts';
import { createSecretReferences } from './secrets/secret-references.ts';
import type { ResolveProxy } from './client/proxy-route.ts';
import type { CommandLine } from './commands/command-line.ts';
import { openConfig } from './config/open-config.ts';
import { createFileNotices } from './files/file-notices.ts';
import { notify, serveContract } from './ipc/serve.ts';
import { startAutoLock } from './lock/auto-lock.ts';
import { defaultPinCost, openPin } from './lock/pin.ts';
import { createLog } from './log.ts';
import { addContextMenu, type MenuActions, setApplicationMenu } from './menu.ts';
import { demoPerson } from './service/data/demo-person.ts';
import { linkIn, linkScheme } from './servers/environment-link.ts';
import { systemLanguage } from './system-language.ts';
import { createSystemCipher } from './vault/system-cipher.ts';
import { appOrigin, serveRenderer } from './windows/app-protocol.ts';
import { createMainWindow } from './windows/main-window.ts';
import { tellPresses } from './windows/presses.ts';
import { denyEverythingElse } from './windows/security.ts';
import { createDialogs } from './windows/system-dialogs.ts';
import { keepPicture } from './windows/window-picture.ts';
import { createZoom, type Zoom } from './windows/zoom.ts';

/** The start script puts this file beside the executable of a distribution that is not Electron's own. */
const thirdPartyMarker = 'llavero-third-party-electron.txt';

/** Milliseconds after which the window is shown although no page is loaded: hidden, it helps nobody. */
const SHOWN_WITHIN_MS = 3000;
/** Milliseconds after the page is loaded in which its first frame is there, unless Chromium does not tell of it. */
const FRAME_AFTER_LOAD_MS = 500;
/** Milliseconds that the first frame may take from when the window is shown, and those left to it afterwards. */
const FIRST_FRAME_WITHIN_MS = 3000;
const AFTER_FIRST_FRAME_MS = 100;

/**
 * Puts Electron and the application together, in the order in which a person needs them. It is called before Electron
 * is ready, and the files that the window needs are read meanwhile.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is a list in the order in which things must happen.
export async function start(commandLine: CommandLine): Promise<void> {
  const folder = app.getPath('userData');
  const links = collectLinks();
  const references = createSecretReferences();
  const log = createLog(path.join(folder, 'logs'), references.hide);
  // Electron would show a box with the stack, and while quitting it would wait for a press that nobody can see to make.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, log.report);
  const notices = createFileNotices();
  const [config, pin] = await Promise.all([
    openConfig(folder, notices, log.warn),
    openPin(path.join(folder, 'lock.json'), defaultPinCost, notices.tell),
  ]);
  await app.whenReady();

  const page = pageOf(commandLine);
  let window: BrowserWindow | undefined;
  let zoom: Zoom | undefined;
  /** Applies the settings that the window does not make of the state by itself. */
  function applySettings(): void {
    nativeTheme.themeSource = config.get().settings.theme;
    zoom?.apply();
    setApplicationMenu({
      language: state.get().language,
      settings: config.get().settings,
      inspectable: page.inspectable,
      actions: menuActions(
        application,
        () => zoom,
        () => window,
      ),
    });
  }
  const application = createApplication({
    about: aboutThis(),
    folder,
    config,
    pin,
    notices,
    references,
    log,
    clipboard,
    systemLanguage: systemLanguage(commandLine.language),
    cipher: createSystemCipher(folder),
    resolveProxy: createLazyProxyResolver(),
    notify: (name, payload) => notify(window?.webContents, name, payload),
    dialogs: createDialogs(() => window),
    startBuiltIn: () => startBuiltIn(path.join(folder, 'service.sqlite'), config.get().service, log),
    demoEmail: demoPerson.email,
    onSettings: applySettings,
    licenceFiles: ['.', '../renderer'].map((part) => path.join(import.meta.dirname, part, 'licences.json')),
    notifications: systemNotifications(() => window),
    exit: (code) => app.exit(code),
  });
  const { state, lock, person } = application;
  const autoLock = startAutoLock({ settings: () => config.get().settings, powerMonitor, lock });

  serveContract({
    handlers: application.handlers,
    trusted: () => window?.webContents,
    isOwnPage: page.isOwn,
    report: log.report,
    isLocked: state.isLocked,
  });
  nativeTheme.themeSource = config.get().settings.theme;
  await denyEverythingElse(page.mayLoad, log.warn, { offline: page.devServer === undefined });
  serveRenderer(path.join(import.meta.dirname, '../renderer'));
  const shown = createMainWindow({ pageUrl: page.url, config, inspectable: page.inspectable });
  window = shown;
  zoom = createZoom(shown, config);
  // What changes while the application ends is told to nobody: a window that was closed throws when it is asked.
  shown.once('closed', () => (window = undefined));
  tellPresses(shown, (press) => person.pressed(press));
  if (commandLine.virtualDisplay) keepPicture(shown, path.join(folder, 'window.png'));
  addContextMenu(shown, () => state.get().language);
  const canBeShown = frameOrLoad(shown);
  app.on('second-instance', (_event, args) => {
    bringToFront(shown);
    links.take(linkIn(args));
  });
  quitGracefully(async () => {
    autoLock.stop();
    await application.close();
  });

  await Promise.race([canBeShown, wait(SHOWN_WITHIN_MS, undefined, { ref: false })]);
  followScreenReader((screenReader) => state.set({ screenReader }));
  shown.show();
  applySettings();
  await beginAfterFirstFrame(application, commandLine).catch(log.report);
  links.take(commandLine.link);
  links.follow((link) => {
    if (window) bringToFront(window);
    void application.openLink(link).catch(log.report);
  });
  // The first login needs these, which are read while the person types.
  await Promise.all([import('./client/client.ts'), import('./client/transport.ts')]);
}

/** What the items of the native menu do. */
const menuActions = (
  { lock, person }: Application,
  zoom: () => Zoom | undefined,
  window: () => BrowserWindow | undefined,
): MenuActions => ({
  lock: () => void lock('by-hand'),
  askAgain: person.actedInMenu,
  zoom: { in: () => zoom()?.in(), out: () => zoom()?.out(), reset: () => zoom()?.reset() },
  command: (command) => notify(window()?.webContents, 'app.command', command),
});

/** Shows notifications of the system, a press on which brings the window to the front. */
const systemNotifications = (window: () => BrowserWindow | undefined): Ports['notifications'] => ({
  isFocused: () => window()?.isFocused() === true,
  show(text) {
    const notification = new Notification({ title: app.getName(), body: text });
    notification.on('click', () => {
      const shown = window();
      if (shown) bringToFront(shown);
    });
    notification.show();
  },
});

/**
 * Tells whether a program listens that reads the window to a person, now and whenever that changes. On Linux Chromium
 * finds it out with the first page, and never again.
 */
function followScreenReader(tell: (listens: boolean) => void): void {
  const ask = (): void => tell(app.getAccessibilitySupportFeatures().length > 0);
  app.on('accessibility-support-changed', ask);
  ask();
}

function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.focus();
}

/**
 * Makes the application the one that opens links `llavero://…`, and keeps those that come before there is a window. A
 * build for development is not registered: the system would start it without its arguments.
 */
function collectLinks() {
  const waiting: string[] = [];
  let follow: ((link: string) => void) | undefined;
  const take = (link: string | undefined): void => {
    if (link === undefined) return;
    if (follow) follow(link);
    else waiting.push(link);
  };
  // macOS tells of a link in this way, and may do so before the application is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    take(url);
  });
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  return {
    take,
    /** Follows what has waited, and from now on each link when it comes. */
    follow(next: (link: string) => void): void {
      follow = next;
      for (const link of waiting.splice(0)) next(link);
    },
  };
}

/**
 * Waits for the first frame of a hidden window. Now and then Chromium never tells of it, although the page is there
 * (electron/electron#7779, electron/electron#48859); then the loaded page counts.
 */
function frameOrLoad(window: BrowserWindow): Promise<void> {
  return new Promise((resolve) => {
    window.once('ready-to-show', resolve);
    window.webContents.once('did-finish-load', () => void wait(FRAME_AFTER_LOAD_MS).then(resolve));
  });
}

async function beginAfterFirstFrame(application: Application, { virtualDisplay }: CommandLine): Promise<void> {
  // `ready-to-show` comes with a frame that is still empty. A page that could not be read paints none.
  await Promise.race([application.firstFrame, wait(FIRST_FRAME_WITHIN_MS, undefined, { ref: false })]);
  // The first key must not wait behind the service's code, which takes the thread that passes keys on.
  await wait(AFTER_FIRST_FRAME_MS);
  // `serve` prints the same line, for scripts.
  void application.builtInStarted().then(({ status }) => {
    if (virtualDisplay && status.state === 'running') {
      process.stdout.write(`${JSON.stringify({ baseUrl: status.baseUrl })}\n`);
    }
  });
  await application.begin();
}

/** Returns where the page comes from, and what it may load. */
function pageOf({ developerTools }: CommandLine) {
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

function aboutThis(): Pick<AppState, 'version' | 'electron'> {
  const thirdParty = existsSync(path.join(path.dirname(process.execPath), thirdPartyMarker));
  return { version: app.getVersion(), electron: { version: process.versions.electron ?? '', thirdParty } };
}

/** Makes Electron's own resolver, which is loaded with the first question. */
function createLazyProxyResolver(): ResolveProxy {
  let resolver: Promise<ResolveProxy> | undefined;
  return async (origin, pacUrl) => {
    resolver ??= import('./network/proxy-resolver.ts').then(({ createProxyResolver }) =>
      createProxyResolver((partition) => electronSession.fromPartition(partition)),
    );
    return (await resolver)(origin, pacUrl);
  };
}

/** Ends on the window's close, on SIGINT and on SIGTERM alike, and lets the service finish what it is answering. */
function quitGracefully(close: () => Promise<void>): void {
  let closed = false;
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    void close().finally(() => {
      closed = true;
      // This must not happen within the promise: with a debugger attached, as in the tests, Electron would then never
      // end.
      setImmediate(() => app.quit());
    });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
}
