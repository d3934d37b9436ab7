import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import { ReportComparison, type Report } from '../../preload/contract/contract-report.ts';
import { openOwnDatabase } from '../files/own-database.ts';
import { learn, type Learned } from './history.ts';
import { jsonReport, readReport } from './reports/json.ts';

const schema = `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    server TEXT NOT NULL,
    started_at TEXT NOT NULL,
    tool_version TEXT NOT NULL,
    comparison TEXT NOT NULL,
    report BLOB
  ) STRICT;
  CREATE INDEX runs_of_server ON runs (server, number);
  CREATE TABLE known (server TEXT PRIMARY KEY, report BLOB NOT NULL) STRICT;
`;

/** As many reports are kept whole of each server. Of a run before them, what it changed is kept. */
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
    version: 1,
    schema,
    upgrades: {},
    synchronous: 'FULL',
    waitMs: 10_000,
  });
  const one = (sql: string, ...values: SQLInputValue[]) => db.prepare(sql).get(...values);
  const knownOf = (server: string): Report | undefined =>
    unpack(one('SELECT report FROM known WHERE server = ?', server)?.['report']);

  return {
    /** Adds a run of a server, and says what changed by meaning since the runs before. */
    add: (server: string, report: Report): Learned =>
      together(db, () => {
        const learned = learn(knownOf(server), report);
        const insert = 'INSERT INTO runs (server, started_at, tool_version, comparison, report) VALUES (?, ?, ?, ?, ?)';
        const comparison = JSON.stringify(learned.comparison ?? null);
        db.prepare(insert).run(server, report.startedAt, report.toolVersion, comparison, pack(report));
        db.prepare('INSERT OR REPLACE INTO known (server, report) VALUES (?, ?)').run(server, pack(learned.known));
        db.prepare(
          `UPDATE runs SET report = NULL WHERE server = ?1 AND report IS NOT NULL AND number NOT IN
           (SELECT number FROM runs WHERE server = ?1 ORDER BY number DESC LIMIT ${wholeReports})`,
        ).run(server);
        return learned;
      }),

    /** Returns the newest run of each server, the oldest of them first. */
    newest(): { server: string; report: Report; comparison: ReportComparison | undefined }[] {
      const rows = db
        .prepare(
          'SELECT server, report, comparison FROM runs WHERE number IN (SELECT max(number) FROM runs GROUP BY server) ORDER BY number',
        )
        .all();
      return rows.flatMap((row) => {
        const report = unpack(row['report']);
        const comparison = ReportComparison.nullable().parse(JSON.parse(String(row['comparison'])));
        return report ? { server: String(row['server']), report, comparison: comparison ?? undefined } : [];
      });
    },

    /** Forgets all runs of a server. Nothing of them stays in free pages of the file, which takes room for a copy of it. */
    forget(server: string): void {
      together(db, () => {
        for (const table of ['runs', 'known']) db.prepare(`DELETE FROM ${table} WHERE server = ?`).run(server);
      });
      db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
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

const pack = (report: Report): Buffer => deflateSync(jsonReport(report));

function unpack(packed: unknown): Report | undefined {
  if (!(packed instanceof Uint8Array)) return undefined;
  const read = readReport(inflateSync(packed).toString('utf8'));
  return read.ok ? read.report : undefined;
}
