import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build as buildPackages } from 'electron-builder';
import { build } from './build.mjs';
import { say, stop } from './child-process.mjs';
import { findElectron, findWindowsElectron } from './electron-binary.mjs';
import { packageCommands } from './package-cli.mjs';
import { makeDeb, makeRpm } from './linux-packages.mjs';
import { saySizes, sizesOf } from './package-size.mjs';

// This is `npm run package -- [--test] [TARGET …]`: deb and rpm are made by tools of their own, of the folder that
// electron-builder unpacks; all other names are electron-builder's: dir, tar.gz, zip, AppImage, nsis, dmg, … `win` makes
// a zip for Windows on any system.
const isTest = process.argv.includes('--test');
// The folder on a server where the package looks for newer versions. Without it, it looks for none.
const feed = process.env.LLAVERO_FEED ?? '';
const targets = process.argv.slice(2).filter((arg) => arg !== '--test');

// The commands need no Electron, and a system that has none can make their package.
if (targets.includes('cli')) {
  await packageCommands(path.resolve(import.meta.dirname, '../release'));
  targets.splice(targets.indexOf('cli'), 1);
  if (targets.length === 0) process.exit(0);
}
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
const { version } = JSON.parse(await readFile(path.join(projectDir, 'package.json'), 'utf8'));
const suffix = isTest ? '-test' : '';
const locales = await readdir(path.join(projectDir, 'preload/contract/locales/window'));

// electron-builder fetches its own from GitHub otherwise, also where Debian's is installed.
if (existsSync('/usr/bin/7za')) process.env.ELECTRON_BUILDER_7ZIP_PATH ??= '/usr/bin/7za';
/** @type {string[]} */
const files = [];
if (targets.includes('win')) files.push(...(await makeForWindows()));
const ofBuilder = targets.filter((target) => !['deb', 'rpm', 'win'].includes(target));
const isUnpacked = targets.includes('deb') || targets.includes('rpm');
if (targets.length === 0 || ofBuilder.length > 0 || isUnpacked) {
  files.push(
    ...(await buildPackages({
      projectDir,
      publish: 'never',
      ...(process.platform === 'linux' && targets.length > 0 && { linux: ofBuilder.length > 0 ? ofBuilder : ['dir'] }),
      config: configOf(electron),
    })),
  );
}
if (isUnpacked) files.push(...(await makeForLinux()));
for (const file of files) say(`Made ${path.relative(process.cwd(), file)}`);
say(`What the package holds beyond Electron, and its budget:\n${saySizes(await sizesOf(projectDir))}`);

/** @param {{ thirdParty: boolean, dist: string, version: string }} used the Electron that goes in */
function configOf(used) {
  return {
    // electron-builder writes it into the package, and the announcement for electron-updater beside it.
    publish: feed === '' ? null : { provider: /** @type {const} */ ('generic'), url: feed },
    // Chromium's own words are packed for the languages that Llavero speaks.
    electronLanguages: locales.map((file) => path.parse(file).name),
    ...(used.thirdParty && { electronDist: used.dist, electronVersion: used.version }),
    ...(isTest && {
      artifactName: '${productName}-${version}-${os}-${arch}-test.${ext}',
      directories: { output: path.join(projectDir, output) },
    }),
    afterPack: async (/** @type {{ appOutDir: string, electronPlatformName: string }} */ packed) => {
      const { appOutDir, electronPlatformName } = packed;
      if (electronPlatformName === 'linux') {
        const launcher = path.join(appOutDir, 'llavero');
        await copyFile(path.resolve(projectDir, 'build/linux/launcher.sh'), launcher);
        await chmod(launcher, 0o755);
      }
      // A distribution that was unpacked by hand also has Electron's own demonstration application.
      const leftovers = ['resources/default_app.asar', 'resources/package.json'];
      await Promise.all(leftovers.map((name) => rm(path.join(appOutDir, name), { force: true })));
    },
  };
}

/** Makes the packages for Debian and Fedora, and answers their paths. */
async function makeForLinux() {
  const unpacked = path.join(projectDir, output, 'linux-unpacked');
  const options = { unpacked, output: path.join(projectDir, output), version };
  // xz takes a third of the room and twenty times as long.
  const compression = isTest ? 'gzip' : 'xz';
  /** @type {string[]} */
  const made = [];
  if (targets.includes('deb'))
    made.push(await makeDeb({ ...options, compression, file: `llavero_${version}_amd64${suffix}.deb` }));
  if (targets.includes('rpm')) made.push(await makeRpm({ ...options, file: `llavero-${version}.x86_64${suffix}.rpm` }));
  return made;
}

/**
 * Makes the zip for Windows. Its native packages are not those of this system, so it is made of a copy that has them.
 */
async function makeForWindows() {
  const copy = await mkdtemp(path.join(tmpdir(), 'llavero-windows-'));
  for (const name of ['package.json', 'package-lock.json', 'LICENSE', 'electron-builder.yml', 'build', 'dist'])
    await cp(path.join(projectDir, name), path.join(copy, name), { recursive: true });
  const installed = npm(['ci', '--omit=dev', '--os=win32', '--cpu=x64', '--no-audit', '--no-fund'], copy);
  if (installed.status !== 0) stop(1, `The packages for Windows could not be installed: ${installed.stderr}`);
  const used = electron.thirdParty ? await findWindowsElectron() : electron;
  const made = await buildPackages({
    projectDir: copy,
    publish: 'never',
    win: ['zip'],
    x64: true,
    // Only Windows or Wine can write into an executable for Windows.
    config: { ...configOf(used), ...(process.platform !== 'win32' && { win: { signAndEditExecutable: false } }) },
  });
  await rm(copy, { recursive: true });
  return made;
}

const bill = path.join(projectDir, output, 'llavero.cdx.json');
await writeFile(bill, billOfMaterials());
say(`Made ${path.relative(process.cwd(), bill)}, the bill of materials (CycloneDX)`);
say(auditLine());

/** @param {string[]} args @param {string} [cwd] */
function npm(args, cwd = projectDir) {
  const cli = process.env.npm_execpath;
  const [command, before] = cli ? [process.execPath, [cli]] : ['npm', []];
  return spawnSync(command, [...before, ...args], { cwd, encoding: 'utf8', maxBuffer: 100 * 1024 * 1024 });
}

/**
 * Lists everything that is installed: with `--omit=dev` npm 11 leaves out react, pg and zod too, since packages for
 * development name them as optional peers.
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
  const { stdout } = npm(['audit', '--omit=dev', '--json']);
  try {
    const { metadata } = JSON.parse(stdout);
    const found = Object.entries(metadata.vulnerabilities).filter(([name, count]) => name !== 'total' && count > 0);
    const counts = found.map(([name, count]) => `${count} ${name}`).join(', ');
    return `npm audit: ${counts || 'nothing known'}`;
  } catch {
    return 'npm audit: not audited, the registry has no answer to that';
  }
}
