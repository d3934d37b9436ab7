import { constants } from 'node:fs';
import { access, copyFile, link, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Keeps the file that this application runs from under a second name. electron-updater removes it before it moves the
 * new one there, and would leave nothing behind when that fails.
 * @returns undefined when nothing can be changed in its folder
 */
export async function keepAppImage(file: string) {
  const before = `${file}.before`;
  try {
    await access(path.dirname(file), constants.W_OK);
    await rm(before, { force: true });
    // A disk may know no second names.
    await link(file, before).catch(() => copyFile(file, before));
  } catch {
    return undefined;
  }
  return {
    path: file,
    /** Puts it back. `other` is what came instead, if that has another name. */
    async putBack(other: string | undefined): Promise<void> {
      if (other !== undefined) await rm(other, { force: true });
      await rename(before, file);
    },
    drop: (): Promise<void> => rm(before, { force: true }),
  };
}
