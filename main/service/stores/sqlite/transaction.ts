import type { DatabaseSync } from 'node:sqlite';

/** Synchronous, so that no other request of this process runs in between. */
export function transaction<T>(db: DatabaseSync, run: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const done = run();
    db.exec('COMMIT');
    return done;
  } catch (error) {
    // A full disk has ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
