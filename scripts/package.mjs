import { spawnSync } from 'node:child_process';
import { chmod, copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build as buildPackages } from 'electron-builder';
import { build } from './build.mjs';
import { say, stop } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';

// This is `npm run package -- [--test] [TARGET …]`. electron-builder names the targets: dir, tar.gz, zip, …
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

const projectDir = path.resolve(import.meta.dirname, '..');
const output = isTest ? 'release/test' : 'release';
const files = await buildPackages({
  projectDir,
  publish: 'never',
  ...(process.platform === 'linux' && targets.length > 0 && { linux: targets }),
  config: {
    // Chromium's own words are packed for the languages that Llavero speaks.
    electronLanguages: (await readdir(path.join(projectDir, 'renderer/locales'))).map((file) => path.parse(file).name),
    ...(electron.thirdParty && { electronDist: electron.dist, electronVersion: electron.version }),
    ...(isTest && {
      artifactName: '${productName}-${version}-${os}-${arch}-test.${ext}',
      directories: { output },
    }),
    afterPack: async ({ appOutDir, electronPlatformName }) => {
      if (electronPlatformName === 'linux') {
        const launcher = path.join(appOutDir, 'llavero');
        await copyFile(path.resolve(import.meta.dirname, '../build/linux-launcher.sh'), launcher);
        await chmod(launcher, 0o755);
      }
      // A distribution that was unpacked by hand also has Electron's own demonstration application.
      const leftovers = ['resources/default_app.asar', 'resources/package.json'];
      await Promise.all(leftovers.map((name) => rm(path.join(appOutDir, name), { force: true })));
    },
  },
});
for (const file of files) say(`Made ${path.relative(process.cwd(), file)}`);

const bill = path.join(projectDir, output, 'llavero.cdx.json');
await writeFile(bill, billOfMaterials());
say(`Made ${path.relative(process.cwd(), bill)}, the bill of materials (CycloneDX)`);
say(auditLine());

/** @param {string[]} args */
function npm(args) {
  const cli = process.env.npm_execpath;
  const [command, before] = cli ? [process.execPath, [cli]] : ['npm', []];
  return spawnSync(command, [...before, ...args], { cwd: projectDir, encoding: 'utf8', maxBuffer: 100 * 1024 * 1024 });
}

/**
 * Lists everything that is installed, since what is bundled is a devDependency.
 * @returns {string} JSON
 */
function billOfMaterials() {
  const made = npm(['sbom', '--include=dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']);
  if (made.status !== 0) stop(1, `npm could not make the bill of materials: ${made.stderr}`);
  const bill = JSON.parse(made.stdout);
  // npm puts the name of the folder here.
  bill.metadata.component.name = 'llavero';
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** Says what `npm audit` knows, in one line. A registry without the endpoint knows nothing of any package. */
function auditLine() {
  const { stdout } = npm(['audit', '--include=dev', '--json']);
  try {
    const { metadata } = JSON.parse(stdout);
    const found = Object.entries(metadata.vulnerabilities).filter(([name, count]) => name !== 'total' && count > 0);
    const counts = found.map(([name, count]) => `${count} ${name}`).join(', ');
    return `npm audit: ${counts || 'nothing known'}`;
  } catch {
    return 'npm audit: not audited, the registry has no answer to that';
  }
}
