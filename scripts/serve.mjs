import path from 'node:path';
import { runChild } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { build } from './build.mjs';

const electron = await findElectron();
await ensureSystemPackages(electron.executable);
await build(['main']);

const entry = path.resolve(import.meta.dirname, '../dist/main/serve.js');
const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
process.exitCode = await runChild(electron.executable, [entry, ...process.argv.slice(2)], { env, channel: true });
