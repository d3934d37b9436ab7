import { existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { APPLICATION_ID, SCHEMA_VERSION } from './sqlite-schema.ts';

export type Inspection =
  | { kind: 'usable' | 'foreign' | 'other-version' }
  /** `cause` is SQLite's first finding. */
  | { kind: 'damaged'; cause: string };

const Finding = z.object({ isEmpty: z.boolean(), applicationId: z.int(), version: z.int(), problem: z.string() });

type Task = { url: string; applicationId: number };

/** Runs in a worker made of its source text, so it uses nothing outside itself. */
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
 * True for a log beside a missing or empty database. SQLite would take that for a new one and delete the log, which may
 * contain all accounts.
 */
export const hasOrphanedWal = (file: string): boolean => sizeOf(file) === 0 && sizeOf(`${file}-wal`) > 0;

/**
 * The URL to open a file without changing it, its log or its folder. Without a log nobody has it open, so it is read as
 * immutable. With one, it is read through the log, which only a writing connection would checkpoint. A file with a rollback
 * journal can be read only after that was rolled back.
 */
function inspectionUrl(file: string): string {
  const query = existsSync(`${file}-journal`) ? '' : existsSync(`${file}-wal`) ? '?mode=ro' : '?mode=ro&immutable=1';
  return pathToFileURL(file).href + query;
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
 * Checks every page, row and index of a database file (`PRAGMA integrity_check`). A million accounts with three tokens each
 * (507 MB) take 2.4 s, or 8.6 s from a slow disk; quick_check takes 0.8 and 7.5 s, but does not find an index that misses
 * rows, as in a copy with another file's log. Done at every start, since copies and disks cause damage too, and in a
 * worker, since it would block everything else.
 *
 * Rejects with node:sqlite's error if the file cannot be read.
 */
export async function inspectFile(file: string): Promise<Inspection> {
  if (sizeOf(file) === 0) return { kind: 'usable' };

  const url = inspectionUrl(file);
  const inspected = await inspectAt(url).catch((error: unknown) => ({ kind: 'unreadable' as const, error }));
  // Another process opened it meanwhile, and its writes look like damage to a reader of an immutable file.
  if (inspected.kind !== 'usable' && inspectionUrl(file) !== url) return inspectFile(file);
  if (inspected.kind === 'unreadable') throw inspected.error;
  return inspected;
}
