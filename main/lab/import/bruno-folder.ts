import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../files/error-code.ts';
import { refuseNetworkPath } from '../../files/path-checks.ts';
import { readLimited, type LimitedRead } from '../../files/read-limited.ts';

const mostFiles = 2000;
const mostDepth = 10;

/**
 * Reads the files of a collection of Bruno, which is a folder, into one text with a zero between them. What a link leads
 * to is not looked at.
 */
export async function readBrunoFolder(folder: string, maxBytes: number): Promise<LimitedRead> {
  try {
    refuseNetworkPath(folder);
    const files = await filesIn(folder);
    const contents: Buffer[] = [];
    let left = maxBytes;
    for (const file of files) {
      const read = await readLimited(file, left);
      if (!read.ok) return read;
      left -= read.content.length;
      contents.push(read.content, Buffer.from('\0'));
    }
    return { ok: true, content: Buffer.concat(contents.slice(0, -1)) };
  } catch (error) {
    return { ok: false, reason: 'unreadable', code: codeOf(error) };
  }
}

/** The files of a folder, and then those of the folders in it, so that what holds for a whole collection comes first. */
async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  let level = [folder];
  for (let depth = 0; depth < mostDepth && level.length > 0 && found.length < mostFiles; depth += 1) {
    const below: string[] = [];
    for (const each of level.slice(0, mostFiles)) {
      for (const entry of await readdir(each, { withFileTypes: true })) {
        const isHidden = entry.name.startsWith('.') || entry.name === 'node_modules';
        if (entry.isDirectory() && !isHidden) below.push(path.join(each, entry.name));
        if (entry.isFile() && entry.name.endsWith('.bru')) found.push(path.join(each, entry.name));
      }
    }
    level = below;
  }
  return found.slice(0, mostFiles);
}
