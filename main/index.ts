import { app } from 'electron';
import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  type CommandLine,
  commandSummaries,
  parseCommandLine,
  refusedSwitches,
  formatRefusedSwitches,
} from './commands/command-line.ts';
import { registerAppScheme } from './window/app-protocol.ts';
import { createLinkQueue } from './window/link-queue.ts';
import { openWindow } from './window/open-window.ts';

const args = process.argv.slice(app.isPackaged ? 1 : 2);
const commandLine = parseCommandLine(args);
const { verb, verbArguments } = commandLine;
// Electron turns its sandbox off when this variable is set.
const isUnboxed = verb === 'window' && process.env['ELECTRON_DISABLE_SANDBOX'] !== undefined;
// Development and tests take every switch, since they run as root and drive the window.
const refused = app.isPackaged ? [...refusedSwitches(args), ...(isUnboxed ? ['ELECTRON_DISABLE_SANDBOX'] : [])] : [];

/**
 * GTK, which shows native menus and dialogs, would ask OpenGL about the display, and load it with its compiler. The
 * programs that we start, such as a browser, get the environment as it was.
 */
function leaveDrawingToChromium(): void {
  if (process.platform !== 'linux' || process.env['GDK_GL'] !== undefined) return;
  process.env['GDK_GL'] = 'disable';
  void app.whenReady().then(() => delete process.env['GDK_GL']);
}

/** What each of them runs is read only when it is asked for. */
const verbs: Record<Exclude<CommandLine['verb'], 'window'>, () => Promise<number>> = {
  serve: async () => (await import('./commands/serve-command.ts')).runServe(verbArguments),
  check: async () => (await import('./commands/check-command.ts')).runCheck(verbArguments, app.getVersion()),
  mock: async () => (await import('./commands/mock-command.ts')).runMock(verbArguments, app.getVersion()),
  describe: async () => (await import('./commands/describe-command.ts')).runDescribe(verbArguments),
  help: async () => (await import('./commands/usage.ts')).printUsage(),
  version: async () => (await import('./commands/usage.ts')).printVersion(app.getVersion()),
};

/** Runs a command, which ends by itself: it takes the signals that would end the application on the spot. */
function withoutWindow(command: () => Promise<number>): void {
  app.dock?.hide();
  app.on('before-quit', (event) => {
    event.preventDefault();
    process.emit('SIGTERM');
  });
  void command().then(
    (code) => app.exit(code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      app.exit(4);
    },
  );
}

if (refused.length > 0) {
  process.stderr.write(`${formatRefusedSwitches(refused, process.env['APPIMAGE'] !== undefined)}\n`);
  app.exit(2);
} else if (app.isPackaged && verb === 'window' && commandLine.unknown !== undefined) {
  process.stderr.write(`Unknown command "${commandLine.unknown}". Use llavero --help to list the commands.\n`);
  app.exit(2);
} else if (verb !== 'window') {
  withoutWindow(verbs[verb]);
} else if (app.commandLine.getSwitchValue('ozone-platform') === 'headless') {
  process.stderr.write(
    `A window needs a display: without one there are only the commands ${Object.keys(commandSummaries).join(', ')}.\n`,
  );
  app.exit(2);
} else {
  const folder = prepareFolder(commandLine.userDataDir);
  if ('error' in folder) {
    void import('./window/exit-without-data-folder.ts').then(({ exitWithoutDataFolder }) =>
      exitWithoutDataFolder(commandLine, folder.error),
    );
  } else if (!folder.isWritable || app.requestSingleInstanceLock()) {
    // A folder that cannot be written holds no lock either, and needs none: nothing of it will change.
    registerAppScheme();
    // Hints in a page would ask a name server, which no policy forbids.
    app.commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false');
    leaveDrawingToChromium();
    // Without the name that electron-builder gives to the installed shortcut, Windows shows no notification as Llavero's:
    // https://www.electron.build/configuration/nsis.html#guid-vs-application-name
    if (process.platform === 'win32') app.setAppUserModelId('app.llavero.desktop');
    const links = createLinkQueue();
    // There is no await at top level: an ESM main file that waits for `ready` keeps it from coming.
    openWindow(commandLine)
      .then(async (opened) => {
        const { start } = await import('./start.ts');
        await start(commandLine, links, opened);
      })
      .catch((error: unknown) => {
        // This is a fault of ours, before there is a window to show it in.
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        app.exit(1);
      });
  } else {
    app.quit();
  }
}

/** Makes the folder for what the application keeps, if need be, and says whether it can be written. */
function prepareFolder(chosen: string | undefined): { isWritable: boolean } | { error: unknown } {
  let folder: string;
  try {
    // This comes before anything asks for the folder. Chromium alone would only move its own part of the profile.
    if (chosen) app.setPath('userData', path.resolve(chosen));
    folder = app.getPath('userData');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    return { error };
  }
  try {
    accessSync(folder, constants.W_OK);
    return { isWritable: true };
  } catch {
    return { isWritable: false };
  }
}
