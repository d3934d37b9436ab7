import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron } from 'playwright-core';
import { build } from './build.mjs';
import { say, stop } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { sandboxArguments } from './sandbox.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { hasDisplay, startVirtualDisplay } from './virtual-display.mjs';

// `node scripts/picture.mjs [FILE]` starts the real application in a new profile, with a keyring of its own on Linux,
// registers a made-up person at the built-in server, opens the calls, and writes the picture of the README.
const projectRoot = path.resolve(import.meta.dirname, '..');
const file = path.resolve(process.argv[2] ?? path.join(projectRoot, 'build/screenshot.png'));
const person = { Name: 'Ana Prueba', Email: 'ana@example.test', Password: 'correct horse battery' };
const size = { width: 1200, height: 860 };

/**
 * Starts a session bus with an unlocked keyring, as a desktop has after login. Without one the picture would show the
 * warning that tokens stay in memory.
 * @param {string} home where the keyring keeps its files
 */
async function startKeyring(home) {
  const own = { HOME: home, XDG_DATA_HOME: path.join(home, 'data'), XDG_RUNTIME_DIR: home };
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = await once(bus.stdout, 'data');
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: String(address).trim() };
  const unlocked = spawnSync('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
    env: { ...process.env, ...env },
    input: 'a keyring password',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  if (unlocked.status !== 0) stop(1, 'gnome-keyring-daemon could not be started.');
  return { env, close: () => void bus.kill() };
}

/** @param {import('playwright-core').Page} page */
async function registerAndShowCalls(page) {
  await page.getByRole('link', { name: 'Create account', exact: true }).click();
  await page.getByRole('radio', { name: '/registro' }).check();
  for (const [label, text] of Object.entries(person)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor();
  await page.keyboard.press('ControlOrMeta+e');
  await page.getByText('/api/v1/auth/perfil', { exact: true }).click();
  // Here a mark stands in the place of the request's token.
  await page.getByText('Bearer').first().scrollIntoViewIfNeeded();
}

/**
 * Puts a fixed time, fixed durations and the usual port into the texts of the page. Nothing else differs from one run to
 * the next, so a picture that has changed shows a change of the application. A text, since scripts know no DOM.
 */
const stopClock = String.raw`{
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const durations = ['8 ms', '60 ms', '95 ms'];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    text.nodeValue = text.nodeValue
      .replace(/\d{1,2}:\d{2}:\d{2}\s[AP]M/, '9:30:15 AM')
      .replace(/(?<!:)\b\d{1,2}:\d{2}\s[AP]M/, '9:30 AM')
      .replace(/^[\d.,]+ m?s$/, (duration) => durations.shift() ?? duration)
      .replace(/127\.0\.0\.1:\d+/, '127.0.0.1:4848');
  }
  for (const phase of document.querySelectorAll('[data-phase]')) {
    phase.style.flexGrow = phase.dataset.phase === 'firstByte' ? 9 : 1;
  }
}`;

const electron = await findElectron();
const isLinux = process.platform === 'linux';
await ensureSystemPackages(electron.executable, { display: !hasDisplay(), keyring: isLinux });
await build();

const folder = await mkdtemp(path.join(tmpdir(), 'llavero-picture-'));
const display = hasDisplay() ? undefined : await startVirtualDisplay();
const keyring = isLinux ? await startKeyring(folder) : undefined;
const app = await _electron.launch({
  executablePath: electron.executable,
  args: [
    projectRoot,
    ...sandboxArguments(),
    ...(isLinux ? ['--disable-gpu', '--password-store=gnome-libsecret'] : []),
    `--user-data-dir=${path.join(folder, 'profile')}`,
    '--lang=en',
  ],
  env: { ...process.env, ...display?.env, ...keyring?.env },
  chromiumSandbox: true,
});
try {
  const page = await app.firstWindow();
  await app.evaluate(({ BrowserWindow }, { width, height }) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
  }, size);
  await registerAndShowCalls(page);
  await page.evaluate(stopClock);
  await page.screenshot({ path: file, animations: 'disabled' });
  say(`Made ${path.relative(process.cwd(), file)}`);
} finally {
  await app.close();
  keyring?.close();
  display?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
