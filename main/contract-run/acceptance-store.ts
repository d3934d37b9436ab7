import type { DatabaseSync } from 'node:sqlite';
import { AcceptedFault } from '../../preload/contract/accepted-faults.ts';

export const acceptanceSchema = `
  CREATE TABLE acceptances (
    server TEXT NOT NULL,
    fault TEXT NOT NULL,
    case_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    accepted TEXT NOT NULL,
    PRIMARY KEY (server, fault)
  ) STRICT;
`;

/** Keeps what a person accepts of servers, in the file of reports. */
export function createAcceptances(db: DatabaseSync) {
  return {
    /** Returns what is accepted of a server. */
    accepted: (server: string): AcceptedFault[] =>
      db
        .prepare('SELECT fault, case_id AS "case", reason, accepted FROM acceptances WHERE server = ? ORDER BY rowid')
        .all(server)
        .map((row) => AcceptedFault.parse(row)),

    /** Accepts a fault, instead of what was accepted of it before. */
    accept(server: string, { fault, case: caseId, reason, accepted }: AcceptedFault): void {
      db.prepare(
        'INSERT OR REPLACE INTO acceptances (server, fault, case_id, reason, accepted) VALUES (?, ?, ?, ?, ?)',
      ).run(server, fault, caseId, reason, accepted);
    },

    withdraw(server: string, fault: string): void {
      db.prepare('DELETE FROM acceptances WHERE server = ? AND fault = ?').run(server, fault);
    },
  };
}
