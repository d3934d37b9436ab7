import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** What a copy makes anew, and the packages, which it shares. */
const left = new Set(['node_modules', '.git', 'dist', 'release']);

/** Copies the project into an empty folder, with the packages of this one and nothing built. */
export async function copyProject(folder: string): Promise<void> {
  for (const name of (await readdir(root)).filter((each) => !left.has(each))) {
    const filter = (from: string): boolean => path.basename(from) !== 'node_modules';
    await cp(path.join(root, name), path.join(folder, name), { recursive: true, filter });
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
}

/**
 * Copies the project for all tests of a file, whose npm commands build there, so that other tests have `dist/` meanwhile.
 * @returns what tells the folder, once the tests run
 */
export function copyForAll(): () => string {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'llavero-copy-'));
    await copyProject(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return () => folder;
}
