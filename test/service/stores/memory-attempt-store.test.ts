import { expect, it } from 'vitest';
import { createMemoryAttemptStore } from '../../../main/service/stores/memory-attempt-store.ts';

const limit = { most: 2, windowSeconds: 60 };

function store() {
  const clock = { ms: 0 };
  return { clock, attempts: createMemoryAttemptStore(() => clock.ms) };
}

it('grants as many as the limit and says how long until the next, rounded up', async () => {
  const { clock, attempts } = store();
  expect(await attempts.take('a', limit)).toMatchObject({ granted: true });
  clock.ms = 30_001;
  expect(await attempts.take('a', limit)).toMatchObject({ granted: true });
  expect(await attempts.take('a', limit)).toEqual({ granted: false, retryAfterSeconds: 30 });
  clock.ms = 59_999;
  expect(await attempts.take('a', limit)).toEqual({ granted: false, retryAfterSeconds: 1 });
  clock.ms = 60_000;
  expect(await attempts.take('a', limit)).toMatchObject({ granted: true });
  expect(await attempts.take('a', limit)).toEqual({ granted: false, retryAfterSeconds: 31 });
});

it('takes back an attempt once, however often it is given back', async () => {
  const { attempts } = store();
  const first = await attempts.take('a', limit);
  await attempts.take('a', limit);
  if (!first.granted) throw new Error('not granted');
  await first.giveBack();
  await first.giveBack();
  expect(await attempts.take('a', limit)).toMatchObject({ granted: true });
  expect(await attempts.take('a', limit)).toMatchObject({ granted: false });
});

it('forgets keys whose attempts have left the count', async () => {
  const { clock, attempts } = store();
  for (let index = 0; index < 1000; index++) await attempts.take(`key ${index}`, limit);
  expect(attempts.size()).toBe(1000);
  clock.ms = 60_000;
  await attempts.take('another', limit);
  expect(attempts.size()).toBe(1);
});

it('holds no more than its most keys, and forgets the oldest', async () => {
  const { attempts } = store();
  await attempts.take('oldest', limit);
  await attempts.take('oldest', limit);
  await attempts.take('second', limit);
  await attempts.take('second', limit);
  for (let index = 0; index < 99_999; index++) await attempts.take(`key ${index}`, limit);
  expect(attempts.size()).toBe(100_000);
  expect(await attempts.take('second', limit)).toMatchObject({ granted: false });
  expect(await attempts.take('oldest', limit)).toMatchObject({ granted: true });
});
