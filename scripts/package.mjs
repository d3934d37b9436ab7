import { chmod, copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { build as buildPackages } from 'electron-builder';
import { build } from './build.mjs';
import { say, stop } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';

// `npm run package -- [--test] [TARGET …]`, targets as electron-builder names them: dir, tar.gz, zip, …
const isTest = process.argv.includes('--test');
const targets = process.argv.slice(2).filter((arg) => arg !== '--test');

const electron = await findElectron();
if (electron.thirdParty && !isTest) {
  stop(
    1,
    'A release may only contain the official Electron, which cannot be downloaded here. `npm run package -- --test` makes a package for trying out, named -test.',
  );
}
await build();

const files = await buildPackages({
  projectDir: path.resolve(import.meta.dirname, '..'),
  publish: 'never',
  ...(process.platform === 'linux' && targets.length > 0 && { linux: targets }),
  config: {
    ...(electron.thirdParty && { electronDist: electron.dist, electronVersion: electron.version }),
    ...(isTest && {
      artifactName: '${productName}-${version}-${os}-${arch}-test.${ext}',
      directories: { output: 'release/test' },
    }),
    afterPack: async ({ appOutDir, electronPlatformName }) => {
      if (electronPlatformName === 'linux') {
        const launcher = path.join(appOutDir, 'llavero');
        await copyFile(path.resolve(import.meta.dirname, '../build/linux-launcher.sh'), launcher);
        await chmod(launcher, 0o755);
      }
      // A distribution that was unpacked by hand brings Electron's own demonstration application along.
      const leftovers = ['resources/default_app.asar', 'resources/package.json'];
      await Promise.all(leftovers.map((name) => rm(path.join(appOutDir, name), { force: true })));
    },
  },
});
for (const file of files) say(`Made ${path.relative(process.cwd(), file)}`);
