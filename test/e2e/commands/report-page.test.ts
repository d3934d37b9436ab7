import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { _electron } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { htmlReport } from '../../../main/contract-run/reports/html.ts';
import { violationsOf } from '../../support/axe.ts';
import { hostileTexts, reportWith } from '../../support/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

/** Opens a file in a browser window, and returns the page and every address that it asked for. */
async function openFile(file: string) {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...env } = process.env;
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = await _electron.launch({
    executablePath: process.execPath,
    args: [
      path.join(import.meta.dirname, '../../support/page-window.mjs'),
      ...asRoot,
      '--disable-gpu',
      `--user-data-dir=${await makeTemporaryFolder()}`,
      file,
    ],
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    chromiumSandbox: true,
  });
  onTestFinished(() => app.close());
  return app.firstWindow();
}

it.each(['en', 'es'] as const)(
  'an HTML report is accessible and inert, whatever a server says (%s)',
  async (language) => {
    const file = path.join(await makeTemporaryFolder(), 'report.html');
    await writeFile(file, htmlReport(reportWith(hostileTexts.join('').slice(0, 450)), language));
    const page = await openFile(file);
    await page.locator('h1').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();

    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(
      await page.locator('script, img, iframe, form, input, a:not([href^="#E"], [href^="#finding-"])').count(),
    ).toBe(0);
    expect(await page.locator('main > h1').count()).toBe(1);
    expect(asked.map((url) => path.basename(url))).toEqual(['report.html']);

    await page.locator('a[href="#E3"]').first().click();
    expect(await page.locator('details#E3').evaluate((details) => details.matches(':target'))).toBe(true);
    await page.locator('details#E3 summary').click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page, { more: ['best-practice'] })).toEqual([]);
    }
  },
);
