import { app, BrowserWindow } from 'electron';

const main = Date.now();

// This is what Electron itself costs: one window with an empty page, which says when it is ready to show.
void app.whenReady().then(() => {
  const ready = Date.now();
  const bare = new BrowserWindow({ width: 1000, height: 880, show: false, webPreferences: { spellcheck: false } });
  const window = Date.now();
  bare.once('ready-to-show', () => {
    const frame = Date.now();
    process.stdout.write(`${JSON.stringify({ readyAtMs: frame, marks: { main, ready, window, frame } })}\n`);
    bare.show();
  });
  return bare.loadURL('data:text/html,<!doctype html><title>Bare</title>');
});
app.on('window-all-closed', () => app.quit());
