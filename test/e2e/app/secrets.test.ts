import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openAtServer } from '../../support/open-at-server.ts';
import { processTree } from '../../support/process-tree.ts';
import { alertText, ana, createAccount, expectProfile, logIn, logOut, seen } from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

/** Reads every file in memory that a process has open: memfd, or one of /dev/shm, also when it has no name any more. */
async function memoryBackedFiles(pids: number[]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const pid of pids) {
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const file = `/proc/${pid}/fd/${fd}`;
      const target = await readlink(file).catch(() => '');
      if (!/^\/(memfd:|dev\/shm\/)/.test(target)) continue;
      const content = await readFile(file).catch(() => undefined);
      if (content) contents.set(`${pid} ${fd} ${target}`, content);
    }
  }
  return contents;
}

const isLinux = process.platform === 'linux';
if (!isLinux) console.log('Skipped the search of files in memory: only Linux shows them, in /proc');

it.skipIf(!isLinux)(
  'no secret of a whole journey is in a file of the profile, nor in a file that only memory holds',
  async () => {
    const { page, app, quit, foreign, userDataDir } = await openAtServer();
    const mistyped = 'a mistyped battery horse';
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await logOut(page);
    await logIn(page, { ...ana, password: mistyped });
    await alertText(page);
    await logIn(page, ana);
    await expectProfile(page, ana);
    await page.keyboard.press('Control+e');
    await seen(page.getByRole('option', { name: /POST .*login/ }).first());

    const secrets = [
      ana.password,
      mistyped,
      ...foreign.issued,
      ...[...foreign.issued].map((token) => token.split('|')[1]!),
    ];
    const inMemory = await memoryBackedFiles(await processTree(app.process().pid ?? 0));
    expect(inMemory.size).toBeGreaterThan(0);
    for (const secret of secrets) {
      const needles = [Buffer.from(secret), Buffer.from(secret, 'utf16le')];
      const found = [...inMemory].filter(([, content]) => needles.some((needle) => content.includes(needle)));
      expect(found.map(([name]) => name)).toEqual([]);
      expect(await filesContaining(userDataDir, secret)).toEqual([]);
    }
    expect(await page.title()).not.toContain(ana.email);
    await quit();
    for (const secret of secrets) expect(await filesContaining(userDataDir, secret)).toEqual([]);
    expect((await readdir(userDataDir)).map((name) => path.basename(name))).toContain('vault.json');
  },
);
