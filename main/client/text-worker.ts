import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Work on a text that may be long. Its input and output are copied between threads. */
export type Job<Input, Output> = { name: string; work: (input: Input) => Output | Promise<Output> };

export type JobRequest = { name: string; input: unknown };
/**
 * Characters or bytes up to which a text is read where it is. Main was held for 120 to 260 ms by answers of 256 KiB, such
 * as thousands of short values, and for up to 50 by these.
 */
export const longText = 32 * 1024;

/** Keeps another thread for long texts, which does one job at a time. The first job starts it. */
export class TextWorker {
  readonly #start: () => Worker;
  #thread: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** Does a job on the other thread. Undefined if it filled the memory, or `signal` ended it and the thread with it. */
  async run<Input, Output>({ name }: Job<Input, Output>, input: Input, signal?: AbortSignal) {
    // To copy sixteen megabytes takes a turn of its own.
    const done = this.#last.then(() => turn()).then(() => this.#ask({ name, input }, signal));
    this.#last = done;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The other thread does the job of this name.
    return (await done) as Output | undefined;
  }

  async #ask(asked: JobRequest, signal: AbortSignal | undefined): Promise<unknown> {
    if (signal?.aborted) return undefined;
    // A thread that has ended has the number -1.
    if (this.#thread?.threadId === -1) this.#thread = undefined;
    const thread = (this.#thread ??= this.#start());
    const over = new AbortController();
    signal?.addEventListener('abort', () => void thread.terminate(), { signal: over.signal });
    // The process waits for a job, and not for a thread that has none.
    thread.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- This is a thread, and no window.
    thread.postMessage(asked);
    const next = (event: string) => once(thread, event, { signal: over.signal });
    try {
      const answered = await Promise.race([next('message'), next('exit').then(() => undefined)]);
      return answered?.[0];
    } catch {
      this.#thread = void thread.terminate();
      return undefined;
    } finally {
      over.abort();
      thread.unref();
    }
  }
}

/** The source file is in a folder of its own; the build puts all files side by side. */
const entry = import.meta.filename.endsWith('.ts') ? '../worker.ts' : './worker.js';

/** This is the one other thread of the process. */
export const textWorker = new TextWorker(() => {
  const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 512 } };
  return new Worker(new URL(entry, import.meta.url), options);
});
