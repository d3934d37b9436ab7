/** What can take the focus by Tab. */
const focusable = 'button:not([tabindex="-1"]), a[href], input, select, textarea, [tabindex="0"]';

/**
 * Gives the focus to the next part of the window: header, rail, room, dock, status bar, and around again (F6, as
 * browsers and desktops have it). A room takes it at its heading.
 */
export function nextRegion(): void {
  const regions = Array.from(document.querySelectorAll<HTMLElement>('[data-region]'));
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  for (let step = 1; step <= regions.length; step += 1) {
    const region = regions[(at + step) % regions.length];
    const target = region?.querySelector<HTMLElement>('h1[tabindex]') ?? region?.querySelector<HTMLElement>(focusable);
    if (target) {
      target.focus();
      return;
    }
  }
}
