type Rectangle = { x: number; y: number; width: number; height: number };

/** So much of the window's title must be on the screen that a person can take hold of it. */
const reachable = { width: 100, height: 30 };

/**
 * Returns where a window opens that was closed at a place. It is not larger than the screen, and a window of which too
 * little would be on it, as on a screen that was unplugged since, has no place of its own: it is undefined then.
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
