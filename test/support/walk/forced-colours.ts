import type { Page } from 'playwright-core';

/**
 * Lists what cannot be told in the colours of the system, which draws no shade and no shadow: what is chosen or floats
 * without an outline or another edge, and switches that are on and look as those that are off.
 */
export async function lostInForcedColours(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const found = await page.evaluate(() => {
    const chosen = '[aria-current], [aria-pressed=true], [aria-selected=true]:not([data-combobox-option])';
    const floating = '.mantine-Menu-dropdown, .mantine-Combobox-dropdown, .mantine-Modal-content';
    const edgeless = [...document.querySelectorAll(`${chosen}, ${floating}`)].filter(
      (element) => element.checkVisibility() && getComputedStyle(element).outlineStyle === 'none',
    );
    // Ours is the field itself, Mantine's stands beside a field that nobody sees.
    const trackOf = (field: Element) => (field.matches('.mantine-Switch-input') ? field.nextElementSibling! : field);
    const groundOf = (field: Element) => getComputedStyle(trackOf(field)).backgroundColor;
    const switches = [...document.querySelectorAll('input[role=switch]')].filter((field) =>
      trackOf(field).checkVisibility(),
    );
    const on = switches.filter((field) => field.matches(':checked'));
    const alike = switches.filter((off) => !on.includes(off) && on.some((each) => groundOf(each) === groundOf(off)));
    return [
      ...edgeless.map(({ outerHTML }) => `has no edge: ${outerHTML.slice(0, 200)}`),
      ...alike.map(({ outerHTML }) => `is off and looks as one that is on: ${outerHTML.slice(0, 200)}`),
    ];
  });
  await page.emulateMedia({ forcedColors: 'none' });
  return found;
}
