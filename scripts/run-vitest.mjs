import path from 'node:path';
import { runChild } from './child-process.mjs';

const projectRoot = path.resolve(import.meta.dirname, '..');

/**
 * Runs vitest on Electron's own Node, so that what it runs uses the node:sqlite and BoringSSL that ship.
 * @param {string} electron path of the executable
 * @param {string[]} args
 * @param {string} folder for what lives as long as the run
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit code
 */
export const runVitest = (electron, args, folder, env) =>
  runChild(electron, [path.join(projectRoot, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
    // Many tests start commands, which then share what Node has compiled of the same sources.
    env: { ...process.env, ...env, ELECTRON_RUN_AS_NODE: '1', NODE_COMPILE_CACHE: path.join(folder, 'compiled') },
    cwd: projectRoot,
  });
