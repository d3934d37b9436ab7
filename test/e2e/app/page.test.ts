import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { launchApp, makeProfile } from '../../support/launch-app.ts';

it.each([
  ['en', 'system'],
  ['es', 'es'],
])('the first page is served in its language, with the texts of that one alone: %s', async (language, setting) => {
  const userDataDir = await makeProfile();
  const settings = { language: setting, welcomed: true };
  await writeFile(path.join(userDataDir, 'config.json'), JSON.stringify({ version: 1, settings }));
  const { page } = await launchApp({ userDataDir });
  const linked = await page
    .locator('link[data-language]')
    .evaluateAll((links) => links.map((link) => link.dataset['language']));
  expect(linked).toEqual([language]);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
});
