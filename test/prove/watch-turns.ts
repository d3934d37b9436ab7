import { setImmediate } from 'node:timers/promises';

/** The longest turn of a thread, in milliseconds of its own work and of a clock on the wall. */
export type Held = { heldCpuMs: number; heldWallMs: number };

/** Takes turns without end, and notes the longest. */
export function watchTurns() {
  const held: Held = { heldCpuMs: 0, heldWallMs: 0 };
  let ended = false;
  let before = process.threadCpuUsage();
  let at = performance.now();
  function turn(): void {
    const { user, system } = process.threadCpuUsage(before);
    held.heldCpuMs = Math.max(held.heldCpuMs, (user + system) / 1000);
    held.heldWallMs = Math.max(held.heldWallMs, performance.now() - at);
    before = process.threadCpuUsage();
    at = performance.now();
    if (!ended) void setImmediate().then(turn);
  }
  void setImmediate().then(turn);
  return {
    async end(): Promise<Held> {
      await setImmediate();
      ended = true;
      return held;
    },
  };
}
