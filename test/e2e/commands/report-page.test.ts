import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { renderHtmlReport } from '../../../main/check/reports/html-report.ts';
import { violationsOf } from '../../support/axe.ts';
import { openPage } from '../../support/open-page.ts';
import { hostileTexts, reportWith } from '../../support/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

it.each(['en', 'es'] as const)(
  'an HTML report is accessible and inert, whatever a server says (%s)',
  async (language) => {
    const file = path.join(await makeTemporaryFolder(), 'report.html');
    await writeFile(file, renderHtmlReport(reportWith(hostileTexts.join('').slice(0, 450)), language));
    const page = await openPage(file);
    await page.locator('h1').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();

    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(await page.locator('script, img, iframe, form, input, [style], a:not([href^="#"])').count()).toBe(0);
    expect(await page.locator('main > h1').count()).toBe(1);
    expect(asked.map((url) => path.basename(url))).toEqual(['report.html']);

    // The policy as the browser reads it.
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'$/);
    expect(await page.locator('body').evaluate((body) => getComputedStyle(body).borderTopWidth)).toBe('8px');
    const elementsOf = (html: string) =>
      page.evaluate(
        (text) =>
          [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('*')].map(
            ({ tagName, attributes }) => [tagName, Array.from(attributes, ({ name, value }) => `${name}=${value}`)],
          ),
        html,
      );
    const calm = await elementsOf(renderHtmlReport(reportWith('x'), language));
    expect(calm.length).toBeGreaterThan(500);
    for (const text of hostileTexts)
      expect(await elementsOf(renderHtmlReport(reportWith(text), language))).toEqual(calm);

    await page.locator('a[href="#E3"]').first().click();
    expect(await page.locator('details#E3').evaluate((details) => details.matches(':target'))).toBe(true);
    await page.locator('details#E3 summary').click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page, { more: ['best-practice'] })).toEqual([]);
    }
  },
);
