import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createAside, type Job } from '../../../main/aside/aside.ts';

/** Starts a thread that sleeps, works without end, or dies, as it is told. */
const thread = (): Worker =>
  new Worker(
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ name, input }) => {
      if (name === 'endless') for (;;);
      if (name === 'deadly') process.exit(1);
      if (name === 'broken') throw new Error('broken');
      parentPort.postMessage({ ok: true, value: input });
    });
    parentPort.postMessage('ready');`,
    { eval: true, execArgv: [] },
  );

const job = (name: string): Job<string, string> => ({ name, work: (input) => input });
const plain = job('plain');

describe('the other thread', () => {
  it('is started by the first job, and does the next ones in their order', async () => {
    let started = 0;
    const aside = createAside(() => {
      started++;
      return thread();
    });
    expect(started).toBe(0);
    const done = await Promise.all(['one', 'two', 'three'].map((input) => aside.run(plain, input)));
    expect(done).toEqual(['one', 'two', 'three'].map((value) => ({ ok: true, value })));
    expect(started).toBe(1);
  });

  it.each(['endless', 'deadly', 'broken'])(
    'gives up a job that is %s, and another thread does the next one',
    async (name) => {
      const aside = createAside(thread, 50);
      const [hard, next] = await Promise.all([aside.run(job(name), ''), aside.run(plain, 'next')]);
      expect(hard).toEqual({ ok: false });
      expect(next).toEqual({ ok: true, value: 'next' });
    },
  );

  it('ends the job under way, and those that wait, when they are not wanted any more', async () => {
    const aside = createAside(thread, 60_000);
    const end = new AbortController();
    const done = Promise.all([aside.run(job('endless'), '', end.signal), aside.run(plain, 'late', end.signal)]);
    const after = aside.run(plain, 'wanted');
    setTimeout(() => end.abort(), 50);
    expect(await done).toEqual([{ ok: false }, { ok: false }]);
    expect(await after).toEqual({ ok: true, value: 'wanted' });
  });
});
