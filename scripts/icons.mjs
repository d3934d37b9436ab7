import path from 'node:path';
import { runChild } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { sandboxArguments } from './sandbox.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { displayIfNone, hasDisplay } from './virtual-display.mjs';

// It draws the icons of the packages from build/icon.svg: those for Linux in their sizes, and icon.png, of which
// electron-builder makes those of Windows and macOS.
const electron = await findElectron();
await ensureSystemPackages(electron.executable, { display: !hasDisplay() });
const display = await displayIfNone();
const args = [path.join(import.meta.dirname, 'draw-icons.mjs'), ...sandboxArguments(), '--disable-gpu'];
process.exitCode = await runChild(electron.executable, args, { env: { ...process.env, ...display?.env } });
display?.close();
