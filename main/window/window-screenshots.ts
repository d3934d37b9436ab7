import type { BrowserWindow, NativeImage } from 'electron';
import { setTimeout as pause } from 'node:timers/promises';
import { writeAtomically } from '../files/write-atomically.ts';

const screenshotIntervalMs = 500;

/** Saves the window to `file` for users without a display. The last frame is always saved; frames in between may be skipped. */
export function saveWindowScreenshots(window: BrowserWindow, file: string): void {
  let latest: NativeImage | undefined;
  let writing = false;

  async function write(): Promise<void> {
    if (writing) return;
    writing = true;
    while (latest) {
      const image = latest;
      latest = undefined;
      await writeAtomically(file, image.toPNG());
      await pause(screenshotIntervalMs, undefined, { ref: false });
    }
    writing = false;
  }

  window.webContents.beginFrameSubscription(false, (image) => {
    latest = image;
    // A full disk is no reason to end: the next frame tries again.
    write().catch(() => (writing = false));
  });
}
