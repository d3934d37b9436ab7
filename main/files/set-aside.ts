import { rename } from 'node:fs/promises';

/**
 * Renames a file that cannot be read to `<file>.broken-<time>`, so that it is neither used nor lost.
 * @returns the new path
 */
export async function setAside(file: string, now = new Date()): Promise<string> {
  const kept = `${file}.broken-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
  await rename(file, kept);
  return kept;
}
