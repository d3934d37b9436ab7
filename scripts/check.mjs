import path from 'node:path';
import { runChild } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { build } from './build.mjs';

// 0 to 3 are said of a server: whatever goes wrong here is none of them.
const internal = 4;
let hasRun = false;
process.once('exit', (code) => {
  if (!hasRun && code !== 0) process.exitCode = internal;
});

const electron = await findElectron();
await ensureSystemPackages(electron.executable);
await build(['main']);

const entry = path.resolve(import.meta.dirname, '../dist/main/check.js');
const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
const code = await runChild(electron.executable, [entry, ...process.argv.slice(2)], { env, channel: true });
hasRun = true;
process.exitCode = code > internal ? internal : code;
