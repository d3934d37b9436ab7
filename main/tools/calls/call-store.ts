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
const CountRow = z.object({ count: z.int() });
const RunRow = z.object({ contractRun: z.int(), count: z.int() });
const OldestRow = z.object({ number: z.int(), bytes: z.int() });
const CallRow = z.object({ call: z.string() });

const summaryColumns =
  'id, server_id, started_at, method, host, path, status, failure, total_ms, response_bytes, pinned, replay_of, contract_run';

const outcomeConditions: Record<CallFilter['outcome'], string> = {
  all: '1',
  succeeded: 'failure IS NULL AND status < 400',
  refused: 'failure IS NULL AND status >= 400',
  failed: 'failure IS NOT NULL',
};

const checkConditions: Record<CallFilter['checks'], string> = {
  with: '1',
  without: 'contract_run = 0',
  only: 'contract_run <> 0',
};

/** Separate quotas, so that the calls of checks cannot evict the user's own. */
const quotaConditions = { own: 'contract_run = 0', checks: 'contract_run <> 0' } as const;
type Quota = keyof typeof quotaConditions;

/** Recorded calls in a SQLite file, the newest within limits. Every method throws SQLite's errors. */
export class CallStore {
  readonly #db: DatabaseSync;
  readonly #statements: ReturnType<typeof prepareStatements>;
  #totals: Record<Quota, Totals>;

  constructor(file: string) {
    this.#db = openCallDatabase(file);
    this.#statements = prepareStatements(this.#db);
    this.#totals = this.#readTotals();
  }

  /** Adds a call and deletes the oldest that are not pinned, down to the limits. */
  add(call: RecordedCall, limits: CallLimits): CallSummary {
    this.#db.exec('BEGIN');
    try {
      const { summary, bytes } = this.#insert(call);
      this.#applyLimits(call.contractRun === undefined ? 'own' : 'checks', bytes, limits);
      this.#db.exec('COMMIT');
      return summary;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#totals = this.#readTotals();
      throw error;
    }
  }

  /** Replaces the recorded call of the same id. */
  replace(call: RecordedCall): void {
    const { text, bytes } = serialize(call);
    this.#db.prepare('UPDATE calls SET call = ?, bytes = ? WHERE id = ?').run(text, bytes, call.id);
    this.#totals = this.#readTotals();
  }

  get(id: string): RecordedCall | undefined {
    const row = this.#statements.selectCall.get(id);
    return row === undefined ? undefined : parseCall(row);
  }

  /** All calls that match, the oldest first. */
  findAll(filter: CallFilter): RecordedCall[] {
    const { where, values } = conditionOf(filter);
    const rows = this.#db.prepare(`SELECT call FROM calls WHERE ${where} ORDER BY number`).all(...values);
    return rows.map(parseCall);
  }

  /** A page of the calls that match, the newest first, after `offset` others. */
  list(filter: CallFilter, offset: number): CallPage {
    const { where, values } = conditionOf(filter);
    const { count } = CountRow.parse(
      this.#db.prepare(`SELECT count(*) AS count FROM calls WHERE ${where}`).get(...values),
    );
    const rows = this.#db
      .prepare(`SELECT ${summaryColumns} FROM calls WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`)
      .all(...values, pageLength, offset);
    const runs = RunRow.array().parse(
      this.#db
        .prepare(
          `SELECT contract_run AS contractRun, count(*) AS count FROM calls
             WHERE ${where} AND contract_run <> 0 GROUP BY contract_run`,
        )
        .all(...values),
    );
    return { calls: SummaryRow.array().parse(rows), total: count, more: offset + rows.length < count, runs };
  }

  /** Sets or clears the pin of a call; undefined if the call is gone. */
  pin(id: string, pinned: boolean): CallSummary | undefined {
    this.#statements.updatePinned.run(pinned ? 1 : 0, id);
    const row = this.#statements.selectSummary.get(id);
    return row === undefined ? undefined : SummaryRow.parse(row);
  }

  /** Deletes all calls, or those of one server; pinned ones only with `pinnedToo`. */
  clear({ serverId, pinnedToo }: { serverId?: string | undefined; pinnedToo: boolean }): void {
    const server = serverId ?? null;
    this.#db
      .prepare('DELETE FROM calls WHERE (? IS NULL OR server_id = ?) AND pinned <= ?')
      .run(server, server, pinnedToo ? 1 : 0);
    this.#totals = this.#readTotals();
  }

  /** Gives the space of deleted calls back to the disk. It needs space for a copy of the rest, and throws without it. */
  shrink(): void {
    this.#db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  totals(): Totals {
    const { own, checks } = this.#totals;
    return { count: own.count + checks.count, bytes: own.bytes + checks.bytes };
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #insert(call: RecordedCall): { summary: CallSummary; bytes: number } {
    const summary = summaryOf(call);
    const { text, searched, bytes } = serialize(call);
    this.#statements.insert.run(
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
  }

  /** Adds the size of a new call to its quota, and deletes the oldest that are not pinned while the quota is exceeded. */
  #applyLimits(quota: Quota, addedBytes: number, limits: CallLimits): void {
    let { count, bytes } = this.#totals[quota];
    count += 1;
    bytes += addedBytes;
    const isExceeded = (): boolean => count > limits.count || bytes > limits.bytes;
    while (isExceeded()) {
      const oldest = OldestRow.array().parse(this.#statements.selectOldest[quota].all());
      if (oldest.length === 0) break;
      for (const each of oldest) {
        if (!isExceeded()) break;
        this.#statements.deleteNumber.run(each.number);
        count -= 1;
        bytes -= each.bytes;
      }
    }
    this.#totals[quota] = { count, bytes };
  }

  #readTotals(): Record<Quota, Totals> {
    const { own, checks } = this.#statements.selectTotals;
    return { own: Totals.parse(own.get()), checks: Totals.parse(checks.get()) };
  }
}

function prepareStatements(db: DatabaseSync) {
  const selectTotals = (quota: Quota) =>
    db.prepare(`SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM calls WHERE ${quotaConditions[quota]}`);
  const selectOldest = (quota: Quota) =>
    db.prepare(
      `SELECT number, bytes FROM calls WHERE pinned = 0 AND ${quotaConditions[quota]} ORDER BY number LIMIT 50`,
    );
  return {
    insert: db.prepare(
      `INSERT INTO calls (id, server_id, started_at, method, host, path, status, failure, total_ms,
         response_bytes, bytes, searched, call, replay_of, contract_run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    selectCall: db.prepare('SELECT call FROM calls WHERE id = ?'),
    selectSummary: db.prepare(`SELECT ${summaryColumns} FROM calls WHERE id = ?`),
    updatePinned: db.prepare('UPDATE calls SET pinned = ? WHERE id = ?'),
    deleteNumber: db.prepare('DELETE FROM calls WHERE number = ?'),
    selectTotals: { own: selectTotals('own'), checks: selectTotals('checks') },
    selectOldest: { own: selectOldest('own'), checks: selectOldest('checks') },
  };
}

const parseCall = (row: unknown): RecordedCall => RecordedCall.parse(JSON.parse(CallRow.parse(row).call));

function serialize(call: RecordedCall): { text: string; searched: string; bytes: number } {
  const text = JSON.stringify(call);
  const searched = searchedOf(call);
  return { text, searched, bytes: Buffer.byteLength(text) + Buffer.byteLength(searched) };
}

function conditionOf({ search, serverId, outcome, checks, pinnedOnly }: CallFilter) {
  const searched = normalizeForSearch(search);
  const server = serverId ?? null;
  return {
    where: `(${outcomeConditions[outcome]}) AND (${checkConditions[checks]}) AND (? = '' OR instr(searched, ?) > 0) AND (? IS NULL OR server_id = ?) AND pinned >= ?`,
    values: [searched, searched, server, server, pinnedOnly ? 1 : 0],
  };
}
