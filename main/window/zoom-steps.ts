import { zoomBounds } from '../account/config/zoom-bounds.ts';

/** As in browsers. */
const steps = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

const presentingFactor = 1.25;

export const nextZoom = (zoom: number, direction: 'in' | 'out'): number =>
  (direction === 'in' ? steps.find((step) => step > zoom + 0.01) : steps.findLast((step) => step < zoom - 0.01)) ??
  zoom;

export function zoomFactor({ zoom, settings }: { zoom: number; settings: { presenting: boolean } }): number {
  return Math.min(zoom * (settings.presenting ? presentingFactor : 1), zoomBounds.most);
}
