import { expect, it } from 'vitest';
import { nextZoom, zoomFactor } from '../../../main/window/zoom-steps.ts';
import { firstStart } from '../../support/stub-main/states.ts';

it('the size of the page goes through the same steps in both directions, and stays at the ends', () => {
  const up = [0.5, 1, 1.03, 1.25, 3].map((zoom) => nextZoom(zoom, 'in'));
  expect(up).toEqual([0.67, 1.1, 1.1, 1.5, 3]);
  const down = [0.5, 1, 1.03, 1.25, 3].map((zoom) => nextZoom(zoom, 'out'));
  expect(down).toEqual([0.5, 0.9, 1, 1.1, 2.5]);
});

it('the page is larger while a person presents, but not larger than the largest size', () => {
  const settings = { ...firstStart.settings, presenting: true };
  expect(zoomFactor({ zoom: 1.1, settings: firstStart.settings })).toBe(1.1);
  expect(zoomFactor({ zoom: 1, settings })).toBe(1.25);
  expect(zoomFactor({ zoom: 3, settings })).toBe(3);
});
