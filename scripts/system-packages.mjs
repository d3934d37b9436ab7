import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { runChild, say, stop } from './child-process.mjs';
import { isInstalled, packagesOf } from './frameworks.mjs';
import { findPostgres } from './postgres.mjs';

/**
 * What a bare Debian machine lacks, by what needs it. Newer releases have renamed some packages (64-bit time), so the
 * first name that apt knows is taken.
 * @type {Record<'libraries' | 'display' | 'keyring' | 'database' | 'clients', string[][]>}
 */
const packages = {
  libraries: [
    ['libgtk-3-0t64', 'libgtk-3-0'],
    ['libnss3'],
    ['libasound2t64', 'libasound2'],
    ['libgbm1'],
    ['libatk-bridge2.0-0t64', 'libatk-bridge2.0-0'],
    ['libsecret-1-0'],
  ],
  display: [['xvfb']],
  keyring: [['dbus-x11'], ['gnome-keyring']],
  database: [['postgresql']],
  clients: [['curl'], ['httpie']],
};

/**
 * @typedef {object} Needs what is needed beside the shared libraries
 * @property {boolean} [display]
 * @property {boolean} [keyring]
 * @property {boolean} [database]
 * @property {boolean} [clients]
 * @property {import('./frameworks.mjs').Framework[]} [frameworks] Where they cannot be installed, their tests are skipped.
 */

/**
 * Makes sure that this Linux machine has what Electron needs. As root on Debian it installs what is missing, after
 * asking when there is somebody to ask. Otherwise it ends the process with the one command that installs it.
 * @param {string} electron path of the executable
 * @param {Needs} needs
 */
export async function ensureSystemPackages(electron, needs = {}) {
  if (process.platform !== 'linux') return;
  const canInstall = hasProgram('apt-get') && process.getuid?.() === 0;
  const needed = lackingOf(electron, needs);
  if (needed.length > 0) await installNeeded(electron, needs, needed, canInstall);
  if (canInstall) await installFrameworks(needs.frameworks ?? [], needed.length > 0);
}

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
const update = () => runChild('apt-get', ['update', '-qq'], { env, stdout: 'stderr' });
const installCommand = 'apt-get install -y --no-install-recommends';

/** @param {string} electron @param {Needs} needs @param {string[][]} needed @param {boolean} canInstall */
async function installNeeded(electron, needs, needed, canInstall) {
  say(`Missing on this machine: ${needed.map((names) => names.at(-1)).join(', ')}.`);
  if (!hasProgram('apt-get')) stop(1, 'Install the equivalents of these Debian packages, then try again.');
  // apt knows no names before its first update, so the command for a person without root has the older ones.
  const install = () => `${installCommand} ${needed.map(knownToApt).join(' ')}`;
  if (!canInstall) stop(1, `Install them with:\n  sudo sh -c "apt-get update && ${install()}"`);
  if (process.stdin.isTTY && !(await agreed())) stop(1, `Nothing was installed. To do it yourself:\n  ${install()}`);

  const code = (await update()) || (await runChild('sh', ['-c', install()], { env, stdout: 'stderr' }));
  if (code !== 0 || lackingOf(electron, needs).length > 0) stop(1, `They could not be installed. Try:\n  ${install()}`);
}

/**
 * Installs what a mirror has of these. Where it lacks some, it goes on without: the tests that need them say why they are
 * skipped.
 * @param {import('./frameworks.mjs').Framework[]} wanted @param {boolean} isUpdated
 */
async function installFrameworks(wanted, isUpdated) {
  const missing = () => wanted.filter((name) => !isInstalled(name));
  const install = (/** @type {string[]} */ names) =>
    runChild('sh', ['-c', `${installCommand} ${names.join(' ')}`], { env, stdout: 'stderr' });
  if (missing().length === 0) return;
  say(`Missing on this machine for servers in tests: ${missing().join(', ')}.`);
  if (!isUpdated) await update();
  await install(missing().flatMap(packagesOf));
  // One package that the mirror lacks is no reason to go without the other frameworks.
  if (missing().length > 1) for (const name of missing()) await install(packagesOf(name));
  if (missing().length > 0) say(`These could not be installed, and are left out: ${missing().join(', ')}.`);
}

/**
 * Returns the packages that are missing, each with its names.
 * @param {string} electron @param {Needs} needs
 */
function lackingOf(electron, needs) {
  /** @type {(keyof typeof packages)[]} */
  const lacking = [];
  // The loader is asked and not dpkg, so that this holds on every distribution.
  const ldd = spawnSync('ldd', [electron], { encoding: 'utf8' });
  if (ldd.stdout?.includes('not found')) lacking.push('libraries');
  if (needs.display && !hasProgram('Xvfb')) lacking.push('display');
  if (needs.keyring && !(hasProgram('dbus-run-session') && hasProgram('gnome-keyring-daemon'))) lacking.push('keyring');
  if (needs.clients && !(hasProgram('curl') && hasProgram('http'))) lacking.push('clients');
  if (needs.database && !findPostgres()) lacking.push('database');
  return lacking.flatMap((need) => packages[need]);
}

/** @param {string[]} names */
function knownToApt(names) {
  return names.find((name) => spawnSync('apt-cache', ['show', name]).status === 0) ?? names.at(-1);
}

/** @param {string} name */
function hasProgram(name) {
  return spawnSync('sh', ['-c', 'command -v "$0"', name]).status === 0;
}

async function agreed() {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Install them now? [Y/n] ');
  terminal.close();
  return !/^n/i.test(answer.trim());
}
