import { app, BrowserWindow } from 'electron';
import { driven } from './driven.mjs';

// This shows the HTML file or the address that is last on the command line, as a browser does.
void Promise.all([app.whenReady(), driven]).then(() => {
  const window = new BrowserWindow({ width: 1000, height: 880, webPreferences: { spellcheck: false } });
  const what = process.argv.at(-1);
  return what.startsWith('http:') ? window.loadURL(what) : window.loadFile(what);
});
app.on('window-all-closed', () => app.quit());
