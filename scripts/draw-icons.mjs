import { app, BrowserWindow } from 'electron';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { iconSizes } from './icon-sizes.mjs';

// It is the main process that `icons.mjs` starts: Chromium draws the icons, as it draws the application's window.
const build = path.resolve(import.meta.dirname, '../build');

/** What a page does to draw a picture as a square of so many pixels. @param {string} svg @param {number} size */
const drawing = (svg, size) => `(async () => {
  const picture = new Image();
  picture.src = 'data:image/svg+xml,' + encodeURIComponent(${JSON.stringify(svg)});
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = ${size};
  canvas.getContext('2d').drawImage(picture, 0, 0, ${size}, ${size});
  return canvas.toDataURL('image/png');
})()`;

async function drawAll() {
  await app.whenReady();
  const window = new BrowserWindow({ show: false });
  await window.loadURL('about:blank');
  const svg = await readFile(path.join(build, 'icon.svg'), 'utf8');
  await mkdir(path.join(build, 'icons'), { recursive: true });
  for (const size of [...iconSizes, 1024]) {
    /** @type {string} */
    const url = await window.webContents.executeJavaScript(drawing(svg, size));
    const file = size === 1024 ? 'icon.png' : `icons/${size}x${size}.png`;
    await writeFile(path.join(build, file), Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  }
  app.quit();
}

// A main process that waits at its top level never gets ready.
drawAll().catch((error) => {
  process.stderr.write(`${error}\n`);
  app.exit(1);
});
