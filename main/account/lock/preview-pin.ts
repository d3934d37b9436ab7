import path from 'node:path';
import { readIfUnchanged } from '../../files/recoverable-file.ts';

/** The number of wrong PINs after which the sessions are dropped. */
export const mostTries = 5;

/**
 * Reads from `lock.json`, without its schema, what the first frame shows of it, as `previewConfig` does.
 * @returns undefined if the schema must be asked. A file is always a PIN that is set: what is in it opens nothing
 */
export function previewPin(folder: string): { isSet: () => boolean; triesLeft: () => number } | undefined {
  const read = readIfUnchanged(path.join(folder, 'lock.json'));
  if (!read) return undefined;
  if (read.text === undefined) return { isSet: () => false, triesLeft: () => mostTries };
  const { triesUsed }: { triesUsed?: unknown } = Object(JSON.parse(read.text));
  if (typeof triesUsed !== 'number' || !Number.isInteger(triesUsed) || triesUsed < 0) return undefined;
  return { isSet: () => true, triesLeft: () => Math.max(0, mostTries - triesUsed) };
}
