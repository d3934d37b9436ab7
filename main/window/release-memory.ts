import { app, type WebContents } from 'electron';
import { setTimeout as delay } from 'node:timers/promises';
import { sendEvent } from './ipc/register-ipc-handlers.ts';

/** Milliseconds without input or an event. */
const IDLE_AFTER_MS = 2000;
/** Milliseconds. */
const RELEASED_WITHIN_MS = 1000;
const MIN_GAIN_BYTES = 8_000_000;
/** Milliseconds until the next attempt if memory has not grown. Each attempt in vain doubles them. */
const RETRY_AFTER_MS = { first: 4000, last: 600_000 };

/**
 * Has the page release memory to the system once it is idle: V8 and Chromium would keep what the start or a login took.
 * What was still referenced is tried again later, since nothing tells when it no longer is.
 * @returns to be called for activity that is no input
 */
export function releaseMemoryWhenIdle(page: WebContents): () => void {
  let lastAt = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Otherwise the timer is for another attempt. */
  let isAfterActivity = true;
  const release = createReleaser(page);

  async function onIdle(): Promise<void> {
    timer = undefined;
    const idleFor = performance.now() - lastAt;
    if (idleFor < IDLE_AFTER_MS) {
      schedule(IDLE_AFTER_MS - idleFor, true);
      return;
    }
    const retryAfter = await release(isAfterActivity);
    if (timer === undefined && retryAfter < Infinity) schedule(retryAfter, false);
  }
  function schedule(milliseconds: number, hadActivity: boolean): void {
    if (page.isDestroyed()) return;
    clearTimeout(timer);
    isAfterActivity = hadActivity;
    timer = setTimeout(() => void onIdle(), milliseconds).unref();
  }
  function onActivity(): void {
    lastAt = performance.now();
    if (timer === undefined || !isAfterActivity) schedule(IDLE_AFTER_MS, true);
  }

  page.on('input-event', onActivity);
  page.once('destroyed', () => clearTimeout(timer));
  onActivity();
  return onActivity;
}

/** @returns a function that releases memory if that is worth it, and returns milliseconds until the next attempt */
function createReleaser(page: WebContents): (hadActivity: boolean) => Promise<number> {
  let least = Infinity;
  let after = 0;
  let releasedAt = 0;
  let pause = RETRY_AFTER_MS.first;
  let isNeeded = false;
  return async (hadActivity) => {
    isNeeded ||= hadActivity;
    if (!isNeeded) return Infinity;
    const before = bytesOf(page);
    const due = releasedAt + pause - performance.now();
    if (before - after < MIN_GAIN_BYTES && due > 0) return due;
    sendEvent(page, 'app.idle', null);
    await delay(RELEASED_WITHIN_MS, undefined, { ref: false });
    // What was allocated meanwhile may be released the next time.
    after = Math.min(before, bytesOf(page));
    releasedAt = performance.now();
    pause = before - after < MIN_GAIN_BYTES ? Math.min(pause * 2, RETRY_AFTER_MS.last) : RETRY_AFTER_MS.first;
    least = Math.min(least, after);
    isNeeded = after - least >= MIN_GAIN_BYTES;
    return isNeeded ? pause : Infinity;
  };
}

function bytesOf(page: WebContents): number {
  if (page.isDestroyed()) return 0;
  const pid = page.getOSProcessId();
  const kilobytes = app.getAppMetrics().find((process) => process.pid === pid)?.memory.workingSetSize ?? 0;
  return kilobytes * 1024;
}
