import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  ReplayOf,
  RecordedCall,
  type CallSummary,
  type CallFilter,
  type CallPage,
} from '../../../preload/contract/calls.ts';
import type { CallLimits } from '../../../preload/contract/settings.ts';
import { openCallDatabase } from './call-database.ts';
import { normalizeForSearch, searchedOf, summaryOf } from '../../client/recording/call-summary.ts';

const pageLength = 200;

const SummaryRow = z
  .object({
    id: z.string(),
    server_id: z.string(),
    started_at: z.string(),
    method: z.string(),
    host: z.string(),
    path: z.string(),
    status: z.int().nullable(),
    failure: z.string().nullable(),
    total_ms: z.number(),
    response_bytes: z.int(),
    pinned: z.int(),
    replay_of: z.string().nullable(),
    contract_run: z.int(),
  })
  .transform((row): CallSummary => ({
    id: row.id,
    serverId: row.server_id,
    startedAt: row.started_at,
    method: row.method,
    host: row.host,
    path: row.path,
    status: row.status ?? undefined,
    failure: row.failure ?? undefined,
    totalMs: row.total_ms,
    responseBytes: row.response_bytes,
    pinned: row.pinned !== 0,
    ...(row.replay_of !== null && { replayOf: ReplayOf.parse(JSON.parse(row.replay_of)) }),
    ...(row.contract_run !== 0 && { contractRun: row.contract_run }),
  }));
const Totals = z.object({ count: z.int(), bytes: z.int() });
type Totals = z.infer<typeof Totals>;
const RunRow = z.object({ contractRun: z.int(), count: z.int() });
const OldestRow = z.object({ number: z.int(), bytes: z.int() });
const CallRow = z.object({ call: z.string() });

const summaryColumns =
  'id, server_id, started_at, method, host, path, status, failure, total_ms, response_bytes, pinned, replay_of, contract_run';

const outcomes: Record<CallFilter['outcome'], string> = {
  all: '1',
  succeeded: 'failure IS NULL AND status < 400',
  refused: 'failure IS NULL AND status >= 400',
  failed: 'failure IS NOT NULL',
};

const ofContractRuns: Record<CallFilter['checks'], string> = {
  with: '1',
  without: 'contract_run = 0',
  only: 'contract_run <> 0',
};

export type CallStore = ReturnType<typeof openCallStore>;

/** Keeps recorded calls in a SQLite file, of which the newest stay within limits. It throws SQLite's errors. */
export function openCallStore(file: string) {
  const db = openCallDatabase(file);
  const insert = createInsert(db);
  const room = createRoom(db);
  const selectCall = db.prepare('SELECT call FROM calls WHERE id = ?');
  const selectSummary = db.prepare(`SELECT ${summaryColumns} FROM calls WHERE id = ?`);
  const updatePinned = db.prepare('UPDATE calls SET pinned = ? WHERE id = ?');

  return {
    /** Adds a call, and lets the oldest go that are not pinned. */
    add(call: RecordedCall, limits: CallLimits): CallSummary {
      db.exec('BEGIN');
      try {
        const { summary, bytes } = insert(call);
        room.taken(groupOf(call), bytes, limits);
        db.exec('COMMIT');
        return summary;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        room.countAgain();
        throw error;
      }
    },

    /** Replaces a call, as when more of it is to be kept. */
    replace(call: RecordedCall): void {
      const text = JSON.stringify(call);
      const bytes = Buffer.byteLength(text) + Buffer.byteLength(searchedOf(call));
      db.prepare('UPDATE calls SET call = ?, bytes = ? WHERE id = ?').run(text, bytes, call.id);
      room.countAgain();
    },

    ...createSearch(db),

    get(id: string): RecordedCall | undefined {
      const row = selectCall.get(id);
      return row === undefined ? undefined : RecordedCall.parse(JSON.parse(CallRow.parse(row).call));
    },

    /** Pins a call or lets it go; undefined when the call is no longer there. */
    pin(id: string, pinned: boolean): CallSummary | undefined {
      updatePinned.run(pinned ? 1 : 0, id);
      const row = selectSummary.get(id);
      return row === undefined ? undefined : SummaryRow.parse(row);
    },

    /** Removes all, or those of one server. Pinned ones go too when `pinnedToo`. */
    clear({ serverId, pinnedToo }: { serverId?: string | undefined; pinnedToo: boolean }): void {
      db.prepare('DELETE FROM calls WHERE (? IS NULL OR server_id = ?) AND pinned <= ?').run(
        serverId ?? null,
        serverId ?? null,
        pinnedToo ? 1 : 0,
      );
      room.countAgain();
    },

    /** Gives back what removed calls took in the file. It needs room for a copy of the rest, and throws without it. */
    shrink(): void {
      db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    },

    /** Answers how many calls are kept, and how much they take. */
    totals(): Totals {
      const [own, runs] = [room.totals('own'), room.totals('runs')];
      return { count: own.count + runs.count, bytes: own.bytes + runs.bytes };
    },

    /** Answers how many calls are kept, with those that were imported. */
    count: (): number => groups.reduce((sum, group) => sum + room.totals(group).count, 0),

    close(): void {
      if (db.isOpen) db.close();
    },
  };
}

/** Finds calls by what a person filters them by. */
function createSearch(db: DatabaseSync) {
  return {
    /** Answers all that matches, the oldest first. */
    every(filter: CallFilter): RecordedCall[] {
      const { where, values } = conditionOf(filter);
      const rows = db.prepare(`SELECT call FROM calls WHERE ${where} ORDER BY number`).all(...values);
      return CallRow.array()
        .parse(rows)
        .map((row) => RecordedCall.parse(JSON.parse(row.call)));
    },

    /** Answers a page of what matches, the newest first, after `offset` others. */
    list(filter: CallFilter, offset: number): CallPage {
      const { where, values } = conditionOf(filter);
      const { count } = z
        .object({ count: z.int() })
        .parse(db.prepare(`SELECT count(*) AS count FROM calls WHERE ${where}`).get(...values));
      const rows = db
        .prepare(`SELECT ${summaryColumns} FROM calls WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`)
        .all(...values, pageLength, offset);
      const runs = RunRow.array().parse(
        db
          .prepare(
            `SELECT contract_run AS contractRun, count(*) AS count FROM calls
               WHERE ${where} AND contract_run <> 0 GROUP BY contract_run`,
          )
          .all(...values),
      );
      return { calls: SummaryRow.array().parse(rows), total: count, more: offset + rows.length < count, runs };
    },
  };
}

/** Writes a call, and answers its summary and how many bytes it takes. */
function createInsert(db: DatabaseSync) {
  const insert = db.prepare(
    `INSERT INTO calls (id, server_id, started_at, method, host, path, status, failure, total_ms,
       response_bytes, bytes, searched, call, replay_of, contract_run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (call: RecordedCall): { summary: CallSummary; bytes: number } => {
    const summary = summaryOf(call);
    const text = JSON.stringify(call);
    const searched = searchedOf(call);
    const bytes = Buffer.byteLength(text) + Buffer.byteLength(searched);
    insert.run(
      summary.id,
      summary.serverId,
      summary.startedAt,
      summary.method,
      summary.host,
      summary.path,
      summary.status ?? null,
      summary.failure ?? null,
      summary.totalMs,
      summary.responseBytes,
      bytes,
      searched,
      text,
      call.replayOf ? JSON.stringify(call.replayOf) : null,
      call.contractRun ?? 0,
    );
    return { summary, bytes };
  };
}

/** Each has the limits for itself, so that four contract runs push out no call of the person. */
const groups = ['own', 'runs'] as const;
type Group = (typeof groups)[number];

const groupOf = ({ contractRun }: RecordedCall): Group => (contractRun === undefined ? 'own' : 'runs');

const groupSql = `CASE WHEN contract_run = 0 THEN 'own' ELSE 'runs' END`;

/** Counts what calls take, and makes room within the limits, for each group apart. */
function createRoom(db: DatabaseSync) {
  const selectTotals = db.prepare(
    `SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM calls
       WHERE ${groupSql} = ?`,
  );
  const selectOldest = db.prepare(
    `SELECT number, bytes FROM calls WHERE pinned = 0 AND ${groupSql} = ?
       ORDER BY number LIMIT 50`,
  );
  const deleteNumber = db.prepare('DELETE FROM calls WHERE number = ?');

  const totalsOf = (group: Group) => Totals.parse(selectTotals.get(group));
  const countAll = () => ({ own: totalsOf('own'), runs: totalsOf('runs') });
  let totals = countAll();

  function prune(group: Group, limits: CallLimits): void {
    const isWithin = (): boolean => totals[group].count <= limits.count && totals[group].bytes <= limits.bytes;
    while (!isWithin()) {
      const oldest = OldestRow.array().parse(selectOldest.all(group));
      if (oldest.length === 0) return;
      for (const { number, bytes } of oldest) {
        if (isWithin()) return;
        deleteNumber.run(number);
        totals[group] = { count: totals[group].count - 1, bytes: totals[group].bytes - bytes };
      }
    }
  }

  return {
    /** Takes note of a call that was written: the oldest that are not pinned go, as far as the limits ask for it. */
    taken(group: Group, bytes: number, limits: CallLimits): void {
      totals[group] = { count: totals[group].count + 1, bytes: totals[group].bytes + bytes };
      prune(group, limits);
    },

    countAgain(): void {
      totals = countAll();
    },

    totals: (group: Group) => totals[group],
  };
}

function conditionOf({ search, serverId, outcome, checks, pinnedOnly }: CallFilter) {
  const wanted = normalizeForSearch(search);
  const server = serverId ?? null;
  return {
    where: `(${outcomes[outcome]}) AND (${ofContractRuns[checks]}) AND (? = '' OR instr(searched, ?) > 0) AND (? IS NULL OR server_id = ?) AND pinned >= ?`,
    values: [wanted, wanted, server, server, pinnedOnly ? 1 : 0],
  };
}
