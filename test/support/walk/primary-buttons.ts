import type { Page } from 'playwright-core';

/**
 * Returns the texts of the buttons that stand out as what to press next, in the dialog if there is one, or else on the
 * whole page. A view has one at most.
 */
export const primaryButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const dialog = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].findLast((each) =>
      each.checkVisibility(),
    );
    const filled = [...(dialog ?? document.body).querySelectorAll<HTMLElement>('button[data-variant=filled]')];
    return filled.filter((each) => each.checkVisibility()).map((each) => each.innerText.trim());
  });
