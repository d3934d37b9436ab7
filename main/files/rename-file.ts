import { rename } from 'node:fs/promises';
import FS from 'stubborn-fs';

/** Milliseconds for which it is tried again. */
const HELD_FOR_MS = 5000;

/**
 * Gives a file another name, in the place of what has it. On Windows a scanner for viruses or an index may hold a file
 * that was just written, and nobody can rename it meanwhile (isaacs/node-graceful-fs#104): it is tried again.
 */
export const renameFile = (from: string, to: string, platform = process.platform): Promise<void> =>
  platform === 'win32' ? FS.retry.rename({ timeout: HELD_FOR_MS })(from, to) : rename(from, to);
