import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { runChild, say, stop } from './child-process.mjs';
import { isInstalled, packagesOf } from './frameworks.mjs';
import { findPostgres } from './postgres.mjs';

/**
 * What a bare Debian machine lacks, by what needs it. Newer releases have renamed some packages (64-bit time), so the
 * first name that apt knows is taken.
 * @type {Record<'libraries' | 'display' | 'keyring' | 'database' | 'clients' | 'film', string[][]>}
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
  clients: [['curl']],
  film: [['ffmpeg']],
};

/**
 * @typedef {object} Needs what is needed beside the shared libraries
 * @property {boolean} [display]
 * @property {boolean} [keyring]
 * @property {boolean} [database]
 * @property {boolean} [clients]
 * @property {boolean} [film]
 * @property {import('./frameworks.mjs').Framework[]} [frameworks] Where they cannot be installed, their tests are skipped.
 */

/**
 * Makes sure that this Linux machine has what Electron needs. As root on Debian it installs what is missing and lists it,
 * after asking when there is somebody to ask. Otherwise it ends the process with 2 and the one command that does it.
 * @param {string} electron path of the executable
 * @param {Needs} needs
 * @param {{ isAsked?: boolean }} [options] whether the person said already that it is to be installed
 */
export async function ensureSystemPackages(electron, needs = {}, { isAsked = false } = {}) {
  if (process.platform !== 'linux') return;
  const needed = lackingOf(electron, needs);
  const frameworks = () => (needs.frameworks ?? []).filter((name) => !isInstalled(name));
  const forFrameworks = frameworks().flatMap(packagesOf);
  if (needed.length + forFrameworks.length === 0) return;
  const hasApt = hasProgram('apt-get');
  const canInstall = hasApt && process.getuid?.() === 0;
  // Without the frameworks their tests are skipped; without the others nothing runs.
  if (needed.length === 0 && !canInstall) return;
  const named = [...needed.map((names) => names.at(-1)), ...forFrameworks];
  say(`Missing on this machine: ${named.join(', ')}.`);
  if (!hasApt) stop(2, 'Install the equivalents of these Debian packages, then try again.');
  // apt knows no names before its first update, so the command for a person without root has the older ones.
  const command = () => `${installCommand} ${[...needed.map(knownToApt), ...forFrameworks].join(' ')}`;
  if (!canInstall) stop(2, `Install them with:\n  sudo sh -c "apt-get update && ${command()}"`);
  if (!isAsked && process.stdin.isTTY && !(await agreed()))
    stop(2, `Nothing was installed. To do it yourself:\n  ${command()}`);

  await run('apt-get update -qq');
  if (needed.length > 0) await run(`${installCommand} ${needed.map(knownToApt).join(' ')}`);
  if (lackingOf(electron, needs).length > 0) stop(1, `They could not be installed. Try:\n  ${command()}`);
  if (forFrameworks.length > 0) await run(`${installCommand} ${forFrameworks.join(' ')}`);
  // One package that the mirror lacks is no reason to go without the other frameworks.
  if (frameworks().length > 1)
    for (const name of frameworks()) await run(`${installCommand} ${packagesOf(name).join(' ')}`);
  const left = frameworks();
  const installed = named.filter((name) => !left.flatMap(packagesOf).includes(name ?? ''));
  say(`Installed: ${installed.join(', ')}.`);
  if (left.length > 0) say(`These could not be installed, and are left out: ${left.join(', ')}.`);
}

const installCommand = 'apt-get install -y --no-install-recommends';

/** @param {string} command */
function run(command) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return runChild('sh', ['-c', command], { env, stdout: 'stderr' });
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
  if (needs.clients && !hasProgram('curl')) lacking.push('clients');
  if (needs.film && !hasProgram('ffmpeg')) lacking.push('film');
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
