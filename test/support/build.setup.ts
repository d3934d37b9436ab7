import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');

/** Builds what is not in `dist/` as its sources are, in a process of its own, before the tests with a window. */
export default async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(root, 'scripts/build.mjs')]);
}
