import { expect, it } from 'vitest';
import type { RateLimitStore } from '../../../main/service/stores/rate-limit-store.ts';

const limit = { most: 2, windowSeconds: 60 };

/** Each test is given an empty store and its clock, which stands until it is moved. */
type AttemptStoreAtATime = { attempts: RateLimitStore; setClock: (ms: number) => void | Promise<void> };

/** Tests what every adapter must do. */
export function behavesLikeAnAttemptStore(openStore: () => Promise<AttemptStoreAtATime>): void {
  it('grants as many as the limit and says how long until the next, rounded up', async () => {
    const { setClock, attempts } = await openStore();
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: true });
    await setClock(30_001);
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: true });
    expect(await attempts.consume('a', limit)).toEqual({ granted: false, retryAfterSeconds: 30 });
    await setClock(59_999);
    expect(await attempts.consume('a', limit)).toEqual({ granted: false, retryAfterSeconds: 1 });
    await setClock(60_000);
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: true });
    expect(await attempts.consume('a', limit)).toEqual({ granted: false, retryAfterSeconds: 31 });
  });

  it('takes back an attempt once, however often it is given back', async () => {
    const { attempts } = await openStore();
    const first = await attempts.consume('a', limit);
    await attempts.consume('a', limit);
    if (!first.granted) throw new Error('not granted');
    await first.giveBack();
    await first.giveBack();
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: true });
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: false });
  });

  it('grants none twice when one given back was the newest', async () => {
    const { attempts } = await openStore();
    const taken = [await attempts.consume('a', limit), await attempts.consume('a', limit)];
    for (const attempt of taken) if (attempt.granted) await attempt.giveBack();
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: true });
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: true });
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: false });
  });

  it('counts each key apart, whatever it is made of', async () => {
    const { attempts } = await openStore();
    for (const key of ['a', 'A', '', "' OR 1=1 --", 'ﷺ'.repeat(1000)]) {
      expect(await attempts.consume(key, { most: 1, windowSeconds: 60 })).toMatchObject({ granted: true });
      expect(await attempts.consume(key, { most: 1, windowSeconds: 60 })).toMatchObject({ granted: false });
    }
  });

  it('grants no more than the limit of fifty at once, and as many again a window later', async () => {
    const { setClock, attempts } = await openStore();
    for (const at of [0, 60_000 + 10]) {
      await setClock(at);
      const five = { most: 5, windowSeconds: 60 };
      const taken = await Promise.all(Array.from({ length: 50 }, () => attempts.consume('a', five)));
      expect(taken.filter(({ granted }) => granted)).toHaveLength(5);
    }
  });

  it('follows a limit that was lowered or raised meanwhile', async () => {
    const { attempts } = await openStore();
    for (const granted of [true, true, true, true, false]) {
      expect(await attempts.consume('a', { most: 4, windowSeconds: 60 })).toMatchObject({ granted });
    }
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: false });
    expect(await attempts.consume('a', { most: 5, windowSeconds: 60 })).toMatchObject({ granted: true });
  });
}
