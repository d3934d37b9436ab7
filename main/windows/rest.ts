import { app, type WebContents } from 'electron';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { notify } from '../ipc/serve.ts';

/** Milliseconds without a key, a move of the mouse or news, after which nobody waits for anything. */
const QUIET_MS = 2000;
/** Milliseconds after which a page has given back what it had too much. */
const GIVEN_BACK_WITHIN_MS = 1000;
/** To give back less is not worth the work. */
const WORTH_BYTES = 8_000_000;

/**
 * Gives memory back to the system once nobody does anything: what the start, a log-in or a look into a room has taken
 * would stay with V8 and Chromium, which expect the same again. Nothing runs while it stays quiet.
 * @returns what to call whenever something happens that no key or mouse has caused
 */
export function restWhenQuiet(page: WebContents): () => void {
  let lastAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const least = { main: 0, page: 0 };
  const sizes = (): typeof least => ({
    main: process.memoryUsage().heapTotal,
    page: page.isDestroyed() ? 0 : pageBytes(page.getOSProcessId()),
  });

  function rest(): void {
    timer = undefined;
    const quietFor = performance.now() - lastAt;
    if (quietFor < QUIET_MS) {
      wait(QUIET_MS - quietFor);
      return;
    }
    const { main, page: shown } = sizes();
    if (main - least.main >= WORTH_BYTES) {
      collectAll();
      least.main = sizes().main;
    }
    if (shown - least.page >= WORTH_BYTES) {
      notify(page, 'app.rested', null);
      // What was taken meanwhile may go back the next time.
      setTimeout(() => (least.page = Math.min(shown, sizes().page)), GIVEN_BACK_WITHIN_MS).unref();
    }
  }
  function wait(milliseconds: number): void {
    timer = setTimeout(rest, milliseconds).unref();
  }
  function busy(): void {
    lastAt = performance.now();
    if (timer === undefined) wait(QUIET_MS);
  }

  page.on('input-event', busy);
  page.once('destroyed', () => clearTimeout(timer));
  busy();
  return busy;
}

function pageBytes(pid: number): number {
  const kilobytes = app.getAppMetrics().find((process) => process.pid === pid)?.memory.workingSetSize ?? 0;
  return kilobytes * 1024;
}

let collector: NodeJS.GCFunction | undefined;

/** Collects in main, and shrinks what V8 keeps for new objects. V8 gives its collector to new contexts alone. */
function collectAll(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- This is what the flag adds, and no `any`.
    collector = runInNewContext('gc') as NodeJS.GCFunction;
    setFlagsFromString('--no-expose-gc');
  }
  collector({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
