import path from 'node:path';
import { build, buildIfChanged } from './build.mjs';
import { runChild } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { allFrameworks } from './frameworks.mjs';
import { neededByTests } from './needed-by-tests.mjs';
import { installServerPackages } from './server-packages.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { displayIfNone, hasDisplay } from './virtual-display.mjs';

// Only these of the proofs open the window. Tests do it for others, which bring their build and displays.
const withWindow = ['axe', 'ipc', 'orca'].includes(process.argv[2] ?? '');
const withServers = process.argv[2] === 'servers';
const withTests = process.argv[2] === 'faults';
const withFrameworks = withServers || process.argv[2] === 'mocks';

const electron = await findElectron();
const isHeadless = withWindow && !hasDisplay();
const needed = { display: isHeadless || withServers, frameworks: withFrameworks ? allFrameworks : [] };
await ensureSystemPackages(electron.executable, withTests ? { ...neededByTests(), frameworks: [] } : needed);
if (withFrameworks || withTests || process.argv[2] === 'findings') await installServerPackages();
if (withWindow) await build();
if (process.argv[2] === 'cli') await buildIfChanged(['main']);
const display = withWindow ? await displayIfNone() : undefined;

// Electron's own Node runs TypeScript as it stands, and it is the Node that ships.
const entry = path.resolve(import.meta.dirname, '../test/prove/main.ts');
const env = { ...process.env, ...display?.env, ELECTRON_RUN_AS_NODE: '1' };
process.exitCode = await runChild(electron.executable, [entry, ...process.argv.slice(2)], { env });
display?.close();
