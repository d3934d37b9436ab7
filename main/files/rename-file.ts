import { rename } from 'node:fs/promises';
import FS from 'stubborn-fs';

/** In milliseconds. */
const RETRY_TIMEOUT = 5000;

/**
 * Renames a file and replaces its target. On Windows, a virus scanner or an indexer may lock a file that was just written
 * (isaacs/node-graceful-fs#104): the renaming is retried.
 */
export const renameFile = (from: string, to: string, platform = process.platform): Promise<void> =>
  platform === 'win32' ? FS.retry.rename({ timeout: RETRY_TIMEOUT })(from, to) : rename(from, to);
