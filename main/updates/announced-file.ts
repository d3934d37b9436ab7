import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { failed, type Fetch, fetchLimited, isFailed } from './fetch-limited.ts';
import type { FeedFile } from './feed.ts';

/**
 * Downloads a file of the feed to a new place, and leaves nothing there that is not what was announced to a bit.
 * Throws `Failed`.
 * @param options.onBytes told how many bytes there are so far
 */
export async function fetchAnnounced(options: {
  fetch: Fetch;
  url: string;
  file: FeedFile;
  destination: string;
  signal: AbortSignal;
  onBytes: (bytes: number) => void;
}): Promise<void> {
  const { fetch, url, file, destination, signal, onBytes } = options;
  const handle = await open(destination, 'w', 0o600).catch(() => {
    throw failed('disk');
  });
  const hash = createHash('sha512');
  let bytes = 0;
  try {
    // One byte more than was announced already tells that it is another file.
    for await (const piece of fetchLimited(fetch, url, { maxBytes: file.bytes, signal })) {
      hash.update(piece);
      bytes += piece.length;
      await handle.write(piece).catch(() => {
        throw failed('disk');
      });
      onBytes(bytes);
    }
    await handle.sync();
  } catch (error) {
    throw isFailed(error) && error.problem === 'too-large' ? failed('changed') : error;
  } finally {
    await handle.close();
  }
  if (bytes < file.bytes) throw failed('cut-off');
  if (hash.digest('base64') !== file.sha512) throw failed('changed');
}

/** Says whether a file on this computer still is the one that was announced. */
export async function isAnnounced(path: string, file: FeedFile): Promise<boolean> {
  try {
    if ((await stat(path)).size !== file.bytes) return false;
    const hash = createHash('sha512');
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece);
    return hash.digest('base64') === file.sha512;
  } catch {
    return false;
  }
}
