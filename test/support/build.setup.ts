import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Builds the application into `dist/` before the tests with a window. The build is a process of its own, since vitest
 * has set `NODE_ENV` to `test` in this one, and React would be built for development.
 */
export default async function setup(): Promise<void> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [vite, 'build', '--app', '--logLevel', 'warn'], { cwd: root, env });
}
