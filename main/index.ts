import { app } from 'electron';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseCommandLine } from './command-line.ts';
import { registerAppScheme } from './windows/app-protocol.ts';

const commandLine = parseCommandLine(process.argv.slice(app.isPackaged ? 1 : 2));

const { verb, verbArguments } = commandLine;

/** Commands end by themselves: they take the signals that would end the application on the spot. */
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

if (verb === 'serve') {
  withoutWindow(async () => (await import('./service/serve-command.ts')).runServe(verbArguments));
} else if (verb === 'check') {
  withoutWindow(async () => (await import('./conformance/check-command.ts')).runCheck(verbArguments, app.getVersion()));
} else if (app.commandLine.getSwitchValue('ozone-platform') === 'headless') {
  process.stderr.write('A window needs a display: without one there are only the commands serve and check.\n');
  app.exit(2);
} else {
  // Before anything asks for it; Chromium alone would only move its own part of the profile.
  if (commandLine.userDataDir) app.setPath('userData', path.resolve(commandLine.userDataDir));
  mkdirSync(app.getPath('userData'), { recursive: true, mode: 0o700 });
  if (app.requestSingleInstanceLock()) {
    registerAppScheme();
    // No top-level await: an ESM main file that waits for `ready` keeps it from coming. Our code is read meanwhile.
    Promise.all([import('./start.ts'), app.whenReady()])
      .then(([{ start }]) => start(commandLine))
      .catch((error: unknown) => {
        // A fault of ours, before there is a window to show it in.
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        app.exit(1);
      });
  } else {
    app.quit();
  }
}
