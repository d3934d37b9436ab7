import type { DatabaseSync } from 'node:sqlite';
import type { ExclusiveLock } from '../exclusive-lock.ts';
import { toStoreError, runStatement } from './run-statement.ts';
import type { Checkpoints } from './checkpoints.ts';
import { classifySqliteError } from './sqlite-errors.ts';

const READ = 'SELECT count(*) FROM sqlite_schema';

/**
 * Locks the file for one connection. SQLite gives the log of WAL up only to its last connection; one that is begun in
 * exclusive mode then keeps all others out (https://www.sqlite.org/wal.html#noshm).
 */
export function createSqliteLock(db: DatabaseSync, checkpoints: Pick<Checkpoints, 'ended'>): ExclusiveLock {
  let isLocked = false;

  /** Begins a new log in this mode. Throws while another connection is open. */
  function beginLog(mode: 'EXCLUSIVE' | 'NORMAL'): void {
    // The locking mode comes first, so that no other connection gets in before the new log is there.
    if (mode === 'EXCLUSIVE') db.exec(`PRAGMA locking_mode = ${mode}; PRAGMA journal_mode = DELETE`);
    else db.exec(`PRAGMA journal_mode = DELETE; PRAGMA locking_mode = ${mode}; ${READ}`);
    db.exec(`PRAGMA journal_mode = WAL; ${READ}`);
  }

  return {
    async acquire() {
      if (isLocked) return true;
      await checkpoints.ended();
      try {
        beginLog('EXCLUSIVE');
        isLocked = true;
      } catch (error) {
        // No change if the old log is still there.
        await runStatement(() => db.exec(`PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL; ${READ}`));
        if (classifySqliteError(error)?.reason !== 'locked') throw toStoreError(error);
      }
      return isLocked;
    },
    async release() {
      if (!isLocked) return;
      await checkpoints.ended();
      await runStatement(() => beginLog('NORMAL'));
      isLocked = false;
    },
  };
}
