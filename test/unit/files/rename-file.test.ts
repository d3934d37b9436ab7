import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { renameFile } from '../../../main/files/rename-file.ts';
import { makeHeldFile } from '../../support/disks.ts';

/** Long enough for a first try, and far shorter than it is tried for. */
const afterFirstTryMs = 200;

it('on Windows, a file that something else holds is replaced once it is let go', async (context) => {
  const { file, letGo } = await makeHeldFile(context);
  const newer = `${file}.new`;
  await writeFile(newer, 'newer');
  const renamed = renameFile(newer, file, 'win32').then(() => 'renamed');
  expect(await Promise.race([renamed, wait(afterFirstTryMs, 'waiting')])).toBe('waiting');
  letGo();
  expect(await renamed).toBe('renamed');
  expect(await readFile(file, 'utf8')).toBe('newer');
});

it('elsewhere, nothing waits', async (context) => {
  const { file } = await makeHeldFile(context);
  await writeFile(`${file}.new`, 'newer');
  await expect(renameFile(`${file}.new`, file, 'linux')).rejects.toThrow('EBUSY');
});
