import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { AcceptedFault } from '../../preload/contract/accepted-faults.ts';

/** What was accepted of a server, also where it was withdrawn. The moments are in ISO 8601. */
const AcceptanceRow = AcceptedFault.omit({ accepted: true }).extend({
  acceptedAt: z.string(),
  withdrawnAt: z.string().optional(),
});
export type AcceptanceRow = z.infer<typeof AcceptanceRow>;

/** The newest of each fault is what counts, unless it was withdrawn. What was withdrawn stays for the history. */
export const acceptanceSchema = `
  CREATE TABLE acceptances (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    server TEXT NOT NULL,
    fault TEXT NOT NULL,
    case_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    until TEXT,
    accepted_at TEXT NOT NULL,
    withdrawn_at TEXT
  ) STRICT;
  CREATE INDEX acceptances_of_server ON acceptances (server, number);
`;

/** Keeps what a person accepts of servers, in the file of reports. */
export function createAcceptances(db: DatabaseSync, together: <T>(work: () => T) => T) {
  const allOf = (server: string): AcceptanceRow[] =>
    db
      .prepare('SELECT * FROM acceptances WHERE server = ? ORDER BY number')
      .all(server)
      .flatMap((row) => {
        const read = AcceptanceRow.safeParse({
          fault: row['fault'],
          case: row['case_id'],
          reason: row['reason'],
          until: row['until'] ?? undefined,
          acceptedAt: row['accepted_at'],
          withdrawnAt: row['withdrawn_at'] ?? undefined,
        });
        // A case that a newer version knew is nothing to this one.
        return read.success ? [read.data] : [];
      });

  function withdraw(server: string, fault: string, at: string): void {
    db.prepare('UPDATE acceptances SET withdrawn_at = ? WHERE server = ? AND fault = ? AND withdrawn_at IS NULL').run(
      at,
      server,
      fault,
    );
  }

  return {
    /** Returns all that was ever accepted of a server, the oldest first. */
    acceptances: allOf,

    /** Returns what is accepted of a server, also where its last day is over. */
    accepted: (server: string): AcceptedFault[] =>
      allOf(server).flatMap(({ acceptedAt, withdrawnAt, ...rest }) =>
        withdrawnAt === undefined ? [{ ...rest, accepted: acceptedAt.slice(0, 10) }] : [],
      ),

    /** Accepts faults, instead of what was accepted of them before. */
    accept: (server: string, faults: readonly Omit<AcceptanceRow, 'withdrawnAt'>[], at: string): void =>
      together(() => {
        const insert =
          'INSERT INTO acceptances (server, fault, case_id, reason, until, accepted_at) VALUES (?, ?, ?, ?, ?, ?)';
        for (const { fault, case: caseId, reason, until, acceptedAt } of faults) {
          withdraw(server, fault, at);
          db.prepare(insert).run(server, fault, caseId, reason, until ?? null, acceptedAt);
        }
      }),

    withdraw,
  };
}
