import { judgeJson, type Judgement } from '../files/kept-file.ts';
import { builtInId, Config, configVersion, inFile } from './config.ts';
import { migrate } from './migrate.ts';

/** The parts of version 1, which stay in the file after they were brought over. */
const earlierParts: ReadonlySet<string> = new Set(['servers', 'activeServerId']);

/**
 * Judges whether `config.json` can be read without loss. It is read forgivingly, part by part, so a file is whole when
 * all that it says comes through. This also finds a name that a flipped bit has changed.
 */
export const judgeConfig = (text: string): Judgement =>
  judgeJson(text, configVersion, (content) => {
    if (typeof content !== 'object' || content === null || Array.isArray(content)) return 'broken';
    const today = Object.fromEntries(
      Object.entries({ ...content, ...migrate(content, builtInId) }).filter(([name]) => !earlierParts.has(name)),
    );
    return comesThrough(today, inFile(Config.parse(today))) ? 'whole' : 'partly';
  });

/** Says whether everything in `written` is in `read`, and no list has another length. */
function comesThrough(written: unknown, read: unknown): boolean {
  if (typeof written !== 'object' || written === null) return written === read;
  if (typeof read !== 'object' || read === null || Array.isArray(written) !== Array.isArray(read)) return false;
  if (Array.isArray(written) && Array.isArray(read) && written.length !== read.length) return false;
  const parts = new Map(Object.entries(read));
  return Object.entries(written).every(([name, value]) => comesThrough(value, parts.get(name)));
}
