import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openAtServer } from '../../support/open-at-server.ts';
import { processTree } from '../../support/process-tree.ts';
import {
  alertText,
  ana,
  answerQuestions,
  askAgain,
  createAccount,
  expectProfile,
  logIn,
  logOut,
  questionsOf,
  seen,
} from '../../support/screens.ts';
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

const pasted = 'a pasted battery horse';

/** Pastes a log-in with its password, and leaves what was found before it is used. */
async function leaveImportUnfinished(page: Page, userDataDir: string): Promise<void> {
  await page.keyboard.press('Alt+5');
  await page.locator('summary').filter({ hasText: 'API type' }).click();
  await page.getByRole('button', { name: 'Paste curl…' }).click();
  const command = `curl https://shop.example.test/v2/session/login --json '{"email":"a@b.test","password":"${pasted}"}'`;
  await page.getByLabel('Command or text').fill(command);
  await seen(page.getByRole('list', { name: 'Parts' }));
  const config = path.join(userDataDir, 'config.json');
  await expect.poll(() => filesContaining(userDataDir, '/v2/session/login')).toContain(config);
  await page.keyboard.press('Escape');
  await seen(page.getByRole('button', { name: 'Continue' }));
}

it('no secret of a whole journey is on the page, in a file of the profile, nor in a file that only memory holds', async (context) => {
  context.skip(process.platform !== 'linux', 'only Linux shows files in memory, in /proc');
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

  await leaveImportUnfinished(page, userDataDir);

  const secrets = [
    ana.password,
    mistyped,
    pasted,
    ...foreign.issued,
    ...[...foreign.issued].map((token) => token.split('|')[1]!),
  ];
  const inMemory = await memoryBackedFiles(await processTree(app.process().pid ?? 0));
  expect(inMemory.size).toBeGreaterThan(0);
  for (const secret of secrets) {
    const needles = [Buffer.from(secret), Buffer.from(secret, 'utf16le')];
    const found = [...inMemory].filter(([, content]) => needles.some((needle) => content.includes(needle)));
    expect(found.map(([name]) => name)).toEqual([]);
    expect(await page.content()).not.toContain(secret);
    expect(await filesContaining(userDataDir, secret)).toEqual([]);
  }
  expect(await page.title()).not.toContain(ana.email);
  await quit();
  for (const secret of secrets) expect(await filesContaining(userDataDir, secret)).toEqual([]);
  expect((await readdir(userDataDir)).map((name) => path.basename(name))).toContain('vault.json');
});

it('everything is erased: no file of ours, no secret, no account and no address is left', async () => {
  const { page, app, open, foreign, userDataDir } = await openAtServer('basic');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await createAccount(page, ana);
  await expectProfile(page, ana);
  await page.keyboard.press('ControlOrMeta+,');
  await seen(page.getByText('Protected by the system keyring', { exact: false }).first());
  await button('Show diagnostics').click();
  const shown = await page.getByRole('region', { name: 'Diagnostics text' }).innerText();
  for (const secret of [...foreign.issued, ana.email, ana.password, foreign.host]) expect(shown).not.toContain(secret);
  await button('Copy diagnostics').click();
  await seen(page.getByText('Copied.'));
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toContain('Llavero: ');

  const compiled = async () =>
    (await readdir(userDataDir, { recursive: true })).filter((name) => /^Code Cache\/js\/[\da-f]+_\d$/.test(name));
  expect(await compiled()).not.toEqual([]);

  await answerQuestions(app, false);
  await button('Erase everything…').click();
  await expect.poll(() => questionsOf(app)).toHaveLength(1);
  await expect.poll(() => filesContaining(userDataDir, ana.email)).not.toEqual([]);

  await askAgain(app);
  await answerQuestions(app, true);
  const ended = new Promise<void>((resolve) => void app.once('close', () => resolve()));
  // The press may end the application before it is known to be done.
  await Promise.allSettled([ended, button('Erase everything…').click()]);
  const names = await readdir(userDataDir);
  expect(names.filter((name) => /^(config|vault|lock|service|calls|logs|snapshots)/.test(name))).toEqual([]);
  expect(await compiled()).toEqual([]);
  for (const text of [...foreign.issued, ana.email, ana.password, foreign.host])
    expect(await filesContaining(userDataDir, text)).toEqual([]);

  const again = await open();
  // It is a first start again.
  await seen(again.page.getByRole('heading', { name: 'Welcome to Llavero' }));
  expect(await again.page.locator('body').innerText()).not.toContain(foreign.host);
});
