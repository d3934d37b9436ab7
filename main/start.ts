import {
  app,
  clipboard,
  nativeTheme,
  ipcMain,
  Notification,
  powerMonitor,
  session as electronSession,
  type BrowserWindow,
} from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { languages } from '../preload/contract/languages.ts';
import type { AppState } from '../preload/contract/models.ts';
import { type Application, createApplication, type Ports } from './application.ts';
import { startBuiltIn } from './built-in-server/start-service.ts';
import { createSecretReferences } from './secrets/secret-references.ts';
import type { ResolveProxy } from './client/proxy-route.ts';
import type { CommandLine } from './commands/command-line.ts';
import type { ConfigStore } from './config/config.ts';
import { openConfig } from './config/open-config.ts';
import { createFileNotices } from './files/file-notices.ts';
import { notify, serveContract } from './ipc/serve.ts';
import { startAutoLock } from './lock/auto-lock.ts';
import { defaultPinCost, openPin } from './lock/pin.ts';
import { createLog } from './log.ts';
import { addContextMenu, type MenuActions, setApplicationMenu } from './menu.ts';
import { demoPerson } from './service/data/demo-person.ts';
import { linkIn } from './servers/server-link.ts';
import { systemLanguage } from './windows/system-language.ts';
import { systemUpdates } from './updates/system-updates.ts';
import { createSystemCipher } from './vault/system-cipher.ts';
import type { Links } from './windows/links.ts';
import { rememberPlace } from './windows/main-window.ts';
import type { OpenedWindow } from './windows/open-window.ts';
import { tellPresses } from './windows/presses.ts';
import { restWhenQuiet } from './windows/rest.ts';
import { createDialogs } from './windows/system-dialogs.ts';
import { keepPicture } from './windows/window-picture.ts';
import { createZoom, type Zoom } from './windows/zoom.ts';

/** The start script puts this file beside the executable of a distribution that is not Electron's own. */
const thirdPartyMarker = 'llavero-third-party-electron.txt';

/** Milliseconds that the first frame may take from when the window is shown, and those left to it afterwards. */
const FIRST_FRAME_WITHIN_MS = 3000;
const AFTER_FIRST_FRAME_MS = 100;

/**
 * Puts Electron and the application together, in the order in which a person needs them. The window is open by then,
 * and the page waits for what is registered here.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is a list in the order in which things must happen.
export async function start(commandLine: CommandLine, links: Links, opened: OpenedWindow): Promise<void> {
  const { window: shown, page, canBeShown, refused } = opened;
  const folder = app.getPath('userData');
  const references = createSecretReferences();
  const log = createLog(path.join(folder, 'logs'), references.hide);
  refused.warn = log.warn;
  // Electron would show a box with the stack, and while quitting it would wait for a press that nobody can see to make.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, log.report);
  const notices = createFileNotices();
  const [config, pin] = await Promise.all([
    openConfig(folder, notices, log.warn),
    openPin(path.join(folder, 'lock.json'), defaultPinCost, notices.tell),
  ]);
  let window: BrowserWindow | undefined = shown.isDestroyed() ? undefined : shown;
  // What changes while the application ends is told to nobody: a window that was closed throws when it is asked.
  shown.once('closed', () => (window = undefined));

  const happened = restWhenQuiet(shown.webContents);
  let zoom: Zoom | undefined;
  /** Applies the settings that the window does not make of the state by itself. */
  function applySettings(): void {
    autoLock.look();
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
    systemLanguage: systemLanguage(commandLine.language, Object.keys(languages)),
    cipher: createSystemCipher(folder),
    resolveProxy: createLazyProxyResolver(),
    notify: (name, payload) => {
      happened();
      notify(window?.webContents, name, payload);
    },
    dialogs: createDialogs(() => window),
    startBuiltIn: () => startBuiltIn(path.join(folder, 'service.sqlite'), config.get().service, log),
    demoEmail: demoPerson.email,
    onSettings: applySettings,
    licenceFiles: ['.', '../renderer'].map((part) => path.join(import.meta.dirname, part, 'licences.json')),
    notifications: systemNotifications(() => window),
    updates: systemUpdates(),
    exit: (code) => app.exit(code),
  });
  const { state, lock, person } = application;
  powerMonitor.on('resume', () => application.wokeUp());
  const autoLock = startAutoLock({ settings: () => config.get().settings, powerMonitor, lock });

  serveContract({
    handlers: application.handlers,
    trusted: () => window?.webContents,
    isOwnPage: page.isOwn,
    report: log.report,
    isLocked: state.isLocked,
    answerFirst: opened.answerFirst,
  });
  nativeTheme.themeSource = config.get().settings.theme;
  zoom = createZoom(shown, config);
  zoom.apply();
  rememberPlace(shown, config);
  tellPresses(shown, person.pressed);
  if (commandLine.virtualDisplay) keepPicture(shown, path.join(folder, 'window.png'));
  addContextMenu(shown, () => state.get().language);
  app.on('second-instance', (_event, args) => {
    bringToFront(shown);
    links.take(linkIn(args));
  });
  quitGracefully(async () => {
    autoLock.stop();
    await application.close();
  });

  await canBeShown;
  followScreenReader((screenReader) => state.set({ screenReader }));
  shown.show();
  // `ready-to-show` comes with a frame that is still empty. A page that could not be read paints none.
  await Promise.race([application.firstFrame, wait(FIRST_FRAME_WITHIN_MS, undefined, { ref: false })]);
  applySettings();
  await beginAfterFirstFrame(application, config, commandLine).catch(log.report);
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

async function beginAfterFirstFrame(
  application: Application,
  config: ConfigStore,
  { virtualDisplay }: CommandLine,
): Promise<void> {
  // The first key must not wait behind the service's code, which takes the thread that passes keys on.
  await wait(AFTER_FIRST_FRAME_MS);
  await config.open();
  // electron-store listens too, and would tell any page where the profile lies.
  ipcMain.removeAllListeners();
  // `serve` prints the same line, for scripts.
  void application.builtInStarted().then(({ status }) => {
    if (virtualDisplay && status.state === 'running') {
      process.stdout.write(`${JSON.stringify({ baseUrl: status.baseUrl })}\n`);
    }
  });
  await application.begin();
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
