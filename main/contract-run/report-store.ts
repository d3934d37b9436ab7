import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import type { Report } from '../../preload/contract/contract-report.ts';
import { refuseLinks } from '../files/path-checks.ts';
import { learn, type Learned } from './history.ts';
import { jsonReport, readReport } from './reports/json.ts';

/** These are the letters `LLRP`. */
const APPLICATION_ID = 0x4c4c_5250;
const VERSION = 1;

const schema = `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    server TEXT NOT NULL,
    started_at TEXT NOT NULL,
    tool_version TEXT NOT NULL,
    changes TEXT NOT NULL,
    report BLOB
  ) STRICT;
  CREATE INDEX runs_of_server ON runs (server, number);
  CREATE TABLE known (server TEXT PRIMARY KEY, report BLOB NOT NULL) STRICT;
`;

/** As many reports are kept whole of each server. Of a run before them, what it changed is kept. */
const wholeReports = 50;

export type ReportStore = ReturnType<typeof openReportStore>;

/**
 * Opens a file of contract reports (0600), or makes one. Two programs can use it at once: each adds its run alone. A run
 * that was added is there after a crash. Throws SQLite's errors, and one where the file is none of ours or a link.
 * @param file its path, or `:memory:`
 */
export function openReportStore(file: string) {
  if (file !== ':memory:') {
    refuseLinks(...['', '-wal', '-shm', '-journal'].map((part) => file + part));
    closeSync(openSync(file, 'a', 0o600));
  }
  const db = new DatabaseSync(file, { timeout: 10_000 });
  try {
    // It comes before anything is changed, since the file may be none of ours.
    prepare(db);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  } catch (error) {
    db.close();
    throw error;
  }
  const one = (sql: string, ...values: SQLInputValue[]) => db.prepare(sql).get(...values);

  function knownOf(server: string): Report | undefined {
    return unpack(one('SELECT report FROM known WHERE server = ?', server)?.['report']);
  }

  return {
    /** Returns what is known of a server, if there was a run. */
    known: knownOf,

    /** Adds a run of a server, and says what changed by meaning. */
    add(server: string, report: Report): Learned & { before: Report | undefined } {
      db.exec('BEGIN IMMEDIATE');
      try {
        const before = knownOf(server);
        const learned = learn(before, report);
        db.prepare('INSERT INTO runs (server, started_at, tool_version, changes, report) VALUES (?, ?, ?, ?, ?)').run(
          server,
          report.startedAt,
          report.toolVersion,
          JSON.stringify(learned.changes),
          pack(report),
        );
        db.prepare('INSERT OR REPLACE INTO known (server, report) VALUES (?, ?)').run(server, pack(learned.known));
        db.prepare(
          `UPDATE runs SET report = NULL WHERE server = ?1 AND report IS NOT NULL AND number NOT IN
           (SELECT number FROM runs WHERE server = ?1 ORDER BY number DESC LIMIT ${wholeReports})`,
        ).run(server);
        db.exec('COMMIT');
        return { ...learned, before };
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    },

    close: (): void => db.close(),
  };
}

function prepare(db: DatabaseSync): void {
  const pragma = (name: string): number => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  db.exec('BEGIN IMMEDIATE');
  try {
    if (db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) {
      db.exec(`${schema} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`);
    } else if (pragma('application_id') !== APPLICATION_ID) {
      throw new Error('it is no file of contract reports');
    } else if (pragma('user_version') > VERSION) {
      throw new Error('it was written by a newer Llavero');
    } else if (Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0] !== 'ok') {
      throw new Error('it is damaged');
    }
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

const pack = (report: Report): Buffer => deflateSync(jsonReport(report));

function unpack(packed: unknown): Report | undefined {
  if (!(packed instanceof Uint8Array)) return undefined;
  const read = readReport(inflateSync(packed).toString('utf8'));
  if (!read.ok) throw new Error('it is damaged');
  return read.report;
}
