import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** So many pages of the log are worth a thread of their own for a moment. A write changes few pages, and a use one. */
const WORTH_PAGES = 1000;
const PAGES_OF_A_WRITE = 4;

/** SQLite itself looks after a log of 40 MB, in this thread: nobody else did, since another one could not. */
const MOST_PAGES = 10_000;

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/** Runs in a worker that is made of its own text, so it uses nothing from outside itself. */
function checkpointInWorker(): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { url }: { url: string } = workerData;
  const db = new DatabaseSync(new URL(url));
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  db.close();
}

/**
 * Takes what the log of a file has into the file, in another thread: the pages of a thousand uses of tokens lie all
 * over a large database, and the disk takes 20 to 50 ms for them, in which no request would be answered.
 */
export function createCheckpoints(file: string) {
  // Without the mode, SQLite would make a new file in the place of one that was moved meanwhile.
  const url = `${pathToFileURL(file).href}?mode=rw`;
  let pages = 0;
  let underway: Promise<unknown> | undefined;

  async function run(): Promise<void> {
    const worker = new Worker(`(${checkpointInWorker.toString()})()`, {
      eval: true,
      workerData: { url },
      execArgv: [],
    });
    worker.on('error', () => undefined);
    await new Promise((resolve) => worker.once('exit', resolve));
  }

  return {
    /** What the connection needs whose log is looked after here. */
    pragmas: `PRAGMA wal_autocheckpoint = ${MOST_PAGES}`,

    /** Counts what a write has added to the log. */
    wrote(more = PAGES_OF_A_WRITE): void {
      pages += more;
      if (pages < WORTH_PAGES || underway) return;
      pages = 0;
      // One that could not, as while one connection has the file alone, leaves it to the next.
      underway = run()
        .catch(() => undefined)
        .finally(() => (underway = undefined));
    },

    /** Resolves when no other thread has the file open. To close it or to take it alone needs that. */
    ended: async (): Promise<void> => void (await underway),
  };
}

/** A database in memory has no log. */
export const inMemoryCheckpoints: Checkpoints = { pragmas: '', wrote: () => {}, ended: async () => {} };
