import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { renameFile } from './rename-file.ts';
import { assertNoSymlinks, assertLocalPath } from './path-checks.ts';

/**
 * Replaces a file so that after a crash at any moment either the old or the new content is there, whole: temporary
 * file in the same folder, synced, renamed, folder synced. Only the user may read it unless `mode` says otherwise, less
 * what the umask takes away. Rejects with Node's error when the disk is full or the folder cannot be written, and when a
 * link is in the way or the path leads to another computer; the old file is then untouched.
 */
export async function writeAtomically(file: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  assertLocalPath(file);
  assertNoSymlinks(file);
  // Nobody can guess it, and whatever is there already is neither followed nor written over.
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

/** Makes a rename in this folder outlive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and NTFS journals the rename by itself.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
