import { app } from 'electron';

// This is the application as it is, and one who creates an account on its screens. No debugger is attached, which would
// take memory of its own.
const name = 'Ada Lovelace';
const email = 'ada@example.com';
const password = 'correct horse battery staple';

/** Runs in the page, and answers once what it looks for is there. @param {string} find an expression */
const once = (find) => `new Promise((resolve) => {
  const look = () => {
    const found = ${find};
    if (found) resolve(true);
    else setTimeout(look, 20);
  };
  look();
})`;
/** @param {string} role @param {string} text */
const withText = (role, text) =>
  `[...document.querySelectorAll(${JSON.stringify(role)})].find((one) => one.textContent.trim() === ${JSON.stringify(text)})`;

/** @param {import('electron').WebContents} contents */
async function register(contents) {
  const run = (/** @type {string} */ code) => contents.executeJavaScript(code);
  const press = async (/** @type {string} */ role, /** @type {string} */ text) => {
    await run(once(withText(role, text)));
    await run(`${withText(role, text)}.click()`);
  };
  const fill = async (/** @type {string} */ selector, /** @type {string} */ text) => {
    await run(once(`document.querySelector(${JSON.stringify(selector)})`));
    await run(`document.querySelector(${JSON.stringify(selector)}).focus()`);
    await contents.insertText(text);
  };
  await run(once(`document.querySelector('#root form')`));
  await press('a', 'Create account');
  await fill('input[autocomplete=name]', name);
  await fill('input[autocomplete=username]', email);
  await fill('input[autocomplete=new-password]', password);
  await press('button', 'Create account');
  await run(once(withText('h1, h2, h3', 'Profile')));
  process.stdout.write(`${JSON.stringify({ signedInAtMs: Date.now() })}\n`);
}

app.once('web-contents-created', (_event, contents) => contents.once('dom-ready', () => void register(contents)));

await import('../../../dist/main/index.js');
