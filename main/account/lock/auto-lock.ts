import type { LockCause } from '../../../preload/contract/models.ts';
import type { Settings } from '../../../preload/contract/settings.ts';

/** The events of Electron's power monitor that matter here. */
type PowerMonitor = {
  on: ((event: 'lock-screen', listener: () => void) => unknown) &
    ((event: 'suspend', listener: () => void) => unknown) &
    ((event: 'resume', listener: () => void) => unknown);
  /** Returns the seconds since a key or the mouse was last used, anywhere on the computer. */
  getSystemIdleTime: () => number;
};

/**
 * Locks after the idle time, with the system's screen and before sleep, as the settings say at that moment. It looks at
 * how long nobody used the computer when that may be long enough, and not in between.
 * @returns `look` is called when the settings have changed
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
