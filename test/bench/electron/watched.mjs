import { app } from 'electron';

/** Milliseconds since 1970. @type {Record<string, number>} */
const marks = { main: Date.now() };

/**
 * Runs in the page, and answers when a frame with the field was painted. A task after that frame's callbacks runs then.
 */
const emailPainted = `new Promise((resolve) => {
  const look = () => {
    const field = document.querySelector('input[autocomplete=username]');
    if (!field || field.disabled || field.getClientRects().length === 0) return requestAnimationFrame(look);
    setTimeout(() => {
      field.focus();
      resolve(performance.timeOrigin + performance.now());
    });
  };
  requestAnimationFrame(look);
})`;

/** Answers when a letter has arrived in the field, in milliseconds since 1970. */
const letterArrived = `new Promise((resolve) => {
  document.addEventListener(
    'input',
    () => resolve(performance.timeOrigin + performance.now()),
    { once: true },
  );
})`;

/** Answers when the page's own code shows the form. */
const takenOver = `new Promise((resolve) => {
  const look = () =>
    document.querySelector('#root form') ? resolve(performance.timeOrigin + performance.now()) : requestAnimationFrame(look);
  look();
})`;

/** @param {import('electron').WebContents} contents */
async function watch(contents) {
  // The frame runs it at once, while `contents` would wait for the page's scripts.
  const run = (/** @type {string} */ code) => contents.mainFrame.executeJavaScript(code);
  marks.frame = await run(emailPainted);
  const arrived = run(letterArrived);
  // A letter to a window that is not shown yet is lost, so letters are typed until one arrives.
  const typing = setInterval(() => void contents.insertText('x'), 1);
  marks.key = await arrived;
  clearInterval(typing);
  marks.screen = await run(takenOver);
  process.stdout.write(`${JSON.stringify({ readyAtMs: marks.key, marks })}\n`);
}

// This is the application as it is, and one who watches for its Email field to take a typed letter.
app.once('ready', () => (marks.ready = Date.now()));
app.once('browser-window-created', () => (marks.window = Date.now()));
app.once('web-contents-created', (_event, contents) => {
  contents.once('dom-ready', () => {
    marks.document = Date.now();
    void watch(contents);
  });
});

await import('../../../dist/main/index.js');
