import type { BrowserWindow } from 'electron';
import { z } from 'zod';
import type { Press } from '../questions/typed-texts.ts';

/**
 * Electron documents `type` alone, and tells of a key what DOM would. A key that one day lacks these counts as nothing
 * that was typed, and main asks.
 */
const Pressed = z.discriminatedUnion('type', [
  z.object({ type: z.literal('mouseDown') }),
  z.object({
    type: z.enum(['keyDown', 'rawKeyDown']),
    key: z.string(),
    isComposing: z.boolean(),
    control: z.boolean(),
    alt: z.boolean(),
    meta: z.boolean(),
  }),
]);

/**
 * Tells what a person presses in a window. These are the events that go to the page, not those that a script in the page
 * makes.
 */
export function tellPresses(window: BrowserWindow, pressed: (press: Press) => void): void {
  window.webContents.on('input-event', (_event, input: unknown) => {
    const parsed = Pressed.safeParse(input);
    if (!parsed.success) return;
    if (parsed.data.type === 'mouseDown') return pressed({ by: 'mouse' });
    const { key, isComposing, control, alt, meta } = parsed.data;
    // With AltGr, which some layouts need for `@` and `[`, Windows says Control and Alt.
    const command = meta || control !== alt;
    pressed({ by: 'key', key: isComposing ? 'Process' : key, command });
  });
}
