import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import en from '../../../renderer/locales/en.json' with { type: 'json' };
import { makeCopyWithUpdates } from '../../support/copy-with-updates.ts';
import { launchApp } from '../../support/launch-app.ts';
import { answerQuestions, askAgain, expectText, heading, questionsOf, seen } from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { feedTrials, fileTrials, newAppImage } from '../../support/update-trials.ts';

const updates = (page: Page) => page.getByRole('region', { name: 'Updates', exact: true });
const button = (page: Page, name: string | RegExp) => updates(page).getByRole('button', { name });

/** Starts the application as if from an AppImage, with a server of updates on loopback, and opens the settings. */
async function open() {
  const copy = await makeCopyWithUpdates(await makeTemporaryFolder());
  onTestFinished(copy.close);
  const running = await launchApp(copy);
  const { page } = running;
  await seen(heading(page, 'Log in'));
  await page.keyboard.press('ControlOrMeta+,');
  await seen(button(page, 'Look for updates'));
  return { ...running, ...copy };
}

/** Of all trials, which `npm run prove -- updates` goes through, these depend on the way that Electron fetches. */
const ofTheNetwork = /connection|redirect|without an end|a newer version|as announced/;

const sentenceOf = (comes: string): string | RegExp =>
  comes === 'current'
    ? /^You have the newest version\. Llavero looked at /
    : comes === 'available'
      ? 'Llavero 0.2.0 is available.'
      : (en.updates.problem as Record<string, string>)[comes]!;

it('a feed that is not good is refused with its sentence, and a good one is taken in once the person agreed', async () => {
  const { page, app, server, elsewhere, appImage, log, quit } = await open();
  const content = newAppImage(log);
  const status = updates(page).getByRole('status');
  for (const { answers, comes } of feedTrials(content, elsewhere.folder).filter(({ of }) => ofTheNetwork.test(of))) {
    server.has.feed = answers;
    await button(page, 'Look for updates').click();
    await expectText(status, sentenceOf(comes));
  }
  expect(new Set(server.asked)).toEqual(new Set(['/llavero-updates.json']));
  await seen(updates(page).getByText('Quieter.'));

  for (const { answers, comes } of fileTrials(content, elsewhere.folder).filter(({ of }) => ofTheNetwork.test(of))) {
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
