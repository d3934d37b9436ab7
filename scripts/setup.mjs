import { findElectron } from './electron-binary.mjs';
import { installServerPackages } from './server-packages.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { neededByTests } from './needed-by-tests.mjs';
import { say } from './child-process.mjs';

// This is `npm run setup`: it installs on this machine what `npm test` needs, as root on Debian.
const electron = await findElectron();
await ensureSystemPackages(electron.executable, neededByTests(), { isAsked: true });
await installServerPackages();
say('This machine has what the tests need.');
