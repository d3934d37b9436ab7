import path from 'node:path';
import { runChild } from '../../scripts/child-process.mjs';
import { filesByTurns } from '../../scripts/turns.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Runs all tests with a window, and what else takes turns, with every case that `npm test` takes on some day. Returns how
 * they ended: 0 is good.
 */
export async function proveScreens(): Promise<number> {
  const withWindow = 'test/e2e/';
  const others = (await filesByTurns()).filter((file) => !file.startsWith(withWindow));
  const env = { ...process.env, LLAVERO_TEST_IN_FULL: '1' };
  const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', withWindow, 'odd-originals', ...others];
  return runChild(process.execPath, args, { env, cwd: root, stdout: 'stderr' });
}
