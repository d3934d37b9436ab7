import { existsSync, renameSync } from 'node:fs';

/**
 * Renames a database that this process has not opened, with its log, so that it is neither used nor lost.
 * @returns the new path
 */
export function quarantineDatabase(file: string): string {
  const quarantined = `${file}.broken-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const part of ['-shm', '-wal', '']) if (existsSync(file + part)) renameSync(file + part, quarantined + part);
  return quarantined;
}
