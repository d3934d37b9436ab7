import { spawn } from 'node:child_process';
import { say, stop } from './child-process.mjs';

/** Says whether a window can be shown to a person. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * The guard lives exactly as long as its standard input is open, so that even a killed launcher leaves no display
 * behind. It gives up its copy of the fourth descriptor, so that this closes when Xvfb could not be started.
 */
const guardedXvfb = 'Xvfb "$@" & exec 3>&-; read -r _; kill $!; wait';

/**
 * Starts a virtual display where there is no display, and says so before.
 * @returns {Promise<Awaited<ReturnType<typeof startVirtualDisplay>> | undefined>}
 */
export async function displayIfNone() {
  if (hasDisplay()) return undefined;
  const display = await startVirtualDisplay();
  say(`There is no display: a virtual one was opened, ${display.env.DISPLAY}.`);
  return display;
}

/**
 * Starts Xvfb on a free display number.
 * @returns {Promise<{ env: { DISPLAY: string }, close: () => void }>}
 */
export async function startVirtualDisplay() {
  // Xvfb itself finds the free number, and tells it on the fourth descriptor once it accepts clients. It would begin again
  // whenever its last client leaves, and refuse a client that comes in that moment.
  const args = ['-displayfd', '3', '-noreset', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
  // It is detached, since a Ctrl-C in the terminal must reach the application first, and only then its display.
  const stdio = /** @type {const} */ (['pipe', 'ignore', 'ignore', 'pipe']);
  const guard = spawn('sh', ['-c', guardedXvfb, 'sh', ...args], { stdio: [...stdio], detached: true });
  const number = await new Promise((resolve) => {
    let text = '';
    guard.stdio[3]?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.trim());
    });
    guard.stdio[3]?.once('close', () => resolve(undefined));
  });
  if (number === undefined) stop(1, 'Xvfb, the virtual display, could not be started.');
  guard.unref();
  return { env: { DISPLAY: `:${number}` }, close: () => void guard.stdin?.end() };
}
