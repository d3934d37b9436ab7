import type { DatabaseSync } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import { AcceptedFault, ReportComparison, type Report } from '../../preload/contract/report.ts';
import { RunSummary, type StoredRun, type RunHistory } from '../../preload/contract/checks.ts';
import { openSqliteFile } from '../files/sqlite-file.ts';
import { compareReports } from './compare-reports.ts';
import { listFaults } from './check-faults.ts';
import { renderJsonReport, readReport } from './reports/json-report.ts';
import { createRunHistory } from './server-history.ts';

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
  CREATE TABLE acceptances (
    server TEXT NOT NULL,
    fault TEXT NOT NULL,
    case_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    accepted TEXT NOT NULL,
    PRIMARY KEY (server, fault)
  ) STRICT;
`;

/** So many reports of each server stay whole, beside pinned ones. Of older runs, what they changed stays. */
const wholeReports = 50;

/** A report under its number, with what changed by meaning since the runs before; the first run changed nothing. */
export type StoredReport = { number: number; report: Report; comparison: ReportComparison | undefined };

/**
 * A file of contract reports, made if it is not there; throws as {@link openSqliteFile} does. Two programs can use it
 * at once: each adds its run alone. A run that was added is there after a power cut.
 */
export class ReportStore {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = openSqliteFile(file, {
      contents: 'contract reports',
      // These are the letters `LLRP`.
      applicationId: 0x4c4c_5250,
      version: 2,
      schema,
      synchronous: 'FULL',
      busyTimeoutMs: 10_000,
    });
  }

  /** Adds a run of a server, and says what changed by meaning since the runs before. */
  add(server: string, report: Report): StoredReport {
    return this.#together(() => {
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
      this.#run('INSERT OR REPLACE INTO known (server, report) VALUES (?, ?)', server, pack(learned(before, report)));
      this.#run(
        `UPDATE runs SET report = NULL, summary = NULL WHERE server = ?1 AND pinned = 0 AND report IS NOT NULL
         AND number NOT IN (SELECT number FROM runs WHERE server = ?1 AND pinned = 0 AND report IS NOT NULL
                            ORDER BY number DESC LIMIT ${wholeReports})`,
        server,
      );
      return { number: Number(lastInsertRowid), report, comparison };
    });
  }

  /** Returns the newest report of each server, the oldest of them first. */
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

  /** Returns the report of a run, if it is kept. */
  report = (server: string, number: number): Report | undefined =>
    this.#reportIn('SELECT report FROM runs WHERE server = ? AND number = ?', server, number);

  /** Returns the runs of all servers whose reports are kept, the newest first. */
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

  /** Returns what all runs of a server have taught. */
  history(server: string): RunHistory {
    // A run that changed and learned nothing needs no comparison.
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

  /** Keeps a report whatever comes after it, or lets it go with the others of its age. */
  pin(server: string, number: number, pinned: boolean): void {
    const update = 'UPDATE runs SET pinned = ? WHERE server = ? AND number = ? AND report IS NOT NULL';
    this.#run(update, pinned ? 1 : 0, server, number);
  }

  /** Deletes the report of a run. What the run changed stays, or the history would have a gap. */
  deleteReport(server: string, number: number): void {
    this.#run(
      'UPDATE runs SET report = NULL, summary = NULL, pinned = 0 WHERE server = ? AND number = ?',
      server,
      number,
    );
    this.#sweep();
  }

  /** Returns what is accepted of a server. */
  accepted(server: string): AcceptedFault[] {
    const select = 'SELECT fault, case_id AS "case", reason, accepted FROM acceptances WHERE server = ? ORDER BY rowid';
    return this.#all(select, server).map((row) => AcceptedFault.parse(row));
  }

  /** Accepts a fault, instead of what was accepted of it before. */
  accept(server: string, { fault, case: caseId, reason, accepted }: AcceptedFault): void {
    const insert =
      'INSERT OR REPLACE INTO acceptances (server, fault, case_id, reason, accepted) VALUES (?, ?, ?, ?, ?)';
    this.#run(insert, server, fault, caseId, reason, accepted);
  }

  withdrawAcceptance(server: string, fault: string): void {
    this.#run('DELETE FROM acceptances WHERE server = ? AND fault = ?', server, fault);
  }

  /** Forgets all of a server. */
  deleteServer(server: string): void {
    this.#together(() => {
      for (const table of ['runs', 'known', 'acceptances']) this.#run(`DELETE FROM ${table} WHERE server = ?`, server);
    });
    this.#sweep();
  }

  close = (): void => this.#db.close();

  #run = (sql: string, ...values: Values) => this.#db.prepare(sql).run(...values);
  #all = (sql: string, ...values: Values) => this.#db.prepare(sql).all(...values);
  #reportIn = (sql: string, ...values: Values): Report | undefined =>
    unpack(this.#db.prepare(sql).get(...values)?.['report']);

  /** Leaves nothing that was deleted in free pages of the file, which takes room for a copy of it. */
  #sweep = (): void => this.#db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');

  /** Does all of it or nothing, while no other program writes. */
  #together<T>(work: () => T): T {
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

/** Reads a packed report; undefined if this version cannot read it. */
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
 * Adds a run to what is known of a server, without calls. A case that was not measured this time, since the server
 * throttled, was slow or was away, leaves what was known of it, so it is no change.
 */
function learned(known: Report | undefined, report: Report): Report {
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
