import { zoomBounds } from '../account/config/zoom-bounds.ts';

/** The sizes that one goes through, as browsers have them. */
const steps = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

/** How much larger the window is while it is shown to others. */
const whilePresenting = 1.25;

/** Returns the next size in a direction, or the same one at the end. */
export const nextZoom = (zoom: number, direction: 'in' | 'out'): number =>
  (direction === 'in' ? steps.find((step) => step > zoom + 0.01) : steps.findLast((step) => step < zoom - 0.01)) ??
  zoom;

/** Returns how large the page is shown. */
export function zoomFactor({ zoom, settings }: { zoom: number; settings: { presenting: boolean } }): number {
  return Math.min(zoom * (settings.presenting ? whilePresenting : 1), zoomBounds.most);
}
