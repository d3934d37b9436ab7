import type { BrowserWindow } from 'electron';
import { z } from 'zod';

const Pressed = z.object({ type: z.enum(['mouseDown', 'keyDown', 'rawKeyDown']) });

/**
 * Tells that a person presses something in a window, and not what. These are the events that go to the page, not those
 * that a script in the page makes.
 */
export function watchUserActivation(window: BrowserWindow, pressed: () => void): void {
  window.webContents.on('input-event', (_event, input: unknown) => {
    if (Pressed.safeParse(input).success) pressed();
  });
}
