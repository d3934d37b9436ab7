import { randomBytes } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { findSymlink } from './symlinks.ts';

/** Makes the names in a folder durable. Windows does not need it, and cannot open a folder. */
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
 * Copies an open database to a file of its own, for this user only, while it goes on being used. The file appears
 * whole or not at all; one that was there is replaced. Rejects with the system's or
 * node:sqlite's error, and where a link is in the way.
 */
export async function copyDatabase(db: DatabaseSync, file: string): Promise<void> {
  if (findSymlink(file)) throw new Error(`a link is in the way: ${file}`);
  // Nobody can guess the name, and whatever is there already is neither followed nor written over.
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
