import { app } from 'electron';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// This is the application as it is, and one who watches for the frame in which a heading is painted.
const [root, heading] = JSON.parse(process.env.BENCH_WATCHED ?? '[]');

/** Runs in the page. A task after a frame's callbacks runs once that frame is painted. */
const painted = `new Promise((resolve) => {
  const look = () => {
    const found = [...document.querySelectorAll('h1, h2, h3')].find((each) => each.textContent === ${JSON.stringify(heading)});
    if (!found?.getClientRects().length) return requestAnimationFrame(look);
    setTimeout(() => resolve(performance.timeOrigin + performance.now()));
  };
  requestAnimationFrame(look);
})`;

app.once('web-contents-created', (_event, contents) => {
  contents.once('dom-ready', () => {
    // The frame runs it at once, while `contents` would wait for the page's scripts.
    const shown = contents.mainFrame.executeJavaScript(painted);
    void shown.then((readyAtMs) => process.stdout.write(`${JSON.stringify({ readyAtMs })}\n`));
  });
});

await import(pathToFileURL(path.join(root, 'dist/main/index.js')).href);
