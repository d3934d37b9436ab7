type RecordingTask = () => void;

type Entry = { task: RecordingTask | undefined; prepared: Promise<void> };

/**
 * Runs tasks in their order, after the current turn of the event loop or at `flush`. A task that is still being prepared
 * holds up those after it, so that calls are recorded in the order in which they were made.
 */
export class RecordingQueue {
  readonly #entries: Entry[] = [];
  readonly #run: (task: RecordingTask) => void;

  /** @param run runs a task, and catches what it throws */
  constructor(run: (task: RecordingTask) => void) {
    this.#run = run;
  }

  add(task: RecordingTask | Promise<RecordingTask>): void {
    if (this.#entries.length === 0) setImmediate(() => this.flush());
    const entry: Entry = { task: undefined, prepared: Promise.resolve() };
    if (typeof task === 'function') entry.task = task;
    else entry.prepared = this.#prepare(entry, task);
    this.#entries.push(entry);
  }

  /** Runs all tasks up to the first that is still being prepared. */
  flush(): void {
    for (let task = this.#entries[0]?.task; task; task = this.#entries[0]?.task) {
      this.#entries.shift();
      this.#run(task);
    }
  }

  /** Resolves once the queue is empty. */
  async settled(): Promise<void> {
    while (this.#entries.length > 0) {
      await this.#entries[0]?.prepared;
      this.flush();
    }
  }

  async #prepare(entry: Entry, task: Promise<RecordingTask>): Promise<void> {
    try {
      entry.task = await task;
    } catch (error) {
      entry.task = () => {
        throw error;
      };
    }
    this.flush();
  }
}
