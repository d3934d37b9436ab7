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
    // Mantine names a variant only where one is chosen; without one a button is filled.
    const isFilled = '.mantine-Button-root:is([data-variant=filled], :not([data-variant]))';
    const filled = [...(dialog ?? document.body).querySelectorAll<HTMLElement>(isFilled)];
    return filled.filter((each) => each.checkVisibility()).map((each) => each.innerText.trim());
  });
