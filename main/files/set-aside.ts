import { existsSync, renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';

/** Under which name a file that cannot be used is kept, beside its old place. */
export const asideName = (file: string, now = new Date()): string =>
  `${file}.broken-${now.toISOString().replaceAll(/[:.]/g, '-')}`;

/**
 * Renames a file that cannot be read, so that it is neither used nor lost.
 * @returns the new path
 */
export async function setAside(file: string): Promise<string> {
  const kept = asideName(file);
  await rename(file, kept);
  return kept;
}

/**
 * The same for a SQLite database that nobody has open, with its write-ahead log, which may hold the newest of it.
 * @returns the new path of the database
 */
export function setDatabaseAside(file: string): string {
  const kept = asideName(file);
  for (const part of ['-shm', '-wal', '']) if (existsSync(file + part)) renameSync(file + part, kept + part);
  return kept;
}
