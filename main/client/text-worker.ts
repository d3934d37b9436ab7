import { once } from 'node:events';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** A function on a text that may be long. Its input and output are copied between threads. */
export type Job<Input, Output> = { name: string; work: (input: Input) => Output | Promise<Output> };

export type JobRequest = { name: string; input: unknown };
/**
 * In characters or bytes: longer texts are processed on the worker. Responses of 256 KiB, such as thousands of short values,
 * blocked main for 120 to 260 ms, and those of this size for up to 50 ms.
 */
export const longText = 32 * 1024;

/** A worker thread for long texts, which runs one job at a time. The first job starts it. */
export class TextWorker {
  readonly #start: () => Worker;
  #thread: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** Runs a job on the thread. Undefined if it exceeded the memory, or if `signal` ended it and the thread. */
  async run<Input, Output>({ name }: Job<Input, Output>, input: Input, signal?: AbortSignal) {
    // Copying 16 MB takes a task of its own.
    const done = this.#last.then(() => yieldToEventLoop()).then(() => this.#post({ name, input }, signal));
    this.#last = done;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The worker runs the job of this name.
    return (await done) as Output | undefined;
  }

  async #post(request: JobRequest, signal: AbortSignal | undefined): Promise<unknown> {
    if (signal?.aborted) return undefined;
    // An ended thread has the id -1.
    if (this.#thread?.threadId === -1) this.#thread = undefined;
    const thread = (this.#thread ??= this.#start());
    const over = new AbortController();
    signal?.addEventListener('abort', () => void thread.terminate(), { signal: over.signal });
    // The process stays alive for a job, and not for an idle thread.
    thread.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- This is a thread, and no window.
    thread.postMessage(request);
    const next = (event: string) => once(thread, event, { signal: over.signal });
    try {
      const [output] = (await Promise.race([next('message'), next('exit').then(() => undefined)])) ?? [];
      return output;
    } catch {
      this.#thread = void thread.terminate();
      return undefined;
    } finally {
      over.abort();
      thread.unref();
    }
  }
}

/** Relative to the source, or to the built chunk: the workers are built apart (`vite.config.ts`). */
const entry = import.meta.filename.endsWith('.ts') ? '../worker.ts' : '../workers/worker.js';

/** The only worker thread of the process. */
export const textWorker = new TextWorker(() => {
  const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 512 } };
  return new Worker(new URL(entry, import.meta.url), options);
});
