import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { launchApp } from '../../support/launch-app.ts';
import { answerQuestions, askAgain, expectText, pageHeading, questionsOf, seen } from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { announcementOf, startUpdateServer, type UpdateAnswer } from '../../support/update-server.ts';

const updates = (page: Page) => page.getByRole('region', { name: 'Updates', exact: true });
const button = (page: Page, name: string | RegExp) => updates(page).getByRole('button', { name });

/** Starts the application as if from an AppImage, with a server of updates on loopback, and opens the settings. */
async function open() {
  const folder = await makeTemporaryFolder();
  const server = await startUpdateServer();
  onTestFinished(() => server.close());
  const appImage = path.join(folder, 'Llavero.AppImage');
  await writeFile(appImage, 'old');
  await chmod(appImage, 0o755);
  const feed = path.join(folder, 'app-update.yml');
  await writeFile(feed, `provider: generic\nurl: ${server.folder}\nupdaterCacheDirName: llavero-updater\n`);
  const cache = path.join(folder, 'cache');
  // The launcher of an AppImage names the folder of its contents, in which the program lies.
  const env = {
    LLAVERO_UPDATES: feed,
    APPIMAGE: appImage,
    APPDIR: path.dirname(process.execPath),
    XDG_CACHE_HOME: cache,
  };
  const running = await launchApp({ env });
  const { page } = running;
  await seen(pageHeading(page, 'Log in'));
  await page.keyboard.press('ControlOrMeta+,');
  await seen(button(page, 'Check for updates'));
  return {
    ...running,
    server,
    appImage,
    log: path.join(folder, 'started'),
    pending: path.join(cache, 'llavero-updater/pending'),
  };
}

/** A file that takes the place of an AppImage: it writes down that it was started, as the launcher of one would. */
const newAppImage = (log: string): string =>
  `#!/bin/sh\n[ -n "$APPIMAGE_EXIT_AFTER_INSTALL" ] && exit 0\necho started > '${log}'\n`;

const unusable: readonly (readonly [UpdateAnswer, string | RegExp])[] = [
  [{ body: announcementOf('x', { version: '0.1.0' }) }, /^You have the latest version\. Last checked: /],
  [{ body: announcementOf('x', { version: '0.0.9' }) }, /^You have the latest version\. Last checked: /],
  [
    { body: '<!doctype html><title>Sign in</title>' },
    'The update information is damaged or incomplete and was not used.',
  ],
  [{ body: announcementOf('x').slice(0, 40) }, 'The update information is damaged or incomplete and was not used.'],
  [{ status: 404 }, 'The update server has nothing for Llavero.'],
  [{ status: 500 }, 'The update server has nothing for Llavero.'],
  [{ body: announcementOf('x'), isCut: true }, 'Llavero could not reach the update server.'],
  [
    { body: announcementOf('x', { file: 'llavero_0.2.0_amd64.deb' }) },
    'There is a new version, but not for this kind of computer.',
  ],
];

it('what cannot be used is refused with its sentence, and a newer version is taken in once the person agreed', async () => {
  const { page, app, server, appImage, log, pending, quit } = await open();
  const content = newAppImage(log);
  const status = updates(page).getByRole('status');
  for (const [feed, sentence] of unusable) {
    server.has.feed = feed;
    await button(page, 'Check for updates').click();
    await expectText(status, sentence);
  }
  server.has.feed = { body: announcementOf(content, { notes: 'Quieter.\u202E<b>Faster.</b>' }) };
  await button(page, 'Check for updates').click();
  await expectText(status, 'Llavero 0.2.0 is available.');
  await seen(updates(page).getByText('Quieter. <b>Faster.</b>'));
  expect(new Set(server.asked)).toEqual(new Set(['/latest-linux.yml']));
  // Nothing that comes again tells one installation from another.
  expect(new Set(server.headers.map((each) => JSON.stringify(each))).size).toBe(1);

  const files: readonly (readonly [UpdateAnswer, string])[] = [
    [
      { body: content.replace('started', 'stopped') },
      'The download does not match the announced version and was not used.',
    ],
    [{ body: content.slice(0, -5), isCut: true }, 'Llavero could not download the new version. Try again later.'],
    [{ status: 404 }, 'Llavero could not download the new version. Try again later.'],
  ];
  for (const [file, sentence] of files) {
    server.has.file = file;
    await button(page, 'Download').click();
    await expectText(updates(page).getByRole('alert'), sentence);
    expect(await readFile(appImage, 'utf8')).toBe('old');
  }
  server.has.file = { body: content };
  await button(page, 'Download').click();
  await seen(page.getByRole('contentinfo').getByRole('button', { name: 'Ready to install' }));
  expect(await readdir(pending)).toContain('Llavero-0.2.0-x86_64.AppImage');

  await answerQuestions(app, false);
  await button(page, 'Install and restart').click();
  await expect.poll(() => questionsOf(app)).toMatchObject([{ message: 'Install Llavero 0.2.0 now?', defaultId: 1 }]);
  expect(await readFile(appImage, 'utf8')).toBe('old');

  await askAgain(app);
  await answerQuestions(app, true);
  const closed = new Promise<void>((resolve) => app.once('close', () => resolve()));
  // The press may end the application before it is known to be done.
  await Promise.allSettled([closed, button(page, 'Install and restart').click()]);
  expect(await readFile(appImage, 'utf8')).toBe(content);
  // The new version was started by the old one, once that had ended.
  await expect.poll(() => readFile(log, 'utf8').catch(() => '')).toBe('started\n');
  await quit();
});
