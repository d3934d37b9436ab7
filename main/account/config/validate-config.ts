import { validateJson, type FileValidity } from '../../files/recoverable-file.ts';
import { Config } from './config.ts';
import { configVersion } from './default-config.ts';

/**
 * Judges whether `config.json` can be read without loss. It is read forgivingly, part by part, so a file is whole when
 * all that it says comes through. This also finds a name that a flipped bit has changed.
 */
export const validateConfig = (text: string): FileValidity =>
  validateJson(text, configVersion, (content) => {
    if (typeof content !== 'object' || content === null || Array.isArray(content)) return 'broken';
    return comesThrough(content, Config.parse(content)) ? 'whole' : 'partly';
  });

/** Says whether everything in `written` is in `read`, and no list has another length. */
function comesThrough(written: unknown, read: unknown): boolean {
  if (typeof written !== 'object' || written === null) return written === read;
  if (typeof read !== 'object' || read === null || Array.isArray(written) !== Array.isArray(read)) return false;
  if (Array.isArray(written) && Array.isArray(read) && written.length !== read.length) return false;
  const parts = new Map(Object.entries(read));
  // Earlier builds wrote `double` for `mock`.
  return Object.entries(written).every(([name, value]) =>
    comesThrough(value, parts.get(name === 'double' ? 'mock' : name)),
  );
}
