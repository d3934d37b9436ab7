import { app, nativeTheme, type BrowserWindow } from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { AppState } from '../preload/contract/models.ts';
import { findDeepLink } from './account/servers/link-scheme.ts';
import { SecretRegistry } from './client/secrets/secret-registry.ts';
import type { CommandLine } from './commands/command-line.ts';
import { createFileNotices } from './files/file-notices.ts';
import { createLog } from './files/log.ts';
import { createInitialState } from './initial-state.ts';
import type { OpenApplication } from './open-application.ts';
import type { Ports } from './ports.ts';
import { previewState } from './preview-state.ts';
import { demoUser } from './service/data/demo-user.ts';
import { bringToFront } from './window/bring-to-front.ts';
import { sendEvent, registerIpcHandlers } from './window/ipc/register-ipc-handlers.ts';
import type { LinkQueue } from './window/link-queue.ts';
import { saveBoundsOnClose } from './window/main-window.ts';
import type { OpenedWindow } from './window/open-window.ts';
import { releaseMemoryWhenIdle } from './window/release-memory.ts';
import { saveWindowScreenshots } from './window/window-screenshots.ts';
import { createZoom } from './window/zoom.ts';

/** The start script puts this file beside the executable of a distribution that is not Electron's own. */
const thirdPartyMarker = 'llavero-third-party-electron.txt';

/** Milliseconds that the first frame may take from when the window is shown. */
const FIRST_FRAME_WITHIN_MS = 3000;

/**
 * Returns the first state to the page, and loads the application once that is painted. The window is open and waits, so
 * nothing is imported that the first state does not need.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- The order of these steps matters.
export async function start(commandLine: CommandLine, links: LinkQueue, opened: OpenedWindow): Promise<void> {
  const { window: shown, page, systemLanguage, readyToShow, blockedRequests } = opened;
  const folder = app.getPath('userData');
  const secretRegistry = new SecretRegistry();
  const log = createLog(path.join(folder, 'logs'), (text) => secretRegistry.mask(text));
  blockedRequests.warn = log.warn;
  // Electron would show a dialog with the stack, and while quitting it would wait for it invisibly.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, log.report);
  const about = readVersions();
  const demoEmail = demoUser.email;
  let preview = previewState(folder, { about, systemLanguage, demoEmail });
  let window: BrowserWindow | undefined = shown.isDestroyed() ? undefined : shown;
  // A closed window throws, so changes while quitting are not sent.
  shown.once('closed', () => (window = undefined));
  const onActivity = releaseMemoryWhenIdle(shown.webContents);
  const notify: Ports['notify'] = (name, payload) => {
    onActivity();
    sendEvent(window?.webContents, name, payload);
  };

  const painted = Promise.withResolvers<void>();
  const quitting = Promise.withResolvers<void>();
  // A page that failed to load paints nothing.
  const late = readyToShow.then(() => wait(FIRST_FRAME_WITHIN_MS, undefined, { ref: false }));
  /** Until the page has painted, main's thread is the page's. */
  const pageIsDone = Promise.race([painted.promise, late, quitting.promise]);
  registerIpcHandlers({
    first: {
      state: async () => ({ ok: true, value: preview ?? (await files).first.state.shown() }),
      painted() {
        painted.resolve();
        return { ok: true, value: {} };
      },
    },
    rest: async (name, input) => (await application).handleRequest(name, input),
    trusted: () => window?.webContents,
    isOwnPage: page.isOwn,
    answerFirst: opened.setStateHandler,
  });
  if (commandLine.virtualDisplay) saveWindowScreenshots(shown, path.join(folder, 'window.png'));
  app.on('second-instance', (_event, args) => {
    bringToFront(shown);
    links.take(findDeepLink(args));
  });
  quitGracefully(async () => {
    quitting.resolve();
    await (await application).close();
  });
  const files = openFiles();
  const application = loadApplication();

  /** Validates the files, before anything but a preview of them is shown, sent or written. */
  async function openFiles() {
    if (preview) await pageIsDone;
    const [{ openConfig }, { openPinFile, defaultPinCost }] = await Promise.all([
      import('./account/config/open-config.ts'),
      import('./account/lock/pin.ts'),
    ]);
    const notices = createFileNotices();
    const [config, pin] = await Promise.all([
      openConfig(folder, notices, log.warn),
      openPinFile(path.join(folder, 'lock.json'), defaultPinCost, notices.add),
    ]);
    const ports = { folder, secretRegistry, log, about, config, pin, notices, systemLanguage, demoEmail, notify };
    const first = createInitialState(ports);
    const isSame = preview === undefined || isDeepStrictEqual(first.state.shown(), preview);
    preview = undefined;
    // Of a state that nothing had validated, the page may not have rendered.
    if (!isSame) window?.webContents.reload();
    nativeTheme.themeSource = config.get().settings.theme;
    const zoom = createZoom(shown, config);
    zoom.apply();
    if (window) saveBoundsOnClose(window, config);
    return { ports, first, zoom };
  }

  async function loadApplication(): Promise<OpenApplication> {
    const { ports, ...opening } = await files;
    await pageIsDone;
    const { openApplication } = await import('./open-application.ts');
    return openApplication(ports, { commandLine, links, page, window: () => window, ...opening });
  }

  await readyToShow;
  watchScreenReader(
    painted.promise,
    (screenReader) => void files.then(({ first }) => first.state.set({ screenReader })),
  );
  // `ready-to-show` comes with a frame that is still empty.
  shown.show();
  await (await application).begin();
}

/** On Linux Chromium detects a screen reader some 60 ms after the window is shown, without an event. */
function watchScreenReader(painted: Promise<unknown>, onChange: (isActive: boolean) => void): void {
  const check = (): void => onChange(app.getAccessibilitySupportFeatures().length > 0);
  app.on('accessibility-support-changed', check);
  app.on('browser-window-focus', check);
  void painted.then(check);
  check();
}

function readVersions(): Pick<AppState, 'version' | 'electron'> {
  const thirdParty = existsSync(path.join(path.dirname(process.execPath), thirdPartyMarker));
  return { version: app.getVersion(), electron: { version: process.versions.electron ?? '', thirdParty } };
}

/** Quits when the window is closed and on signals, after the service has answered what it has received. */
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
