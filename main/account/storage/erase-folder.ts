import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { storagePartOf } from './storage-overview.ts';

/** Says whether a name is Chromium's own lock on the folder, which it removes when it ends. */
const isChromiumLock = (name: string): boolean => name.startsWith('Singleton');

/**
 * Removes everything in the user-data folder, once nothing of ours is open any more. Chromium may still write some files
 * of its own while it ends; nothing of a person is in them.
 * @returns the names of ours that could not be removed
 */
export async function eraseFolder(folder: string): Promise<string[]> {
  for (const name of await readdir(folder)) {
    if (isChromiumLock(name)) continue;
    await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(
      () => undefined,
    );
  }
  return (await readdir(folder)).filter((name) => storagePartOf(name) !== 'browser');
}
