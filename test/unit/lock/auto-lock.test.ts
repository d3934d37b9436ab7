import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lookSeconds, startAutoLock } from '../../../main/lock/auto-lock.ts';
import type { LockCause } from '../../../preload/contract/models.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeComputer() {
  const settings = { lockAfterMinutes: 0, lockOnScreenLock: false, lockOnSleep: false };
  const locks: LockCause[] = [];
  let usedAt = Date.now();
  const events = new EventEmitter();
  const powerMonitor = Object.assign(events, { getSystemIdleTime: () => Math.floor((Date.now() - usedAt) / 1000) });
  const { stop } = startAutoLock({ settings: () => settings, powerMonitor, lock: (cause) => locks.push(cause) });
  return { settings, locks, events, stop, use: () => (usedAt = Date.now()) };
}

describe('idle time', () => {
  it('locks after that many minutes without use of the computer, and no earlier', () => {
    const { settings, locks, use } = makeComputer();
    settings.lockAfterMinutes = 5;
    vi.advanceTimersByTime(4 * 60_000);
    use();
    vi.advanceTimersByTime(5 * 60_000 - 1000);
    expect(locks).toEqual([]);
    vi.advanceTimersByTime(lookSeconds * 1000 + 1000);
    expect(locks[0]).toBe('idle');
  });

  it('counts as the setting is at that moment, and never when it is off or the application ends', () => {
    const { settings, locks, stop } = makeComputer();
    vi.advanceTimersByTime(24 * 3600_000);
    expect(locks).toEqual([]);
    settings.lockAfterMinutes = 60;
    vi.advanceTimersByTime(lookSeconds * 1000);
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
