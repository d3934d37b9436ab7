import { app, BrowserWindow } from 'electron';

// This is what Electron itself costs: one window with an empty page, which says when it is ready to show.
void app.whenReady().then(() => {
  const bare = new BrowserWindow({ width: 1000, height: 880, show: false, webPreferences: { spellcheck: false } });
  bare.once('ready-to-show', () => {
    process.stdout.write(`${JSON.stringify({ readyAtMs: Date.now() })}\n`);
    bare.show();
  });
  return bare.loadURL('data:text/html,<!doctype html><title>Bare</title>');
});
app.on('window-all-closed', () => app.quit());
