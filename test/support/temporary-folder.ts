import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { errorCodeOf } from '../../main/files/error-code.ts';

/** Makes a folder for one test, which is removed when the test ends. */
export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Writes files into a folder that goes with the test, and says where they are. */
export async function writeFiles<Name extends string>(
  contents: Record<Name, string | Buffer>,
): Promise<Record<Name, string>> {
  const folder = await makeTemporaryFolder();
  const written = Object.entries<string | Buffer>(contents).map(async ([name, content]) => {
    const file = path.join(folder, name);
    await writeFile(file, content);
    return [name, file] as const;
  });
  // Object.fromEntries forgets which names went in.
  return Object.fromEntries(await Promise.all(written)) as Record<Name, string>;
}

/** The files below a folder that contain a text, in UTF-8 or UTF-16, or its base64. */
export async function filesContaining(folder: string, text: string): Promise<string[]> {
  const needles = [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(Buffer.from(text).toString('base64'))];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = await readFile(file).catch((error: unknown) => {
      // Chromium removes temporary files of its own meanwhile.
      if (errorCodeOf(error) === 'ENOENT') return Buffer.alloc(0);
      throw error;
    });
    if (needles.some((needle) => content.includes(needle))) found.push(file);
  }
  return found;
}
