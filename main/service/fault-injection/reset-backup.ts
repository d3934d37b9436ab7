import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { AccountTable } from '../stores/account-table.ts';
import { findSymlink } from '../stores/sqlite/symlinks.ts';

/** Why nothing was backed up or restored. The accounts are unchanged. */
export type BackupFailure =
  /** A database in memory has no folder for a backup. */
  | 'in-memory'
  /** There is no backup, or it is damaged or of another version of the database. */
  | 'no-copy'
  /** The folder cannot be written. */
  | 'unwritable';

type BackupResult = { ok: true } | { ok: false; kind: BackupFailure };

/** The backup of all accounts and tokens before their last replacement. */
export type ResetBackup = {
  /** Runs a replacement after a backup. If that fails, nothing is replaced. */
  replace: (replaceAll: () => Promise<void>) => Promise<BackupResult>;
  canUndo: () => boolean;
  /** Restores the backup, once. */
  undo: () => Promise<BackupResult>;
};

const inMemory: ResetBackup = {
  async replace(replaceAll) {
    await replaceAll();
    return { ok: true };
  },
  canUndo: () => false,
  undo: async () => ({ ok: false, kind: 'in-memory' }),
};

/** @param database its path, in whose folder `snapshots` is made for the backup; or `:memory:` */
export function createResetBackup(table: Pick<AccountTable, 'copyTo' | 'restoreFrom'>, database: string): ResetBackup {
  if (database === ':memory:') return inMemory;
  const folder = join(dirname(resolve(database)), 'snapshots');
  const backup = join(folder, 'before-reset.sqlite');
  // Of two replacements at once, the second one's undo would restore the first one's backup.
  const oneByOne = pLimit(1);

  async function backUp(): Promise<BackupResult> {
    try {
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
      // A link there would lead the accounts to a folder of somebody else's choice.
      if (findSymlink(folder) !== undefined) return { ok: false, kind: 'unwritable' };
      await table.copyTo(backup);
      return { ok: true };
    } catch {
      return { ok: false, kind: 'unwritable' };
    }
  }

  return {
    replace: (replaceAll) =>
      oneByOne(async () => {
        const copied = await backUp();
        if (copied.ok) await replaceAll();
        return copied;
      }),
    canUndo: () => existsSync(backup),
    undo: () =>
      oneByOne(async () => {
        const restored = await table.restoreFrom(backup);
        if (restored.ok) rmSync(backup, { force: true });
        return restored;
      }),
  };
}
