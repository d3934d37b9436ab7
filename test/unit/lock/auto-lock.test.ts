import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startAutoLock } from '../../../main/account/lock/auto-lock.ts';
import type { LockCause } from '../../../preload/contract/models.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeComputer() {
  const settings = { lockAfterMinutes: 0, lockOnScreenLock: false, lockOnSleep: false };
  const locks: LockCause[] = [];
  let usedAt = Date.now();
  const events = new EventEmitter();
  const getSystemIdleTime = vi.fn<() => number>(() => Math.floor((Date.now() - usedAt) / 1000));
  const powerMonitor = Object.assign(events, { getSystemIdleTime });
  const { reschedule, stop } = startAutoLock({
    settings: () => settings,
    powerMonitor,
    lock: (cause) => locks.push(cause),
  });
  return {
    settings,
    locks,
    events,
    look: reschedule,
    stop,
    idleAsked: () => getSystemIdleTime.mock.calls.length,
    use: () => (usedAt = Date.now()),
  };
}

describe('idle time', () => {
  it('locks after that many minutes without use of the computer, and no earlier', () => {
    const { settings, locks, look, use } = makeComputer();
    settings.lockAfterMinutes = 5;
    look();
    vi.advanceTimersByTime(4 * 60_000);
    use();
    vi.advanceTimersByTime(5 * 60_000 - 1000);
    expect(locks).toEqual([]);
    vi.advanceTimersByTime(2000);
    expect(locks).toEqual(['idle']);
  });

  it('locks again after the same time without use, once it was unlocked', () => {
    const { settings, locks, look, use } = makeComputer();
    settings.lockAfterMinutes = 5;
    look();
    vi.advanceTimersByTime(6 * 60_000);
    use();
    vi.advanceTimersByTime(5 * 60_000 - 1000);
    expect(locks).toEqual(['idle']);
    vi.advanceTimersByTime(2000);
    expect(locks).toEqual(['idle', 'idle']);
  });

  it('looks as often as it may have to lock, and never while it is off', () => {
    const { settings, locks, look, idleAsked, use } = makeComputer();
    vi.advanceTimersByTime(24 * 3600_000);
    expect(idleAsked()).toBe(0);
    settings.lockAfterMinutes = 60;
    use();
    look();
    for (let minute = 0; minute < 24 * 60; minute++) {
      vi.advanceTimersByTime(60_000);
      use();
    }
    expect(locks).toEqual([]);
    expect(idleAsked()).toBeLessThan(30);
  });

  it('locks after a sleep in which its timer stood still', () => {
    const { settings, locks, look, events } = makeComputer();
    settings.lockAfterMinutes = 5;
    look();
    vi.setSystemTime(Date.now() + 3600_000);
    expect(locks).toEqual([]);
    events.emit('resume');
    expect(locks).toEqual(['idle']);
  });

  it('counts as the setting is at that moment, and never when it is off or the application ends', () => {
    const { settings, locks, look, stop } = makeComputer();
    vi.advanceTimersByTime(24 * 3600_000);
    expect(locks).toEqual([]);
    settings.lockAfterMinutes = 60;
    look();
    expect(locks).toEqual(['idle']);
    stop();
    vi.advanceTimersByTime(3600_000);
    expect(locks).toEqual(['idle']);
  });
});

describe('the screen and sleep', () => {
  it.each([
    ['lock-screen', 'lockOnScreenLock', 'screen'],
    ['suspend', 'lockOnSleep', 'sleep'],
  ] as const)('%s locks at once if it is to', (event, setting, cause) => {
    const { settings, locks, events } = makeComputer();
    events.emit(event);
    expect(locks).toEqual([]);
    settings[setting] = true;
    events.emit(event);
    expect(locks).toEqual([cause]);
  });
});
