type Rectangle = { x: number; y: number; width: number; height: number };

/** The part of the title bar that must be on the screen, so that the window can be dragged. */
const reachable = { width: 100, height: 30 };

/**
 * Returns the bounds at which a window reopens, no larger than the screen; undefined if too little of it would be
 * visible, as after a screen was unplugged.
 * @param workArea the part of the nearest screen that is free for windows
 */
export function boundsOnScreen(remembered: Rectangle, workArea: Rectangle): Rectangle | undefined {
  const width = Math.min(remembered.width, workArea.width);
  const height = Math.min(remembered.height, workArea.height);
  const { x, y } = remembered;
  const shown = Math.min(x + width, workArea.x + workArea.width) - Math.max(x, workArea.x);
  const isInReach =
    shown >= Math.min(reachable.width, width) &&
    y >= workArea.y &&
    y + reachable.height <= workArea.y + workArea.height;
  return isInReach ? { x, y, width, height } : undefined;
}
