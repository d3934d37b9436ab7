import type { LockCause, Settings } from '../../preload/contract/models.ts';

/** Seconds between two looks at how long nobody used the computer. */
export const lookSeconds = 5;

/** The events of Electron's power monitor that matter here. */
type PowerMonitor = {
  on: ((event: 'lock-screen', listener: () => void) => unknown) & ((event: 'suspend', listener: () => void) => unknown);
  /** Returns the seconds since a key or the mouse was last used, anywhere on the computer. */
  getSystemIdleTime: () => number;
};

/** Locks after the idle time, with the system's screen and before sleep, as the settings say at that moment. */
export function startAutoLock(options: {
  settings: () => Pick<Settings, 'lockAfterMinutes' | 'lockOnScreenLock' | 'lockOnSleep'>;
  powerMonitor: PowerMonitor;
  lock: (cause: LockCause) => void;
}): { stop: () => void } {
  const { settings, powerMonitor, lock } = options;
  powerMonitor.on('lock-screen', () => {
    if (settings().lockOnScreenLock) lock('screen');
  });
  powerMonitor.on('suspend', () => {
    if (settings().lockOnSleep) lock('sleep');
  });
  const timer = setInterval(() => {
    const { lockAfterMinutes } = settings();
    if (lockAfterMinutes > 0 && powerMonitor.getSystemIdleTime() >= lockAfterMinutes * 60) lock('idle');
  }, lookSeconds * 1000);
  return { stop: () => clearInterval(timer) };
}
