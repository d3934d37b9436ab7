import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { storagePartOf } from './storage-overview.ts';

/** Chromium's lock on the folder, which it removes on exit. */
const isChromiumLock = (name: string): boolean => name.startsWith('Singleton');

/**
 * Empties the user-data folder, whose files Llavero must have closed. Chromium writes caches until it exits.
 * @returns the names of our files that could not be removed
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
