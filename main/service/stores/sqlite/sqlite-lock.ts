import type { DatabaseSync } from 'node:sqlite';
import type { ExclusiveLock } from '../exclusive-lock.ts';
import type { FileIdentity } from './file-identity.ts';
import { toStoreError, runStatement } from './run-statement.ts';
import type { Checkpoints } from './checkpoints.ts';
import { classifySqliteError } from './sqlite-errors.ts';

const LOOK = 'SELECT count(*) FROM sqlite_schema';

/**
 * Takes the file for one connection. A log in WAL is shared by all connections, and SQLite gives it up only to the last
 * one; a log that is begun in exclusive mode then keeps every other one out (https://www.sqlite.org/wal.html#noshm).
 */
export function createSqliteLock(
  db: DatabaseSync,
  place: FileIdentity,
  checkpoints: Pick<Checkpoints, 'ended'>,
): ExclusiveLock {
  let isAlone = false;

  /** Begins a new log in this mode. It throws where another connection is open. */
  function beginLog(mode: 'EXCLUSIVE' | 'NORMAL'): void {
    // The first of the two keeps everybody else away until the new log is there.
    if (mode === 'EXCLUSIVE') db.exec(`PRAGMA locking_mode = ${mode}; PRAGMA journal_mode = DELETE`);
    else db.exec(`PRAGMA journal_mode = DELETE; PRAGMA locking_mode = ${mode}; ${LOOK}`);
    db.exec(`PRAGMA journal_mode = WAL; ${LOOK}`);
    place.renew();
  }

  return {
    async acquire() {
      if (isAlone) return true;
      await checkpoints.ended();
      place.verify();
      try {
        beginLog('EXCLUSIVE');
        isAlone = true;
      } catch (error) {
        // Where the old log is there still, this changes nothing.
        await runStatement(() => db.exec(`PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL; ${LOOK}`));
        place.renew();
        if (classifySqliteError(error)?.reason !== 'locked') throw toStoreError(error);
      }
      return isAlone;
    },
    async release() {
      if (!isAlone) return;
      await checkpoints.ended();
      place.verify();
      await runStatement(() => beginLog('NORMAL'));
      isAlone = false;
    },
  };
}
