import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Work that takes as long as a server wants it to. It is a function of what can be copied to another thread. */
export type Job<Input, Output> = {
  name: string;
  work: (input: Input) => Output | Promise<Output>;
};

/** What came of a job. It is nothing where the job was too hard, or no longer wanted. */
export type Done<Output> = { ok: true; value: Output } | { ok: false };

/** What the other thread is asked, and what it answers once it is there and after each job. */
export type Asked = { name: string; input: unknown };
export type Answered = 'ready' | Done<unknown>;

/**
 * Milliseconds of the thread's own work, since what other programs take does not make a text hard. A megabyte of
 * ordinary JSON takes a twentieth of it on a slow computer.
 */
const usualDeadlineMs = 2000;

/** The number of deadlines after which a job is given up, however busy the computer is. */
const mostRounds = 10;

/** A job that fills the memory is too hard, too. */
const mostMegabytes = 512;

/**
 * Keeps another thread for work on long texts. The first of them starts it, and it does one job at a time. A job that
 * is not done within the deadline ends with its thread, and the next one starts another.
 */
export function createAside(start: () => Worker, deadline = usualDeadlineMs) {
  let kept: Worker | undefined;
  /** Ends the job that is under way. */
  let giveUp: (() => void) | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function startThread(): Worker {
    const thread = start();
    const gone = (): void => {
      if (kept !== thread) return;
      kept = undefined;
      giveUp?.();
    };
    return thread.on('error', gone).on('exit', gone);
  }

  function ask(asked: Asked, signal: AbortSignal | undefined): Promise<Done<unknown>> {
    if (signal?.aborted) return Promise.resolve({ ok: false });
    const { promise, resolve } = Promise.withResolvers<Done<unknown>>();
    const isReady = kept !== undefined;
    const thread = (kept ??= startThread());
    const over = new AbortController();
    const send = (): void => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- This is a thread, and no window.
      thread.postMessage(asked);
      // A thread that has ended says so itself.
      void worked(thread, deadline, over.signal).then(end, () => undefined);
    };
    const take = (answered: Answered): void => (answered === 'ready' ? send() : resolve(answered));
    function end(): void {
      if (kept === thread) kept = undefined;
      void thread.terminate();
      resolve({ ok: false });
    }

    giveUp = end;
    // The process waits for a job, and not for a thread that has none.
    thread.ref();
    thread.on('message', take);
    signal?.addEventListener('abort', end, { once: true });
    if (isReady) send();
    return promise.finally(() => {
      giveUp = undefined;
      over.abort();
      signal?.removeEventListener('abort', end);
      thread.off('message', take);
      thread.unref();
    });
  }

  return {
    /**
     * Does a job on the other thread.
     * @param signal ends it, also while it waits for its turn
     */
    async run<Input, Output>({ name }: Job<Input, Output>, input: Input, signal?: AbortSignal): Promise<Done<Output>> {
      // To copy sixteen megabytes takes a turn of its own.
      const done = last.then(() => turn()).then(() => ask({ name, input }, signal));
      last = done;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The other thread does the job of this name.
      return (await done) as Done<Output>;
    },
  };
}

/** Settles when a thread has worked for so many milliseconds from now on. Rejects when it has ended, or is `over`. */
async function worked(thread: Worker, ms: number, over: AbortSignal): Promise<void> {
  const before = await thread.cpuUsage();
  for (let round = 0; round < mostRounds; round++) {
    await wait(ms, undefined, { signal: over });
    const { user, system } = await thread.cpuUsage(before);
    if (user + system > 900 * ms) return;
  }
}

/** The source file is in a folder of its own; the build puts all files side by side. */
const host = import.meta.filename.endsWith('.ts') ? '../aside-host.ts' : './aside-host.js';

/** This is the one other thread of the process. */
export const aside = createAside(
  () =>
    new Worker(new URL(host, import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    }),
);
