import type { Page } from 'playwright-core';

/** Lists what Tab reaches in another order than the one in which it is read, from left to right and downwards. */
export const focusOrder = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const reachable = [
      ...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]'),
    ];
    const fields = reachable.filter((each) => each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true }));
    const short = (element: Element) => element.outerHTML.slice(0, 120);
    const jumps = fields.filter((each) => each.tabIndex > 0).map((each) => `is reached out of turn: ${short(each)}`);
    const backwards = fields.flatMap((each, index) => {
      const next = fields[index + 1];
      if (!next || next.parentElement !== each.parentElement) return [];
      const [one, other] = [each.getBoundingClientRect(), next.getBoundingClientRect()];
      const isAbove = other.bottom <= one.top;
      const isLeft = other.right <= one.left && other.top < one.bottom && one.top < other.bottom;
      return isAbove || isLeft ? [`is reached before what stands before it: ${short(each)}, ${short(next)}`] : [];
    });
    return [...jumps, ...backwards];
  });
