import type { BrowserWindow } from 'electron';
import { z } from 'zod';

const ActivationEvent = z.object({ type: z.enum(['mouseDown', 'keyDown', 'rawKeyDown']) });

/** Calls back for a key or mouse button of the user. A script in the page cannot cause these events. */
export function watchUserActivation(window: BrowserWindow, onUserActivation: () => void): void {
  window.webContents.on('input-event', (_event, input: unknown) => {
    if (ActivationEvent.safeParse(input).success) onUserActivation();
  });
}
