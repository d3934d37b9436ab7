import { describe, expect, it } from 'vitest';
import { boundsOnScreen } from '../../../main/window/window-bounds.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1040 };

describe('the place of a window', () => {
  it('is the one where it was closed', () => {
    const place = { x: 100, y: 50, width: 1000, height: 800 };
    expect(boundsOnScreen(place, screen)).toEqual(place);
  });

  it('may reach over the edges for as long as its title can be taken hold of', () => {
    expect(boundsOnScreen({ x: 1800, y: 1000, width: 1000, height: 800 }, screen)).toBeDefined();
    expect(boundsOnScreen({ x: -880, y: 0, width: 1000, height: 800 }, screen)).toBeDefined();
  });

  it.each([
    ['right of the screen', { x: 1900, y: 50 }],
    ['left of it', { x: -950, y: 50 }],
    ['above it', { x: 100, y: -10 }],
    ['below it', { x: 100, y: 1030 }],
    ['on a screen that is gone', { x: 4000, y: 50 }],
  ])('is forgotten %s', (_where, at) => {
    expect(boundsOnScreen({ ...at, width: 1000, height: 800 }, screen)).toBeUndefined();
  });

  it('makes the window no larger than a smaller screen', () => {
    expect(boundsOnScreen({ x: 0, y: 0, width: 2500, height: 1400 }, screen)).toEqual({ ...screen });
  });
});
