import path from 'node:path';
import { runChild } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

const electron = await findElectron();
await ensureSystemPackages(electron.executable);

// On Electron's own Node, which runs TypeScript as it stands: the service that ships, and nothing to build.
const entry = path.resolve(import.meta.dirname, '../test/prove/main.ts');
const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
process.exitCode = await runChild(electron.executable, [entry, ...process.argv.slice(2)], { env });
