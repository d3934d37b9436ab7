import path from 'node:path';
import { buildIfChanged } from './build.mjs';
import { runChild } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

// The lower codes of these commands say something of a server or a file; this one says that Llavero failed.
const internal = 4;

/**
 * Builds main, if a source has changed, and runs one of its commands with the arguments of this process, on Electron's
 * own Node.
 * @param {'serve' | 'check' | 'mock' | 'describe'} name
 * @returns {Promise<number>} its exit code
 */
export async function runCommand(name) {
  const electron = await findElectron();
  await ensureSystemPackages(electron.executable);
  await buildIfChanged(['main']);

  const entry = path.resolve(import.meta.dirname, '../dist/main/cli.js');
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  return runChild(electron.executable, [entry, name, ...process.argv.slice(2)], { env, channel: true });
}

/**
 * Runs a command whose exit code is its answer. This process ends with that code, and with 4 where it could not be run.
 * @param {'check' | 'mock' | 'describe'} name
 */
export async function runForAnswer(name) {
  let hasRun = false;
  process.once('exit', (code) => {
    if (!hasRun && code !== 0) process.exitCode = internal;
  });
  const code = await runCommand(name);
  hasRun = true;
  process.exitCode = Math.min(code, internal);
}
