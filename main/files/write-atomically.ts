import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { renameFile } from './rename-file.ts';
import { assertNoSymlinks, assertLocalPath } from './path-checks.ts';

/**
 * Replaces a file so that after a crash at any moment it has either the old or the new content: temporary file in the same
 * folder, synced, renamed, folder synced. Only the user may read it, unless `mode`, less the umask, allows more. Rejects
 * with Node's error if the disk is full or the folder is not writable, and for a symbolic link or a network path; the old
 * file is then unchanged.
 */
export async function writeAtomically(file: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  assertLocalPath(file);
  assertNoSymlinks(file);
  // An unguessable name, and `wx` neither follows nor overwrites an existing file.
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  const handle = await open(temporary, 'wx', mode);
  try {
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameFile(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Makes a rename in this folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and NTFS journals a rename.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
