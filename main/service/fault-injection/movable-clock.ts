/** A clock that can be ahead of the computer's. It is reset with the process. */
export type MovableClock = {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds that only {@link setAhead} can set back, and never a change of the computer's clock. */
  monotonicNow: () => number;
  aheadMs(): number;
  setAhead(ms: number): void;
};

export function createMovableClock(realNow: () => number, steadyNow = (): number => performance.now()): MovableClock {
  let aheadMs = 0;
  return {
    now: () => realNow() + aheadMs,
    monotonicNow: () => steadyNow() + aheadMs,
    aheadMs: () => aheadMs,
    setAhead: (ms) => void (aheadMs = ms),
  };
}
