import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { say } from './child-process.mjs';

/** The packages of a lock file without the folder itself, which what is installed does not list. @param {string} file */
async function packagesIn(file) {
  const { packages } = JSON.parse(await readFile(file, 'utf8'));
  return JSON.stringify(Object.entries(packages).filter(([name, { optional }]) => name !== '' && !optional));
}

/**
 * Installs the packages of a folder below `test/`, unless they are there: nothing that ships needs them.
 * @param {'servers' | 'bench/tools'} name
 */
export async function installPackagesOf(name) {
  const folder = path.resolve(import.meta.dirname, '../test', name);
  const wanted = await packagesIn(path.join(folder, 'package-lock.json'));
  if (wanted === (await packagesIn(path.join(folder, 'node_modules/.package-lock.json')).catch(() => ''))) return;
  say(`Installing the packages of test/${name}/ …`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)(npm, args, { cwd: folder, shell: process.platform === 'win32' });
}

export const installServerPackages = () => installPackagesOf('servers');
