import type { BrowserWindow } from 'electron';

/** Shows a window above the others, whatever was done with it. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.focus();
}
