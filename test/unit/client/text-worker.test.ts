import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { TextWorker, type Job } from '../../../main/client/text-worker.ts';

/** Starts a thread that works without end, fills its memory, dies or answers, as it is told. */
const startThread = (): Worker =>
  new Worker(
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ name, input }) => {
      if (name === 'endless') for (;;);
      if (name === 'greedy') for (const all = [];;) all.push({ all });
      if (name === 'deadly') process.exit(1);
      if (name === 'broken') throw new Error('broken');
      parentPort.postMessage(input);
      if (name === 'last') process.exit(0);
    });`,
    { eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 32 } },
  );

const job = (name: string): Job<string, string> => ({ name, work: (input) => input });
const plain = job('plain');

describe('the other thread', () => {
  it('is started by the first job, and does the next ones in their order', async () => {
    let started = 0;
    const worker = new TextWorker(() => {
      started++;
      return startThread();
    });
    expect(started).toBe(0);
    const done = await Promise.all(['one', 'two', 'three'].map((input) => worker.run(plain, input)));
    expect(done).toEqual(['one', 'two', 'three']);
    expect(started).toBe(1);
  });

  it.each(['greedy', 'deadly', 'broken'])(
    'answers nothing for a job that is %s, and another does the next one',
    async (name) => {
      const worker = new TextWorker(startThread);
      expect(await Promise.all([worker.run(job(name), ''), worker.run(plain, 'next')])).toEqual([undefined, 'next']);
    },
  );

  it('is another one after it ended between two jobs', async () => {
    let ended: Promise<unknown> = Promise.resolve();
    const worker = new TextWorker(() => {
      const started = startThread();
      ended = new Promise((resolve) => started.once('exit', resolve));
      return started;
    });
    expect(await worker.run(job('last'), 'answered')).toBe('answered');
    await ended;
    expect(await worker.run(plain, 'next')).toBe('next');
  });

  it('ends the job under way, and those that wait, when they are not wanted any more', async () => {
    const end = new AbortController();
    const worker = new TextWorker(() => {
      const started = startThread();
      started.once('online', () => end.abort());
      return started;
    });
    const done = [worker.run(job('endless'), '', end.signal), worker.run(plain, 'late', end.signal)];
    const after = worker.run(plain, 'wanted');
    expect(await Promise.all([...done, after])).toEqual([undefined, undefined, 'wanted']);
  });
});
