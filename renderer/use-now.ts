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

/** Returns how often the time to a moment is renewed: by the second in the last two minutes, and seldom before. */
function stepTo(apartMs: number): number {
  if (apartMs <= 2 * minuteMs && apartMs > -minuteMs) return secondMs;
  return Math.abs(apartMs) < 2 * hourMs ? minuteMs : hourMs;
}

/**
 * Returns the present moment in milliseconds since 1970, renewed as often as the time to a moment needs it.
 * @param moment in milliseconds since 1970; without one nothing is counted
 */
export function useNow(moment: number | undefined): number {
  const step = moment === undefined ? undefined : stepTo(moment - ticks.now());
  const listen = useCallback(
    (listener: () => void) => (step === undefined ? () => undefined : ticks.subscribe(step, listener)),
    [step],
  );
  return useSyncExternalStore(listen, ticks.now, ticks.now);
}
