import { useCallback, useSyncExternalStore } from 'react';
import { sharedTimer } from './shared-timer.ts';

const ticks = sharedTimer({
  isHidden: () => document.hidden,
  onSeen(listener) {
    document.addEventListener('visibilitychange', listener);
    window.addEventListener('focus', listener);
    return () => {
      document.removeEventListener('visibilitychange', listener);
      window.removeEventListener('focus', listener);
    };
  },
});

const secondMs = 1000;
const minuteMs = 60_000;
const hourMs = 3_600_000;

/**
 * Returns the interval in milliseconds at which the distance to a moment is refreshed: each second in the last two
 * minutes.
 */
function stepTo(apartMs: number): number {
  if (apartMs <= 2 * minuteMs && apartMs > -minuteMs) return secondMs;
  return Math.abs(apartMs) < 2 * hourMs ? minuteMs : hourMs;
}

/**
 * Returns the current time in milliseconds since 1970, refreshed as often as the distance to a moment needs it.
 * @param moment in milliseconds since 1970; without one nothing is refreshed
 */
export function useNow(moment: number | undefined): number {
  const step = moment === undefined ? undefined : stepTo(moment - ticks.now());
  const listen = useCallback(
    (listener: () => void) => (step === undefined ? () => undefined : ticks.subscribe(step, listener)),
    [step],
  );
  return useSyncExternalStore(listen, ticks.now, ticks.now);
}
