import { existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { APPLICATION_ID, SCHEMA_VERSION } from './sqlite-schema.ts';

/** What a database file is, before anything is written to it. */
export type Inspection =
  | { kind: 'usable' | 'foreign' | 'other-version' }
  /** `cause` is SQLite's first finding. */
  | { kind: 'damaged'; cause: string };

const Finding = z.object({ isEmpty: z.boolean(), applicationId: z.int(), version: z.int(), problem: z.string() });

type Task = { url: string; applicationId: number };

/** Runs in a worker that is made of its own text, so it uses nothing from outside itself. */
function inspectInWorker(): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { url, applicationId }: Task = workerData;
  const db = new DatabaseSync(new URL(url), { readOnly: url.includes('?mode=ro'), timeout: 5000 });
  const ask = (pragma: string): unknown => Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];

  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  const found = { isEmpty, applicationId: ask('application_id'), version: ask('user_version') };
  const problem = found.applicationId === applicationId ? String(ask('integrity_check(1)')) : 'ok';
  db.close();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ ...found, problem });
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Says whether a database is missing or empty beside a log that is not. SQLite would take it for a new one and drop the
 * log, which may hold everything there was.
 */
export const hasOrphanedWal = (file: string): boolean => sizeOf(file) === 0 && sizeOf(`${file}-wal`) > 0;

/**
 * Says how to open a file so that looking at it changes nothing, its write-ahead log and the folder included. Without a
 * log nobody has it open, and it can be read as it lies there. With one, it is read through it, and only a connection
 * that can write would fold it in at its end. A transaction that was open before the first log must be undone to read
 * anything.
 */
function readingUrl(file: string): string {
  const how = existsSync(`${file}-journal`) ? '' : existsSync(`${file}-wal`) ? '?mode=ro' : '?mode=ro&immutable=1';
  return pathToFileURL(file).href + how;
}

async function inspectAt(url: string): Promise<Inspection> {
  const task: Task = { url, applicationId: APPLICATION_ID };
  const worker = new Worker(`(${inspectInWorker.toString()})()`, { eval: true, workerData: task, execArgv: [] });
  const { isEmpty, applicationId, version, problem } = Finding.parse(
    await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The check of the database ended without a finding')));
    }),
  );
  if (isEmpty && applicationId === 0 && version === 0) return { kind: 'usable' };
  if (applicationId !== APPLICATION_ID) return { kind: 'foreign' };
  if (version !== SCHEMA_VERSION) return { kind: 'other-version' };
  // SQLite's finding may begin with a heading, and have several lines.
  if (problem !== 'ok') return { kind: 'damaged', cause: problem.split('\n').at(-1) ?? problem };
  return { kind: 'usable' };
}

/**
 * Looks at an existing database file and checks every page, row and index of it (`PRAGMA integrity_check`). A million
 * accounts with three tokens each (507 MB) take 2.4 s, or 8.6 s when they must come from a slow disk; quick_check
 * takes 0.8 and 7.5 s, but does not see an index that misses rows, as a copy with another file's log has. It is done at
 * every start, since damage comes from copies and disks too, and in a worker, since it would block everything else.
 *
 * Rejects with node:sqlite's error when the file cannot be read.
 */
export async function inspectFile(file: string): Promise<Inspection> {
  if (sizeOf(file) === 0) return { kind: 'usable' };

  const url = readingUrl(file);
  const inspected = await inspectAt(url).catch((error: unknown) => ({ kind: 'unreadable' as const, error }));
  // Another process opened it meanwhile. What it wrote looks like damage to a reader of an immutable file.
  if (inspected.kind !== 'usable' && readingUrl(file) !== url) return inspectFile(file);
  if (inspected.kind === 'unreadable') throw inspected.error;
  return inspected;
}
