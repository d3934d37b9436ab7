import type { DatabaseSync } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import { AcceptedFault, ReportComparison, type Report } from '../../preload/contract/report.ts';
import { RunSummary, type StoredRun, type RunHistory } from '../../preload/contract/checks.ts';
import { openSqliteFile } from '../files/sqlite-file.ts';
import { compareReports } from './compare-reports.ts';
import { listFaults } from './check-faults.ts';
import { renderJsonReport, readReport } from './reports/json-report.ts';
import { createRunHistory } from './server-history.ts';

/** The report is the last column, since SQLite reads all of it to find one after it. */
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
  CREATE TABLE acceptances (
    server TEXT NOT NULL,
    fault TEXT NOT NULL,
    case_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    accepted TEXT NOT NULL,
    PRIMARY KEY (server, fault)
  ) STRICT;
`;

/** Beside pinned ones. Older runs keep only what they changed. */
const storedReportsPerServer = 50;

/** A report with its number and its differences from the earlier ones; undefined for the first. */
export type StoredReport = { number: number; report: Report; comparison: ReportComparison | undefined };

/**
 * The database of check reports, created if missing; throws like {@link openSqliteFile}. Several processes may use it at
 * once. A stored report survives a power cut.
 */
export class ReportStore {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = openSqliteFile(file, {
      contents: 'contract reports',
      // `LLRP` in ASCII.
      applicationId: 0x4c4c_5250,
      version: 2,
      schema,
      synchronous: 'FULL',
      busyTimeoutMs: 10_000,
    });
  }

  /** Stores a report, and compares it with what is known of the server. */
  add(server: string, report: Report): StoredReport {
    return this.#transaction(() => {
      const before = this.#reportIn('SELECT report FROM known WHERE server = ?', server);
      const comparison = before && compareReports(before, report);
      const { lastInsertRowid } = this.#run(
        'INSERT INTO runs (server, started_at, tool_version, comparison, report, summary) VALUES (?, ?, ?, ?, ?, ?)',
        server,
        report.startedAt,
        report.toolVersion,
        JSON.stringify(comparison ?? null),
        pack(report),
        JSON.stringify(summaryOf(report)),
      );
      this.#run(
        'INSERT OR REPLACE INTO known (server, report) VALUES (?, ?)',
        server,
        pack(mergeKnownReport(before, report)),
      );
      this.#run(
        `UPDATE runs SET report = NULL, summary = NULL WHERE server = ?1 AND pinned = 0 AND report IS NOT NULL
         AND number NOT IN (SELECT number FROM runs WHERE server = ?1 AND pinned = 0 AND report IS NOT NULL
                            ORDER BY number DESC LIMIT ${storedReportsPerServer})`,
        server,
      );
      return { number: Number(lastInsertRowid), report, comparison };
    });
  }

  /** The newest report of each server, the oldest of them first. */
  newest(): (StoredReport & { server: string })[] {
    const rows = this.#all(
      `SELECT server, number, report, comparison FROM runs WHERE number IN
       (SELECT max(number) FROM runs WHERE report IS NOT NULL GROUP BY server) ORDER BY number`,
    );
    return rows.flatMap(({ server, number, report: packed, comparison }) => {
      const report = unpack(packed);
      if (!report) return [];
      return [{ server: String(server), number: Number(number), report, comparison: readComparison(comparison) }];
    });
  }

  /** Undefined if only its changes are still stored. */
  report = (server: string, number: number): Report | undefined =>
    this.#reportIn('SELECT report FROM runs WHERE server = ? AND number = ?', server, number);

  /** The runs of all servers whose reports are still stored, the newest first. */
  storedRuns(): StoredRun[] {
    const accepted = new Set(
      this.#all('SELECT server, fault FROM acceptances').map(
        ({ server, fault }) => `${String(server)} ${String(fault)}`,
      ),
    );
    return this.#all('SELECT * FROM runs WHERE report IS NOT NULL ORDER BY number DESC').map((row) => {
      const serverId = String(row['server']);
      const { kept, broken, findings, faults } = RunSummary.parse(JSON.parse(String(row['summary'])));
      return {
        serverId,
        number: Number(row['number']),
        startedAt: String(row['started_at']),
        toolVersion: String(row['tool_version']),
        pinned: row['pinned'] === 1,
        kept,
        broken,
        findings,
        accepted: faults.filter((fault) => accepted.has(`${serverId} ${fault}`)).length,
      };
    });
  }

  history(server: string): RunHistory {
    // A comparison without a difference or a newly tested case is not needed.
    const rows = this.#all(
      `SELECT number, started_at, report IS NOT NULL AS kept,
         CASE WHEN json_array_length(comparison, '$.differences') > 0 OR comparison LIKE '%"side":"before"%'
           THEN comparison END AS comparison
       FROM runs WHERE server = ? ORDER BY number`,
      server,
    );
    const runs = rows.map((row) => ({
      run: { number: Number(row['number']), startedAt: String(row['started_at']), isStored: row['kept'] === 1 },
      comparison: readComparison(row['comparison'] ?? 'null'),
    }));
    return createRunHistory(runs, this.#reportIn('SELECT report FROM known WHERE server = ?', server));
  }

  /** A pinned report does not count towards the limit, and is never dropped. */
  pin(server: string, number: number, pinned: boolean): void {
    const update = 'UPDATE runs SET pinned = ? WHERE server = ? AND number = ? AND report IS NOT NULL';
    this.#run(update, pinned ? 1 : 0, server, number);
  }

  /** Deletes a report. What its run changed stays, or the history would have a gap. */
  deleteReport(server: string, number: number): void {
    this.#run(
      'UPDATE runs SET report = NULL, summary = NULL, pinned = 0 WHERE server = ? AND number = ?',
      server,
      number,
    );
    this.#vacuum();
  }

  accepted(server: string): AcceptedFault[] {
    const select = 'SELECT fault, case_id AS "case", reason, accepted FROM acceptances WHERE server = ? ORDER BY rowid';
    return this.#all(select, server).map((row) => AcceptedFault.parse(row));
  }

  /** Replaces an earlier acceptance of the same fault. */
  accept(server: string, { fault, case: caseId, reason, accepted }: AcceptedFault): void {
    const insert =
      'INSERT OR REPLACE INTO acceptances (server, fault, case_id, reason, accepted) VALUES (?, ?, ?, ?, ?)';
    this.#run(insert, server, fault, caseId, reason, accepted);
  }

  withdrawAcceptance(server: string, fault: string): void {
    this.#run('DELETE FROM acceptances WHERE server = ? AND fault = ?', server, fault);
  }

  /** Deletes everything of a server. */
  deleteServer(server: string): void {
    this.#transaction(() => {
      for (const table of ['runs', 'known', 'acceptances']) this.#run(`DELETE FROM ${table} WHERE server = ?`, server);
    });
    this.#vacuum();
  }

  close = (): void => this.#db.close();

  #run = (sql: string, ...values: Values) => this.#db.prepare(sql).run(...values);
  #all = (sql: string, ...values: Values) => this.#db.prepare(sql).all(...values);
  #reportIn = (sql: string, ...values: Values): Report | undefined =>
    unpack(this.#db.prepare(sql).get(...values)?.['report']);

  /** Removes deleted data from free pages of the file. Needs disk space for a copy. */
  #vacuum = (): void => this.#db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');

  /** Rolls back if `work` throws. Locks out other writers. */
  #transaction<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}

type Values = (string | number | Uint8Array)[];

const pack = (report: Report): Buffer => deflateSync(renderJsonReport(report));

/** Undefined if this version cannot read the report. */
function unpack(packed: unknown): Report | undefined {
  if (!(packed instanceof Uint8Array)) return undefined;
  const read = readReport(inflateSync(packed).toString('utf8'));
  return read.ok ? read.report : undefined;
}

const readComparison = (text: unknown): ReportComparison | undefined =>
  ReportComparison.nullable().parse(JSON.parse(String(text))) ?? undefined;

function summaryOf(report: Report): RunSummary {
  const count = (outcome: 'passed' | 'failed'): number =>
    report.cases.filter((each) => each.kind === 'stated' && each.outcome === outcome).length;
  return {
    kept: count('passed'),
    broken: count('failed'),
    findings: report.findings.filter(({ severity }) => severity !== 'info').length,
    faults: listFaults(report).map(({ id }) => id),
  };
}

/**
 * Merges a report into what is known of a server, without its requests. A case that was not tested this time, since the
 * server throttled, was slow or was down, keeps its earlier result, so it is no change.
 */
function mergeKnownReport(known: Report | undefined, report: Report): Report {
  if (!known) return { ...report, evidence: [] };
  const measured = new Set(report.cases.filter(({ outcome }) => outcome !== 'not-measured').map(({ id }) => id));
  const inRun = new Set(report.cases.map(({ id }) => id));
  const before = new Map(known.cases.map((result) => [result.id, result]));
  return {
    ...report,
    evidence: [],
    cases: [
      ...report.cases.map((result) => (measured.has(result.id) ? result : (before.get(result.id) ?? result))),
      ...known.cases.filter(({ id }) => !inRun.has(id)),
    ],
    findings: [...report.findings, ...known.findings.filter(({ caseId }) => !measured.has(caseId))],
  };
}
