import path from 'node:path';
import { build } from './build.mjs';
import { runChild, stop } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { displayIfNone, hasDisplay } from './virtual-display.mjs';

// It takes pictures of every screen and state, in both languages, both themes and four widths, of the built page with the
// main process that the tests have for it.
const options = new Set(['--only', '--list', '--renew', '--readme']);
const unknown = process.argv.slice(2).find((word) => word.startsWith('--') && !options.has(word));
if (unknown !== undefined) {
  stop(
    unknown === '--help' ? 0 : 2,
    `Usage: npm run shots -- [options]
  --only NAME  takes the pictures of one screen or state
  --list       lists the screens and states
  --renew      takes anew those that the walk compares the screens with
  --readme     takes the picture of the README`,
  );
}
const electron = await findElectron();
await ensureSystemPackages(electron.executable, { display: !hasDisplay() });
await build();
const display = await displayIfNone();

// Electron's own Node runs TypeScript as it stands.
const entry = path.resolve(import.meta.dirname, '../test/shots/take.ts');
const env = { ...process.env, ...display?.env, ELECTRON_RUN_AS_NODE: '1' };
process.exitCode = await runChild(electron.executable, [entry, ...process.argv.slice(2)], { env });
display?.close();
