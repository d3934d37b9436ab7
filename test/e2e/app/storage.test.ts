import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openAtServer } from '../../support/open-at-server.ts';
import {
  answerQuestions,
  askAgain,
  questionsOf,
  ana,
  createAccount,
  expectProfile,
  seen,
} from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function openStorage(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+,');
  await seen(page.getByText('Everything is in one folder:'));
}

it('everything is erased: no file of ours, no secret, no account and no address is left', async () => {
  const { page, app, open, foreign, userDataDir } = await openAtServer('basic');
  await createAccount(page, ana);
  await expectProfile(page, ana);
  await openStorage(page);
  await seen(page.getByText('Protected by the Secret Service', { exact: false }).first());
  await page.getByLabel('Maximum calls').fill('1000000');
  await button(page, 'Save').click();
  await seen(page.getByText('A whole number from 10 to 100000.'));
  await page.getByLabel('Maximum calls').fill('40');
  await button(page, 'Save').click();
  await seen(page.getByText('Saved. Applies from the next call on.'));
  await expect.poll(() => readFile(path.join(userDataDir, 'config.json'), 'utf8')).toContain('"count": 40');
  await button(page, 'Show diagnostics').click();
  const shown = await page.getByRole('region', { name: 'Text of the diagnostics' }).innerText();
  for (const secret of [...foreign.issued, ana.email, ana.password, foreign.host]) expect(shown).not.toContain(secret);
  await button(page, 'Copy diagnostics').click();
  await seen(page.getByText('Copied.'));
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toContain('Llavero: ');

  await answerQuestions(app, false);
  await button(page, 'Erase everything…').click();
  await expect.poll(() => questionsOf(app)).toHaveLength(1);
  await expect.poll(() => filesContaining(userDataDir, ana.email)).not.toEqual([]);

  await askAgain(app);
  await answerQuestions(app, true);
  const ended = new Promise<void>((resolve) => void app.once('close', () => resolve()));
  await button(page, 'Erase everything…').click();
  await ended;
  const names = await readdir(userDataDir);
  expect(names.filter((name) => /^(config|vault|lock|service|calls|logs|snapshots)/.test(name))).toEqual([]);
  for (const text of [...foreign.issued, ana.email, ana.password, foreign.host])
    expect(await filesContaining(userDataDir, text)).toEqual([]);

  const again = await open();
  // It is a first start again.
  await seen(again.page.getByRole('heading', { name: 'Welcome to Llavero' }));
  expect(await again.page.locator('body').innerText()).not.toContain(foreign.host);
});
