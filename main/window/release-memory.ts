import { app, type WebContents } from 'electron';
import { setTimeout as delay } from 'node:timers/promises';
import { sendEvent } from './ipc/register-ipc-handlers.ts';

/** Milliseconds without a key, a move of the mouse or news, after which nobody waits for anything. */
const QUIET_MS = 2000;
/** Milliseconds after which a page has given back what it had too much. */
const GIVEN_BACK_WITHIN_MS = 1000;
/** To give back less is not worth the work. */
const WORTH_BYTES = 8_000_000;
/** Milliseconds until it is tried again where nothing has grown. Each time in vain doubles them, up to the last. */
const AGAIN_AFTER_MS = { first: 4000, last: 600_000 };

/**
 * Has the page give memory back to the system once nobody does anything: what the start, a log-in or a look into a page
 * has taken would stay with V8 and Chromium, which expect the same again. What was held just then is tried once more
 * later, since nobody says when it is let go of. Else nothing runs while it stays quiet.
 * @returns what to call whenever something happens that no key or mouse has caused
 */
export function releaseMemoryWhenIdle(page: WebContents): () => void {
  let lastAt = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Whether something has happened that the timer waits for the end of. Else it is there to try again. */
  let isAfterSomething = true;
  const giveBack = createGiver(page);

  async function rest(): Promise<void> {
    timer = undefined;
    const quietFor = performance.now() - lastAt;
    if (quietFor < QUIET_MS) {
      wait(QUIET_MS - quietFor, true);
      return;
    }
    const again = await giveBack(isAfterSomething);
    if (timer === undefined && again < Infinity) wait(again, false);
  }
  function wait(milliseconds: number, hasHappened: boolean): void {
    if (page.isDestroyed()) return;
    clearTimeout(timer);
    isAfterSomething = hasHappened;
    timer = setTimeout(() => void rest(), milliseconds).unref();
  }
  function busy(): void {
    lastAt = performance.now();
    if (timer === undefined || !isAfterSomething) wait(QUIET_MS, true);
  }

  page.on('input-event', busy);
  page.once('destroyed', () => clearTimeout(timer));
  busy();
  return busy;
}

/**
 * Gives back what the page has too much.
 * @returns what gives back where that is worth it, and returns the milliseconds until it may be worth it again; it is told
 * whether anything has happened since the last time
 */
function createGiver(page: WebContents): (hasHappened: boolean) => Promise<number> {
  let least = Infinity;
  let left = 0;
  let leftAt = 0;
  let pause = AGAIN_AFTER_MS.first;
  let isWanted = false;
  return async (hasHappened) => {
    isWanted ||= hasHappened;
    if (!isWanted) return Infinity;
    const had = bytesOf(page);
    const due = leftAt + pause - performance.now();
    if (had - left < WORTH_BYTES && due > 0) return due;
    sendEvent(page, 'app.rested', null);
    await delay(GIVEN_BACK_WITHIN_MS, undefined, { ref: false });
    // What was taken meanwhile may go back the next time.
    left = Math.min(had, bytesOf(page));
    leftAt = performance.now();
    pause = had - left < WORTH_BYTES ? Math.min(pause * 2, AGAIN_AFTER_MS.last) : AGAIN_AFTER_MS.first;
    least = Math.min(least, left);
    isWanted = left - least >= WORTH_BYTES;
    return isWanted ? pause : Infinity;
  };
}

function bytesOf(page: WebContents): number {
  if (page.isDestroyed()) return 0;
  const pid = page.getOSProcessId();
  const kilobytes = app.getAppMetrics().find((process) => process.pid === pid)?.memory.workingSetSize ?? 0;
  return kilobytes * 1024;
}
