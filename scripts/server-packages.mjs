import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { say } from './child-process.mjs';

const folder = path.resolve(import.meta.dirname, '../test/servers');
const installed = path.join(folder, 'node_modules/.package-lock.json');

/** The packages of a lock file without the folder itself, which what is installed does not list. @param {string} file */
async function packagesIn(file) {
  const { packages } = JSON.parse(await readFile(file, 'utf8'));
  return JSON.stringify(Object.entries(packages).filter(([name, { optional }]) => name !== '' && !optional));
}

/** Installs the frameworks of `test/servers/` that npm has, unless they are there: nothing that ships needs them. */
export async function installServerPackages() {
  const wanted = await packagesIn(path.join(folder, 'package-lock.json'));
  if (wanted === (await packagesIn(installed).catch(() => ''))) return;
  say('Installing the frameworks of test/servers/ …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)(npm, args, { cwd: folder, shell: process.platform === 'win32' });
}
