import type { DatabaseSync } from 'node:sqlite';
import { ReportComparison, type Report } from '../../preload/contract/contract-report.ts';
import { RunSummary, type KeptRun, type RunMoment } from '../../preload/contract/kept-runs.ts';
import { faultsOf } from './faults.ts';
import { unpack } from './packed-report.ts';

/** A run whose report is kept, as a list shows it before it is judged by what is accepted. */
type StoredRun = Omit<KeptRun, 'accepted'> & Pick<RunSummary, 'faults'>;

/** A run with what it changed by meaning. The first run of a server has nothing to change. */
export type RunOfHistory = { run: RunMoment; comparison: ReportComparison | undefined };

/** The newest report that is kept of a server. */
export type NewestReport = {
  server: string;
  number: number;
  report: Report;
  comparison: ReportComparison | undefined;
};

/** Makes what reads the file of reports. */
export function createReportLists(db: DatabaseSync) {
  return {
    /** Returns the newest report that is kept of each server, the oldest of them first. */
    newest(): NewestReport[] {
      const rows = db
        .prepare(
          `SELECT server, number, report, comparison FROM runs WHERE number IN
           (SELECT max(number) FROM runs WHERE report IS NOT NULL GROUP BY server) ORDER BY number`,
        )
        .all();
      return rows.flatMap(({ server, number, report: packed, comparison }): NewestReport[] => {
        const report = unpack(packed);
        if (!report) return [];
        return [{ server: String(server), number: Number(number), report, comparison: readComparison(comparison) }];
      });
    },

    /** Returns the report of a run, if it is kept. */
    report: (server: string, number: number): Report | undefined =>
      unpack(db.prepare('SELECT report FROM runs WHERE server = ? AND number = ?').get(server, number)?.['report']),

    /** Returns the runs of all servers whose reports are kept, the newest first. */
    kept(): StoredRun[] {
      const rows = db
        .prepare(
          `SELECT number, server, started_at, tool_version, pinned, summary FROM runs
           WHERE report IS NOT NULL ORDER BY number DESC`,
        )
        .all();
      return rows.map((row): StoredRun => {
        const { kept, broken, findings, faults } = RunSummary.parse(JSON.parse(String(row['summary'])));
        return {
          serverId: String(row['server']),
          number: Number(row['number']),
          startedAt: String(row['started_at']),
          toolVersion: String(row['tool_version']),
          pinned: row['pinned'] === 1,
          kept,
          broken,
          findings,
          faults,
        };
      });
    },

    /** Returns what stands of a server after all its runs, without their calls. */
    known: (server: string): Report | undefined =>
      unpack(db.prepare('SELECT report FROM known WHERE server = ?').get(server)?.['report']),

    /** Returns all runs of a server, the oldest first. A run that changed and learned nothing has no comparison. */
    history(server: string): RunOfHistory[] {
      const rows = db
        .prepare(
          `SELECT number, started_at, report IS NOT NULL AS kept,
             CASE WHEN json_array_length(comparison, '$.differences') > 0 OR comparison LIKE '%"side":"before"%'
               THEN comparison END AS comparison
           FROM runs WHERE server = ? ORDER BY number`,
        )
        .all(server);
      return rows.map((row) => ({
        run: { number: Number(row['number']), startedAt: String(row['started_at']), isKept: row['kept'] === 1 },
        comparison: readComparison(row['comparison'] ?? 'null'),
      }));
    },
  };
}

/** Counts what a list says of a report, as JSON. */
export const summaryText = (report: Report): string => JSON.stringify(summaryOf(report));

function summaryOf(report: Report): RunSummary {
  const count = (outcome: 'passed' | 'failed'): number =>
    report.cases.filter((each) => each.kind === 'stated' && each.outcome === outcome).length;
  return {
    kept: count('passed'),
    broken: count('failed'),
    findings: report.findings.length,
    faults: faultsOf(report).map(({ id }) => id),
  };
}

const readComparison = (text: unknown): ReportComparison | undefined =>
  ReportComparison.nullable().parse(JSON.parse(String(text))) ?? undefined;
