/** The time of the service, which can be moved ahead of the computer's. */
export type MovableClock = {
  /** Returns milliseconds since 1970, by the service's time. */
  now: () => number;
  /** Returns milliseconds that only the moves of this clock can set back, and never the computer's clock. */
  monotonicNow: () => number;
  /** How far it is ahead of the computer's time, in milliseconds. */
  aheadMs(): number;
  /** Puts it so far ahead; 0 is the computer's time. */
  setAhead(ms: number): void;
};

/** Makes a clock that shows the computer's time until it is moved. Nothing of it outlives the process. */
export function createMovableClock(realNow: () => number, steadyNow = (): number => performance.now()): MovableClock {
  let aheadMs = 0;
  return {
    now: () => realNow() + aheadMs,
    monotonicNow: () => steadyNow() + aheadMs,
    aheadMs: () => aheadMs,
    setAhead: (ms) => void (aheadMs = ms),
  };
}
