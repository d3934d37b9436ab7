import path from 'node:path';
import { build } from './build.mjs';
import { runChild } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { displayIfNone, hasDisplay } from './virtual-display.mjs';

const args = process.argv.slice(2);
// Only the application's figures need a window; those of the service need nothing built either.
const needsWindow = !args.includes('--quick') && !args.includes('--help');

const electron = await findElectron();
await ensureSystemPackages(electron.executable, { display: needsWindow && !hasDisplay() });
if (needsWindow) await build();
const display = needsWindow ? await displayIfNone() : undefined;

const entry = path.resolve(import.meta.dirname, '../test/bench/run.ts');
const env = { ...process.env, ...display?.env, ELECTRON_RUN_AS_NODE: '1' };
process.exitCode = await runChild(electron.executable, [entry, ...args], { env });
display?.close();
