import path from 'node:path';
import { runChild, say } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { displayIfNone, hasDisplay } from './virtual-display.mjs';
import { buildIfChanged } from './build.mjs';
import { sandboxArguments } from './sandbox.mjs';

const electron = await findElectron();
await ensureSystemPackages(electron.executable, { display: !hasDisplay() });
await buildIfChanged();

const display = await displayIfNone();
if (display) say('The window is written to window.png in the user-data folder. Ctrl-C ends the application.');
const args = [
  path.resolve(import.meta.dirname, '..'),
  ...sandboxArguments(),
  ...(display ? ['--disable-gpu', '--virtual-display'] : []),
  ...process.argv.slice(2),
];
process.exitCode = await runChild(electron.executable, args, { env: { ...process.env, ...display?.env } });
display?.close();
