import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sharedTimer } from '../../../renderer/shared-timer.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-11-21T10:00:30.400Z');

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => {
  // In this order: a spy that is taken away later would put the timers of a test back, for every file after this one.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function make() {
  const page = { hidden: false, seen: (): void => undefined };
  const ticks = sharedTimer({
    isHidden: () => page.hidden,
    onSeen(listener) {
      page.seen = listener;
      return () => void (page.seen = () => undefined);
    },
  });
  ticks.now();
  const woke = { second: 0, minute: 0, hour: 0 };
  const count = (name: keyof typeof woke) => () => void (woke[name] += 1);
  return { ticks, page, woke, count };
}

describe('what counts time on the screen', () => {
  it('wakes sixty that count by the minute together, once a minute, and those that count by the hour once an hour', () => {
    const { ticks, woke, count } = make();
    const timeouts = vi.spyOn(globalThis, 'setTimeout');
    for (let row = 0; row < 60; row += 1) ticks.subscribe(row % 2 ? minute : hour, count(row % 2 ? 'minute' : 'hour'));
    timeouts.mockClear();
    vi.advanceTimersByTime(2 * hour);
    expect(woke).toEqual({ second: 0, minute: 30 * 120, hour: 30 * 2 });
    expect(timeouts).toHaveBeenCalledTimes(120);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('has no timer while nobody looks or the page is hidden, and is right at once when it is seen again', () => {
    const { ticks, page, woke, count } = make();
    const end = ticks.subscribe(1000, count('second'));
    page.hidden = true;
    vi.advanceTimersByTime(1000);
    expect([woke.second, vi.getTimerCount()]).toEqual([1, 0]);
    vi.advanceTimersByTime(hour);
    page.hidden = false;
    page.seen();
    expect([woke.second, ticks.now() - start, vi.getTimerCount()]).toEqual([2, hour + 1000, 1]);
    end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('misses no step when somebody asks for the moment between it and its timer', () => {
    const { ticks, page, woke, count } = make();
    ticks.subscribe(minute, count('minute'));
    vi.setSystemTime(start + minute);
    expect(ticks.now()).toBe(start + minute);
    page.seen();
    expect(woke.minute).toBe(1);
  });

  it('follows a clock that goes back', () => {
    const { ticks, page, woke, count } = make();
    ticks.subscribe(minute, count('minute'));
    vi.setSystemTime(start - 3 * hour);
    page.seen();
    expect([woke.minute, ticks.now()]).toEqual([1, start - 3 * hour]);
  });
});
