import { app, clipboard, nativeTheme, Notification, powerMonitor, session as electronSession } from 'electron';
import type { BrowserWindow } from 'electron';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Result } from '../preload/contract/result.ts';
import { builtInId } from './account/config/server-ids.ts';
import { startAutoLock } from './account/lock/auto-lock.ts';
import { createSystemCipher } from './account/vault/system-cipher.ts';
import { type Application, createApplication } from './application.ts';
import type { ResolveProxy } from './client/proxy-route.ts';
import type { CommandLine } from './commands/command-line.ts';
import type { InitialState } from './initial-state.ts';
import type { InitialPorts, Ports } from './ports.ts';
import { startBuiltIn } from './tools/local-servers/start-service.ts';
import { bringToFront } from './window/bring-to-front.ts';
import { createRequestHandler } from './window/ipc/handle-request.ts';
import { sendEvent } from './window/ipc/register-ipc-handlers.ts';
import type { LinkQueue } from './window/link-queue.ts';
import type * as Menus from './window/menu.ts';
import type { OpenedWindow } from './window/open-window.ts';
import { watchUserActivation } from './window/user-activation.ts';
import { createSystemDialogs } from './window/system-dialogs.ts';
import { createUpdateSource } from './window/updates/update-source.ts';
import type { Zoom } from './window/zoom.ts';

/** Milliseconds. */
const AFTER_FIRST_FRAME_MS = 100;

export type OpenApplication = {
  handleRequest: (name: string, input: unknown) => Promise<Result<unknown>>;
  /** Starts what can wait for the first frame, in the order in which the user needs it. */
  begin: () => Promise<void>;
  close: () => Promise<void>;
};

/** What the window has already when the application is loaded. */
type Opened = Pick<OpenedWindow, 'page'> & {
  commandLine: CommandLine;
  links: LinkQueue;
  window: () => BrowserWindow | undefined;
  zoom: Zoom;
  first: InitialState;
};

/** Creates the application with Electron's ports, around the state that the window shows already. */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is a list of what is Electron's.
export function openApplication(
  initialPorts: InitialPorts & Pick<Ports, 'folder' | 'secretRegistry' | 'log' | 'pin'>,
  { commandLine, links, page, window, zoom, first }: Opened,
): OpenApplication {
  const { config, folder, log } = initialPorts;
  const { state } = first;
  const language = (): string => state.get().language;
  let menus: typeof Menus | undefined;
  /** Applies the settings that do not reach the window by the state. */
  function applySettings(): void {
    autoLock.reschedule();
    nativeTheme.themeSource = config.get().settings.theme;
    zoom.apply();
    menus?.setApplicationMenu({
      language: language(),
      settings: config.get().settings,
      inspectable: page.inspectable,
      actions: menuActions(application, zoom, window),
    });
  }
  const toFront = (): void => {
    const opened = window();
    if (opened) bringToFront(opened);
  };
  const ports: Ports = {
    ...initialPorts,
    clipboard,
    cipher: createSystemCipher(folder),
    resolveProxy: createLazyProxyResolver(),
    dialogs: createSystemDialogs(window),
    startBuiltIn: () =>
      startBuiltIn(path.join(folder, 'service.sqlite'), {
        settings: config.get().service,
        accountCalls: config.get().servers.some(({ id, interface: described }) => id === builtInId && described),
        allowOrigins: () => config.get().allowedOrigins[builtInId] ?? [],
        log,
      }),
    onSettings: applySettings,
    licenceFiles: ['.', '../workers', '../renderer'].map((part) =>
      path.join(import.meta.dirname, part, 'licences.json'),
    ),
    notifications: systemNotifications(window, toFront, language),
    updates: createUpdateSource(),
    exit: (code) => app.exit(code),
    bringToFront: toFront,
  };
  const application = createApplication(ports, first);
  const { lock, prompts } = application;
  powerMonitor.on('resume', () => application.onResume());
  powerMonitor.on('suspend', () => application.onSuspend());
  const autoLock = startAutoLock({ settings: () => config.get().settings, powerMonitor, lock });

  async function begin(): Promise<void> {
    const shown = window();
    menus = await import('./window/menu.ts');
    if (shown && !shown.isDestroyed()) {
      watchUserActivation(shown, prompts.onUserActivation);
      menus.addContextMenu(shown, language);
    }
    applySettings();
    await beginAfterFirstFrame(application, commandLine).catch(log.report);
    links.take(commandLine.link);
    links.consume((link) => {
      toFront();
      void application.openLink(link).catch(log.report);
    });
    // The first login needs these, which are read while the person types.
    await Promise.all([import('./client/client.ts'), import('./client/transport.ts')]);
  }

  return {
    handleRequest: createRequestHandler({
      handlers: application.handlers,
      report: log.report,
      isLocked: state.isLocked,
    }),
    begin,
    async close() {
      autoLock.stop();
      await application.close();
    },
  };
}

const menuActions = (
  { lock, prompts }: Application,
  zoom: Zoom,
  window: () => BrowserWindow | undefined,
): Menus.MenuActions => ({
  lock: () => lock('by-hand'),
  allowPromptsAgain: prompts.onMenuActivation,
  zoom: { in: () => zoom.in(), out: () => zoom.out(), reset: () => zoom.reset() },
  command: (command) => sendEvent(window()?.webContents, 'app.command', command),
});

const systemNotifications = (
  window: () => BrowserWindow | undefined,
  toFront: () => void,
  language: () => string,
): Ports['notifications'] => ({
  isFocused: () => window()?.isFocused() === true,
  async show(what) {
    const { systemTexts } = await import('../preload/contract/locales/system-texts.ts');
    const body = systemTexts(language())(`notifications.${what}`);
    const notification = new Notification({ title: app.getName(), body });
    notification.on('click', toFront);
    notification.show();
  },
});

async function beginAfterFirstFrame(application: Application, { virtualDisplay }: CommandLine): Promise<void> {
  // The first key must not wait behind the service's code, which takes the thread that passes keys on.
  await wait(AFTER_FIRST_FRAME_MS);
  // `serve` prints the same line, for scripts.
  void application.builtInStarted().then(() => {
    const { builtIn } = application.state.get();
    if (virtualDisplay && builtIn.state === 'running') {
      process.stdout.write(`${JSON.stringify({ baseUrl: builtIn.baseUrl })}\n`);
    }
  });
  await application.begin();
}

/** Electron's own resolver, loaded with the first request. */
function createLazyProxyResolver(): ResolveProxy {
  let resolver: Promise<ResolveProxy> | undefined;
  return async (origin, pacUrl) => {
    resolver ??= import('./window/proxy-resolver.ts').then(({ createProxyResolver }) =>
      createProxyResolver((partition) => electronSession.fromPartition(partition)),
    );
    return (await resolver)(origin, pacUrl);
  };
}
