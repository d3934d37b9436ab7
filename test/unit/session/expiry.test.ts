import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expiryState } from '../../../main/account/sessions/expiry.ts';
import { ExpiryTimer } from '../../../main/account/sessions/expiry.ts';

const start = Date.parse('2026-11-21T10:00:00Z');
const minute = 60_000;
const at = (ms: number): string => new Date(ms).toISOString();
/** A session that lasts so many minutes from the start. */
const lasting = (minutes: number) => ({
  madeAt: at(start),
  end: { at: at(start + minutes * minute), by: 'expires_at', in: 'answer' as const },
});

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

describe('the end of a session', () => {
  it.each([
    [60, 54.9, undefined],
    [60, 55, 'soon'],
    [60, 60, 'over'],
    [8, 5.9, undefined],
    [8, 6, 'soon'],
    [-5, 0, 'over'],
  ])('of %d minutes is, after %d of them, %s', (minutes, passed, ending) => {
    expect(expiryState(lasting(minutes), start + passed * minute)).toBe(ending);
  });

  it('is unknown where nothing said it, and is nobody’s concern once the person logged out', () => {
    expect(expiryState({ madeAt: at(start) }, start)).toBeUndefined();
    expect(expiryState({ ...lasting(1), loggedOutAt: at(start) }, start + 5 * minute)).toBeUndefined();
  });
});

describe('the timer of the ends', () => {
  function watch(sessions: readonly object[]) {
    const woke: number[] = [];
    const timer = new ExpiryTimer({
      sessions: () => sessions,
      now: () => new Date(),
      onChange: () => woke.push((Date.now() - start) / minute),
    });
    timer.schedule();
    return { woke };
  }

  it('wakes when an end comes near and when it is past, and never for a session without an end', () => {
    const { woke } = watch([lasting(60), lasting(60), lasting(8), {}]);
    vi.advanceTimersByTime(10 * 60 * minute);
    expect(woke).toEqual([6, 8, 55, 60]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('wakes four times a day for an end in a month', () => {
    const { woke } = watch([lasting(30 * 24 * 60)]);
    vi.advanceTimersByTime(24 * 60 * minute);
    expect(woke).toHaveLength(4);
  });
});
