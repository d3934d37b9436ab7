import { randomBytes } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { findSymlink } from './symlinks.ts';

/** Makes renames in a folder durable. Not needed on Windows, which cannot open a folder. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Copies an open database to a file for this user only, while it is used. The file is replaced completely or not at all.
 * Rejects with the system's or node:sqlite's error, and if the path is a link.
 */
export async function copyDatabase(db: DatabaseSync, file: string): Promise<void> {
  if (findSymlink(file)) throw new Error(`a link is in the way: ${file}`);
  // An unguessable name and `wx`, so that no existing file or link is followed or overwritten.
  const partial = `${file}.partial-${randomBytes(8).toString('hex')}`;
  closeSync(openSync(partial, 'wx', 0o600));
  try {
    await backup(db, partial);
    renameSync(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
