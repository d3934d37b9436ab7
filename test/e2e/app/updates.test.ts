import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import en from '../../../renderer/locales/en.json' with { type: 'json' };
import { launchApp } from '../../support/launch-app.ts';
import { answerQuestions, askAgain, expectText, heading, questionsOf, seen } from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { makersKey } from '../../support/update-feeds.ts';
import { startUpdateServer } from '../../support/update-server.ts';
import { feedTrials, fileTrials, newAppImage, seenBefore } from '../../support/update-trials.ts';

const updates = (page: Page) => page.getByRole('region', { name: 'Updates', exact: true });
const button = (page: Page, name: string | RegExp) => updates(page).getByRole('button', { name });

/** Starts the application as if from an AppImage, with a server of updates on loopback. */
async function open() {
  const [server, elsewhere] = await Promise.all([startUpdateServer(), startUpdateServer()]);
  onTestFinished(async () => void (await Promise.all([server.close(), elsewhere.close()])));
  const folder = await makeTemporaryFolder();
  const appImage = path.join(folder, 'Llavero.AppImage');
  await writeFile(appImage, 'old');
  await chmod(appImage, 0o755);
  const source = path.join(folder, 'updates.json');
  await writeFile(source, JSON.stringify({ updates: server.folder, key: makersKey }));
  const userDataDir = await makeTemporaryFolder();
  const settings = { welcomed: true, workbench: true };
  await writeFile(
    path.join(userDataDir, 'config.json'),
    JSON.stringify({ version: 2, settings, newestFeed: seenBefore }),
  );
  const running = await launchApp({ userDataDir, env: { LLAVERO_UPDATES: source, APPIMAGE: appImage } });
  const { page } = running;
  await seen(heading(page, 'Log in'));
  await page.keyboard.press('ControlOrMeta+,');
  await seen(button(page, 'Look for updates'));
  return { ...running, server, elsewhere, appImage, log: path.join(folder, 'started') };
}

const sentenceOf = (comes: string): string | RegExp =>
  comes === 'current'
    ? /^You have the newest version\. Llavero looked at /
    : comes === 'available'
      ? 'Llavero 0.2.0 is available.'
      : (en.updates.problem as Record<string, string>)[comes]!;

it('every feed but a good one is refused with its sentence, and a good one is taken in once the person agreed', async () => {
  const { page, app, server, elsewhere, appImage, log, quit } = await open();
  const content = newAppImage(log);
  const status = updates(page).getByRole('status');
  for (const { answers, comes } of feedTrials(content, elsewhere.folder)) {
    server.has.feed = answers;
    await button(page, 'Look for updates').click();
    await expectText(status, sentenceOf(comes));
  }
  expect(new Set(server.asked)).toEqual(new Set(['/llavero-updates.json']));
  await seen(updates(page).getByText('Quieter.'));

  for (const { answers, comes } of fileTrials(content, elsewhere.folder)) {
    server.has.file = answers;
    await button(page, 'Download').click();
    if (comes !== 'ready') await expectText(updates(page).getByRole('alert'), sentenceOf(comes));
    expect(await readFile(appImage, 'utf8')).toBe('old');
  }
  expect(elsewhere.asked).toEqual([]);
  await seen(page.getByRole('contentinfo').getByRole('button', { name: 'Ready to install' }));

  await answerQuestions(app, false);
  await button(page, 'Install and start again').click();
  await expect.poll(() => questionsOf(app)).toMatchObject([{ message: 'Install Llavero 0.2.0 now?', defaultId: 1 }]);
  expect(await readFile(appImage, 'utf8')).toBe('old');

  await askAgain(app);
  await answerQuestions(app, true);
  const closed = new Promise<void>((resolve) => app.once('close', () => resolve()));
  await button(page, 'Install and start again').click();
  await closed;
  expect(await readFile(appImage, 'utf8')).toBe(content);
  // The new version was started by the old one, once that had ended.
  await expect.poll(() => readFile(log, 'utf8').catch(() => '')).toBe('started\n');
  await quit();
});
