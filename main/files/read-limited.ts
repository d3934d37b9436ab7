import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCodeOf } from './error-code.ts';
import { assertLocalPath } from './path-checks.ts';

export type LimitedRead =
  | { ok: true; content: Buffer }
  | { ok: false; reason: 'unreadable' | 'too-large'; code?: string | undefined };

/** Reads a regular file of at most `maxBytes`: a pipe or a device would never end. `code` is Node's, such as `ENOENT`. */
export async function readLimited(file: string, maxBytes: number): Promise<LimitedRead> {
  try {
    assertLocalPath(file);
    // Opening a pipe would otherwise block.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!(await handle.stat()).isFile()) return { ok: false, reason: 'unreadable' };
      const chunks: Buffer[] = [];
      // The reported size may be wrong, as in /proc. `end` is inclusive, so this reads one byte too many.
      const stream = handle.createReadStream({ end: maxBytes, autoClose: false });
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      return content.length > maxBytes ? { ok: false, reason: 'too-large' } : { ok: true, content };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { ok: false, reason: 'unreadable', code: errorCodeOf(error) };
  }
}
