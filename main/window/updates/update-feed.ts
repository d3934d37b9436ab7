import { access } from 'node:fs/promises';
import { z } from 'zod';
import { readLimited } from '../../files/read-limited.ts';

/** The files that enable and disable updates. Each is absent on most computers. */
export type UpdateConfigFiles = {
  /** electron-builder writes it into a package that has a feed: its address. */
  feed: string | undefined;
  /** An administrator writes these, to switch updates off. */
  administrators: readonly string[];
};

type Off = { why: 'not-configured' | 'managed' } | { why: 'unusable'; file: string };

const maxBytes = 16 * 1024;
const Switch = z.strictObject({ updates: z.literal('off') });

/** Returns why updates are disabled. A file that cannot be read disables them: it may have been meant to. */
export async function readDisabledReason({ feed, administrators }: UpdateConfigFiles): Promise<Off | undefined> {
  for (const file of administrators) {
    const read = await readLimited(file, maxBytes);
    if (!read.ok && read.code === 'ENOENT') continue;
    return read.ok && isSwitch(read.content.toString('utf8')) ? { why: 'managed' } : { why: 'unusable', file };
  }
  const hasFeed =
    feed !== undefined &&
    (await access(feed).then(
      () => true,
      () => false,
    ));
  return hasFeed ? undefined : { why: 'not-configured' };
}

function isSwitch(text: string): boolean {
  try {
    return Switch.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
