import { existsSync, renameSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { renameFile } from './rename-file.ts';

/** Returns the name under which a file that cannot be used is kept, beside its old place. */
export const quarantinePath = (file: string, now = new Date()): string =>
  `${file}.broken-${now.toISOString().replaceAll(/[:.]/g, '-')}`;

/**
 * Renames a file that cannot be read, so that it is neither used nor lost.
 * @returns the new path
 */
export async function quarantineFile(file: string): Promise<string> {
  const kept = quarantinePath(file);
  await renameFile(file, kept);
  return kept;
}

/** Removes for good what was ever set aside of a file, and of its last good copy. */
export async function removeQuarantined(file: string): Promise<void> {
  const folder = path.dirname(file);
  const beginnings = [`${path.basename(file)}.broken-`, `${path.basename(file)}.last-good.broken-`];
  for (const name of await readdir(folder))
    if (beginnings.some((beginning) => name.startsWith(beginning))) await rm(path.join(folder, name), { force: true });
}

/**
 * Renames a SQLite database that nobody has open, together with its write-ahead log, which may hold the newest of it.
 * @returns the new path of the database
 */
export function quarantineSqliteFile(file: string): string {
  const kept = quarantinePath(file);
  for (const part of ['-shm', '-wal', '']) if (existsSync(file + part)) renameSync(file + part, kept + part);
  return kept;
}
