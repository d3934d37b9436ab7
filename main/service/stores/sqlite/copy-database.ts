import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';

/** Makes the names in a folder durable. Windows does not need it, and cannot open a folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/**
 * Copies an open database to a file of its own, for this user only, while it goes on being used. The file appears
 * whole or not at all; one that was there is replaced. Rejects with the system's or node:sqlite's error.
 */
export async function copyDatabase(db: DatabaseSync, file: string): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    closeSync(openSync(partial, 'w', 0o600));
    await backup(db, partial);
    renameSync(partial, file);
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
