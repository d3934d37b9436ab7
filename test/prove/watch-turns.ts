import { setImmediate } from 'node:timers/promises';

/** Takes turns without end, and notes the longest in milliseconds of the thread's own work. */
export function watchTurns() {
  let longestMs = 0;
  let ended = false;
  let before = process.threadCpuUsage();
  function turn(): void {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.threadCpuUsage();
    if (!ended) void setImmediate().then(turn);
  }
  void setImmediate().then(turn);
  return {
    async end(): Promise<number> {
      await setImmediate();
      ended = true;
      return longestMs;
    },
  };
}
