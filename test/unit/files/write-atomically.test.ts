import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeAtomically } from '../../../main/files/write-atomically.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

describe('writing a file atomically', () => {
  it('replaces the content and leaves nothing else behind', async () => {
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'a.json');
    await writeFile(file, 'old');
    await writeAtomically(file, 'new');
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['a.json']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('rejects and leaves no temporary file when the target cannot be replaced', async () => {
    const folder = await makeTemporaryFolder();
    const target = path.join(folder, 'a.json');
    await mkdir(path.join(target, 'in the way'), { recursive: true });
    await expect(writeAtomically(target, 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(await readdir(folder)).toEqual(['a.json']);
  });
});
