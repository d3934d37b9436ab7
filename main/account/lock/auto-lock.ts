import type { LockCause } from '../../../preload/contract/models.ts';
import type { Settings } from '../../../preload/contract/settings.ts';

type PowerMonitor = {
  on: ((event: 'lock-screen', listener: () => void) => unknown) &
    ((event: 'suspend', listener: () => void) => unknown) &
    ((event: 'resume', listener: () => void) => unknown);
  /** In seconds. */
  getSystemIdleTime: () => number;
};

/**
 * Locks after the idle time, with the system's screen lock and on suspend, by the current settings. The idle time is read
 * when it may be over, without polling.
 * @returns `reschedule` is to be called when the settings change
 */
export function startAutoLock(options: {
  settings: () => Pick<Settings, 'lockAfterMinutes' | 'lockOnScreenLock' | 'lockOnSleep'>;
  powerMonitor: PowerMonitor;
  lock: (cause: LockCause) => void;
}): { reschedule: () => void; stop: () => void } {
  const { settings, powerMonitor, lock } = options;
  let timer: NodeJS.Timeout | undefined;
  function reschedule(): void {
    clearTimeout(timer);
    const limitSeconds = settings().lockAfterMinutes * 60;
    if (limitSeconds <= 0) return;
    const left = limitSeconds - powerMonitor.getSystemIdleTime();
    if (left <= 0) lock('idle');
    timer = setTimeout(reschedule, (left > 0 ? left : limitSeconds) * 1000);
  }
  powerMonitor.on('lock-screen', () => {
    if (settings().lockOnScreenLock) lock('screen');
  });
  powerMonitor.on('suspend', () => {
    if (settings().lockOnSleep) lock('sleep');
  });
  // The timer stands still while the computer sleeps.
  powerMonitor.on('resume', reschedule);
  reschedule();
  return { reschedule, stop: () => clearTimeout(timer) };
}
