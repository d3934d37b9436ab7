import { findElectron } from './electron-binary.mjs';
import { installServerPackages } from './server-packages.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { neededByTests } from './needed-by-tests.mjs';
import { say } from './child-process.mjs';

// This is `npm run setup`: it installs on this machine what `npm test` needs, as root on Debian. With LLAVERO_FILM=1 it
// also installs what makes the moving picture of the README.
const electron = await findElectron();
const film = process.env.LLAVERO_FILM === '1';
await ensureSystemPackages(electron.executable, { ...neededByTests(), film }, { isAsked: true });
await installServerPackages();
say('This machine has what the tests need.');
