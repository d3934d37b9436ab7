import axe from 'axe-core';
import type { Page } from 'playwright-core';

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Returns what axe finds wrong with a page as it is shown now, one text for each rule that is broken.
 * @param options.more tags of rules beside those of WCAG 2.2 AA
 * @param options.only the one rule that is asked, of them all
 * @param options.from where the page can load axe from, if it can; otherwise its 600 kB are sent to each page
 */
export async function violationsOf(
  page: Page,
  { more = [], only, from }: { more?: readonly string[]; only?: string; from?: string } = {},
): Promise<string[]> {
  // axe would look into no frame, and our pages have none.
  if (page.frames().length > 1) throw new Error('The page has a frame, into which axe does not look.');
  if (!(await page.evaluate(() => 'axe' in window)))
    await (from === undefined ? page.evaluate(axe.source) : page.evaluate(`import(${JSON.stringify(from)})`));
  const rules: axe.RunOnly =
    only === undefined ? { type: 'tag', values: [...wcag, ...more] } : { type: 'rule', values: [only] };
  return page.evaluate(async (runOnly) => {
    // The source has just put it there.
    const { axe: there } = window as unknown as { axe: typeof axe };
    // Without this it also describes every element that passed.
    const { violations } = await there.run({ runOnly, resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
  }, rules);
}
