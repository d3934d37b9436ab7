import type { DatabaseSync } from 'node:sqlite';
import type { Report } from '../../preload/contract/contract-report.ts';
import { openOwnDatabase } from '../files/own-database.ts';
import { acceptanceSchema, createAcceptances } from './acceptance-store.ts';
import { learn, type Learned } from './history.ts';
import { pack } from './packed-report.ts';
import { createReportLists, summaryText } from './report-lists.ts';

/** The report is last, since a column behind it is found only by reading all of it. */
const schema = `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    server TEXT NOT NULL,
    started_at TEXT NOT NULL,
    tool_version TEXT NOT NULL,
    comparison TEXT NOT NULL,
    summary TEXT,
    pinned INTEGER NOT NULL DEFAULT 0,
    report BLOB
  ) STRICT;
  CREATE INDEX runs_of_server ON runs (server, number);
  CREATE TABLE known (server TEXT PRIMARY KEY, report BLOB NOT NULL) STRICT;
  ${acceptanceSchema}
`;

/**
 * As many reports are kept whole of each server, beside those that are pinned. Of a run before them, what it changed is
 * kept.
 */
const wholeReports = 50;

export type ReportStore = ReturnType<typeof openReportStore>;

/**
 * Opens a file of contract reports, or makes one, as {@link openOwnDatabase} does. Two programs can use it at once: each
 * adds its run alone. A run that was added is there after a power cut.
 */
export function openReportStore(file: string) {
  const db = openOwnDatabase(file, {
    of: 'contract reports',
    // These are the letters `LLRP`.
    applicationId: 0x4c4c_5250,
    version: 2,
    schema,
    synchronous: 'FULL',
    waitMs: 10_000,
  });
  const lists = createReportLists(db);

  /** Takes out of the file what was deleted. Nothing of it stays in free pages, which takes room for a copy of the file. */
  const sweep = (): void => db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');

  return {
    /** Adds a run of a server, and says what changed by meaning since the runs before. */
    add: (server: string, report: Report): Learned & { number: number } =>
      together(db, () => {
        const learned = learn(lists.known(server), report);
        const comparison = JSON.stringify(learned.comparison ?? null);
        const insert =
          'INSERT INTO runs (server, started_at, tool_version, comparison, report, summary) VALUES (?, ?, ?, ?, ?, ?)';
        const { lastInsertRowid } = db
          .prepare(insert)
          .run(server, report.startedAt, report.toolVersion, comparison, pack(report), summaryText(report));
        db.prepare('INSERT OR REPLACE INTO known (server, report) VALUES (?, ?)').run(server, pack(learned.known));
        db.prepare(
          `UPDATE runs SET report = NULL, summary = NULL WHERE server = ?1 AND pinned = 0 AND report IS NOT NULL
           AND number NOT IN (SELECT number FROM runs WHERE server = ?1 AND pinned = 0 AND report IS NOT NULL
                              ORDER BY number DESC LIMIT ${wholeReports})`,
        ).run(server);
        return { ...learned, number: Number(lastInsertRowid) };
      }),

    ...lists,

    /** Pins a report, which then stays whatever comes after it, or lets it go with the others of its age. */
    pin(server: string, number: number, pinned: boolean): void {
      const update = 'UPDATE runs SET pinned = ? WHERE server = ? AND number = ? AND report IS NOT NULL';
      db.prepare(update).run(pinned ? 1 : 0, server, number);
    },

    /** Deletes the report of a run. What the run changed stays, or the history would have a gap. */
    deleteReport(server: string, number: number): void {
      const update = 'UPDATE runs SET report = NULL, summary = NULL, pinned = 0 WHERE server = ? AND number = ?';
      db.prepare(update).run(server, number);
      sweep();
    },

    ...createAcceptances(db),

    /** Forgets all of a server. */
    forget(server: string): void {
      together(db, () => {
        for (const table of ['runs', 'known', 'acceptances']) {
          db.prepare(`DELETE FROM ${table} WHERE server = ?`).run(server);
        }
      });
      sweep();
    },

    close: (): void => db.close(),
  };
}

/** Does all of it or nothing, while no other program writes. */
function together<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
