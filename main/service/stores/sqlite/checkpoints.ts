import { Worker } from 'node:worker_threads';

/** Pages of the log after which a thread is started. */
const CHECKPOINT_PAGES = 1000;
const PAGES_PER_WRITE = 4;

/** At 40 MB, SQLite checkpoints the log in this thread, in case no other thread could. */
const MOST_PAGES = 10_000;

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/** Runs in a worker made of its source text, so it uses nothing outside itself. */
function checkpointInWorker(): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { file }: { file: string } = workerData;
  const db = new DatabaseSync(file);
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  db.close();
}

/**
 * Checkpoints the log of a file in another thread: the pages of a thousand token uses are scattered over a large database,
 * and the disk takes 20 to 50 ms for them, in which no request would be answered.
 */
export function createCheckpoints(file: string) {
  let pages = 0;
  let running: Promise<unknown> | undefined;

  async function run(): Promise<void> {
    const worker = new Worker(`(${checkpointInWorker.toString()})()`, {
      eval: true,
      workerData: { file },
      execArgv: [],
    });
    worker.on('error', () => undefined);
    await new Promise((resolve) => worker.once('exit', resolve));
  }

  return {
    /** For the connection whose log is checkpointed here. */
    pragmas: `PRAGMA wal_autocheckpoint = ${MOST_PAGES}`,

    /** Counts the pages that a write added to the log. */
    wrote(more = PAGES_PER_WRITE): void {
      pages += more;
      if (pages < CHECKPOINT_PAGES || running) return;
      pages = 0;
      // If it fails, as while the file is locked exclusively, the next one does its work.
      running = run()
        .catch(() => undefined)
        .finally(() => (running = undefined));
    },

    /** Resolves when no other thread has the file open, before it is closed or locked. */
    ended: async (): Promise<void> => void (await running),
  };
}

/** A database in memory has no log. */
export const inMemoryCheckpoints: Checkpoints = { pragmas: '', wrote: () => {}, ended: async () => {} };
