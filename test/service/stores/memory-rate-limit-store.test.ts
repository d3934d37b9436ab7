import { expect, it } from 'vitest';
import { createMemoryRateLimitStore } from '../../../main/service/stores/memory-rate-limit-store.ts';
import { behavesLikeAnAttemptStore } from './rate-limit-store-behaviour.ts';

const limit = { most: 2, windowSeconds: 60 };

function store() {
  const clock = { ms: 0 };
  return { clock, attempts: createMemoryRateLimitStore(() => clock.ms) };
}

behavesLikeAnAttemptStore(async () => {
  const { clock, attempts } = store();
  return { attempts, setClock: (ms) => void (clock.ms = ms) };
});

it('holds no more than its most keys, and forgets the oldest', async () => {
  const { attempts } = store();
  await attempts.consume('oldest', limit);
  await attempts.consume('oldest', limit);
  await attempts.consume('second', limit);
  await attempts.consume('second', limit);
  for (let index = 0; index < 99_999; index++) await attempts.consume(`key ${index}`, limit);
  expect(attempts.size()).toBe(100_000);
  expect(await attempts.consume('second', limit)).toMatchObject({ granted: false });
  expect(await attempts.consume('oldest', limit)).toMatchObject({ granted: true });
});

it('forgets what was counted in a time ahead, once the clock is back', async () => {
  const { clock, attempts } = store();
  for (const ahead of [30_000, 60_000, 86_400_000]) {
    clock.ms = ahead;
    for (const granted of [true, true, false]) expect(await attempts.consume('a', limit)).toMatchObject({ granted });
    clock.ms = 0;
    expect(await attempts.consume('a', limit)).toMatchObject({ granted: true });
  }
});
