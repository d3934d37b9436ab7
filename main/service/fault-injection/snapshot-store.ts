import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { AccountTable } from '../stores/account-table.ts';
import { findSymlink } from '../stores/sqlite/symlinks.ts';

/** Why a copy cannot be made, brought back or removed. The accounts are as they were. */
export type SnapshotFailure =
  /** The database is in memory: there is no folder for copies. */
  | 'in-memory'
  /** There is no such copy, or it is not of this version of the database. */
  | 'no-copy'
  /** The folder cannot be written. */
  | 'unwritable'
  /** The file of the copy cannot be removed. */
  | 'not-removed';

type CopyResult = { ok: true } | { ok: false; kind: SnapshotFailure };

/** A copy that was asked for, named by its instant and how many accounts it holds. */
type Snapshot = { id: string; atMs: number; accounts: number };

/** The copies of everything that is there, and the ways back to them. */
export type SnapshotStore = {
  /** Replaces everything after a copy was kept for {@link SnapshotStore.undo}. When the copy fails, nothing is done. */
  replace: (work: () => Promise<void>) => Promise<CopyResult>;
  canUndo(): boolean;
  /** Brings back what the last replacement or restore replaced, once. */
  undo(): Promise<CopyResult>;
  snapshot(): Promise<{ ok: true; snapshot: Snapshot } | { ok: false; kind: SnapshotFailure }>;
  /** Answers the snapshots, the newest first. */
  snapshots(): Snapshot[];
  /** Puts a snapshot in the place of all there is, which undo brings back. */
  restore(id: string): Promise<CopyResult>;
  /** Deletes a snapshot for good. One that is not there has been removed already. */
  removeSnapshot(id: string): Promise<CopyResult>;
};

/** When there are more, the oldest is deleted. */
const MOST_SNAPSHOTS = 20;

/**
 * A file is named by an instant in ISO 8601, without what a file name on Windows cannot hold, and the number of accounts,
 * which needs no look into the file then.
 */
const FILE = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.(\d{1,9})\.sqlite$/;

function readSnapshot(file: string): Snapshot | undefined {
  const [, day = '', hours = '', minutes = '', seconds = '', accounts] = FILE.exec(file) ?? [];
  const atMs = Date.parse(`${day}${hours}:${minutes}:${seconds}`);
  if (Number.isNaN(atMs)) return undefined;
  return { id: file.slice(0, -'.sqlite'.length), atMs, accounts: Number(accounts) };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder is not made yet, or cannot be read. Making the next copy says so.
    return [];
  }
}

const snapshotsIn = (folder: string): Snapshot[] =>
  filesIn(folder)
    .map(readSnapshot)
    .filter((snapshot) => snapshot !== undefined)
    .toSorted((a, b) => b.atMs - a.atMs);

async function copyTo(table: Pick<AccountTable, 'copyTo'>, file: string): Promise<CopyResult> {
  try {
    // It is beside the database, so the folder above is there.
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 });
    // The folder is ours alone. A link there would take the copies to a folder of somebody else's choice.
    if (findSymlink(dirname(file)) !== undefined) return { ok: false, kind: 'unwritable' };
    await table.copyTo(file);
    return { ok: true };
  } catch {
    return { ok: false, kind: 'unwritable' };
  }
}

/** A database in memory has no folder for copies, so there is no undo either. */
const inMemory: SnapshotStore = {
  async replace(work) {
    await work();
    return { ok: true };
  },
  canUndo: () => false,
  undo: async () => ({ ok: false, kind: 'in-memory' }),
  snapshot: async () => ({ ok: false, kind: 'in-memory' }),
  snapshots: () => [],
  restore: async () => ({ ok: false, kind: 'in-memory' }),
  removeSnapshot: async () => ({ ok: false, kind: 'in-memory' }),
};

/**
 * Makes the copies of a database.
 * @param file the database, beside whose file the folder `snapshots` is made when it is needed; or `:memory:`
 */
export function createSnapshotStore(
  table: Pick<AccountTable, 'accounts' | 'copyTo' | 'restoreFrom'>,
  file: string,
  now: () => number,
): SnapshotStore {
  if (file === ':memory:') return inMemory;
  const folder = join(dirname(resolve(file)), 'snapshots');
  const undoFile = join(folder, 'before-reset.sqlite');
  const pathOf = (id: string): string => join(folder, `${id}.sqlite`);
  /** The list alone names copies, since an id is no path. */
  const isThere = (id: string): boolean => snapshotsIn(folder).some((snapshot) => snapshot.id === id);
  // Of two replacements at once, the second one's undo would bring back the first one's copy.
  const oneByOne = pLimit(1);

  async function snapshot(): ReturnType<SnapshotStore['snapshot']> {
    const newest = snapshotsIn(folder)[0];
    // Every snapshot gets a later instant than the one before, even within one millisecond or after the clock was put
    // back.
    const atMs = Math.max(now(), (newest?.atMs ?? 0) + 1);
    const { total: accounts } = await table.accounts({ offset: 0, limit: 1 });
    const made = { id: `${new Date(atMs).toISOString().replaceAll(':', '-')}.${accounts}`, atMs, accounts };
    const copied = await copyTo(table, pathOf(made.id));
    if (!copied.ok) return copied;
    for (const { id } of snapshotsIn(folder).slice(MOST_SNAPSHOTS)) rmSync(pathOf(id), { force: true });
    return { ok: true, snapshot: made };
  }

  async function restore(id: string): Promise<CopyResult> {
    if (!isThere(id)) return { ok: false, kind: 'no-copy' };
    // The copy of now does not replace the one for undo until it is known that the snapshot can be read.
    const pending = `${undoFile}.pending`;
    const copied = await copyTo(table, pending);
    if (!copied.ok) return copied;
    const back = await table.restoreFrom(pathOf(id));
    if (back.ok) renameSync(pending, undoFile);
    else rmSync(pending, { force: true });
    return back;
  }

  return {
    replace: (work) =>
      oneByOne(async () => {
        const copied = await copyTo(table, undoFile);
        if (copied.ok) await work();
        return copied;
      }),
    canUndo: () => existsSync(undoFile),
    undo: () =>
      oneByOne(async () => {
        const back = await table.restoreFrom(undoFile);
        if (back.ok) rmSync(undoFile, { force: true });
        return back;
      }),
    snapshot: () => oneByOne(snapshot),
    snapshots: () => snapshotsIn(folder),
    restore: (id) => oneByOne(() => restore(id)),
    removeSnapshot: (id) =>
      oneByOne(async () => {
        if (!isThere(id)) return { ok: true };
        try {
          rmSync(pathOf(id), { force: true });
          return { ok: true };
        } catch {
          return { ok: false, kind: 'not-removed' };
        }
      }),
  };
}
