import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { copyProject, linkPackages } from './copy-project.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Gives the copy packages of its own, each file of which is the same on the disk. Only Linux has this command. */
async function ownPackages(folder: string): Promise<void> {
  await promisify(execFile)('cp', ['-al', path.join(root, 'node_modules'), path.join(folder, 'node_modules')]);
}

/**
 * Copies the project for all tests of a file, whose npm commands build there, so that other tests have `dist/` meanwhile.
 * @returns what tells the folder, once the tests run
 */
export function copyForAll(): () => string {
  return lendCopy(tmpdir(), linkPackages);
}

/** Does the same with {@link ownPackages}, for electron-builder and npm's list, which follow no link to them. */
export function copyToPackage(): () => string {
  // What is the same on the disk must lie on the same disk.
  return lendCopy(path.join(root, 'release'), ownPackages);
}

function lendCopy(parent: string, packages: typeof linkPackages): () => string {
  let folder = '';
  beforeAll(async () => {
    await mkdir(parent, { recursive: true });
    folder = await mkdtemp(path.join(parent, 'llavero-copy-'));
    await copyProject(folder, packages);
  }, 120_000);
  // With fifty thousand files, asking for each in turn would take many times as long.
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }), 120_000);
  return () => folder;
}
