import { existsSync, renameSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { renameFile } from './rename-file.ts';

/** The path of a quarantined file, in the same folder. */
export const quarantinePath = (file: string, now = new Date()): string =>
  `${file}.broken-${now.toISOString().replaceAll(/[:.]/g, '-')}`;

/**
 * Renames a file that cannot be read, so that it is neither used nor overwritten.
 * @returns the new path
 */
export async function quarantineFile(file: string): Promise<string> {
  const moved = quarantinePath(file);
  await renameFile(file, moved);
  return moved;
}

/** Deletes all quarantined versions of a file and of its backup. */
export async function removeQuarantined(file: string): Promise<void> {
  const folder = path.dirname(file);
  const beginnings = [`${path.basename(file)}.broken-`, `${path.basename(file)}.last-good.broken-`];
  for (const name of await readdir(folder))
    if (beginnings.some((beginning) => name.startsWith(beginning))) await rm(path.join(folder, name), { force: true });
}

/**
 * Renames a closed SQLite database, with its write-ahead log, which may contain its newest rows.
 * @returns the new path of the database
 */
export function quarantineSqliteFile(file: string): string {
  const moved = quarantinePath(file);
  for (const part of ['-shm', '-wal', '']) if (existsSync(file + part)) renameSync(file + part, moved + part);
  return moved;
}
