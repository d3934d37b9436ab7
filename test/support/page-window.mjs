import { app, BrowserWindow } from 'electron';

// This shows the HTML file named last on the command line, as a browser does.
void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1000, height: 880, webPreferences: { spellcheck: false } });
  return window.loadFile(process.argv.at(-1));
});
app.on('window-all-closed', () => app.quit());
