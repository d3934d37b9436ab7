import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces a file so that after a crash at any moment either the old or the new content is there, whole: temporary
 * file in the same folder, synced, renamed, folder synced. Only the user may read it unless `mode` says otherwise, less
 * what the umask takes away.
 * Rejects with Node's error when the disk is full or the folder cannot be written; the old file is then untouched.
 */
export async function writeAtomically(file: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, 'w', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // Windows cannot open a folder; NTFS journals the rename by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path.dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
