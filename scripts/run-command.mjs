import path from 'node:path';
import { buildIfChanged } from './build.mjs';
import { runChild } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

// Builds the commands, if a source has changed, and runs the command that is named first, on Electron's own Node.
const [name = '', ...args] = process.argv.slice(2);

// The lower codes of a command say something of a server or a file; this one says that Llavero failed. `serve` answers
// nothing by its code.
const internal = name === 'serve' ? undefined : 4;
let hasRun = false;
process.once('exit', (code) => {
  if (!hasRun && code !== 0) process.exitCode = internal ?? code;
});

const electron = await findElectron();
await ensureSystemPackages(electron.executable);
await buildIfChanged(['cli', 'workers']);

const entry = path.resolve(import.meta.dirname, '../dist/cli/cli.js');
const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
const code = await runChild(electron.executable, [entry, name, ...args], { env, channel: true });
hasRun = true;
process.exitCode = internal === undefined ? code : Math.min(code, internal);
