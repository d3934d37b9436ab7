import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  ReplayOf,
  StoredCall,
  type CallSummary,
  type CallFilter,
  type CallLimits,
  type CallPage,
  type RecordedCall,
  type RedactedText,
} from '../../preload/contract/calls.ts';
import { fromStored, toStored } from './stored-call.ts';

/** The letters `LLEX`. */
const APPLICATION_ID = 0x4c4c_4558;
const VERSION = 3;

const schema = `
  CREATE TABLE exchanges (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    environment_id TEXT NOT NULL,
    started_at TEXT NOT NULL,
    method TEXT NOT NULL,
    host TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER,
    failure TEXT,
    total_ms REAL NOT NULL,
    response_bytes INTEGER NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL,
    searched TEXT NOT NULL,
    exchange TEXT NOT NULL,
    replay_of TEXT,
    contract_run INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX exchanges_of_environment ON exchanges (environment_id);
`;

/** What a file of the version before lacks, by that version. */
const upgrades: Readonly<Record<number, string>> = {
  1: 'ALTER TABLE exchanges ADD COLUMN replay_of TEXT',
  2: 'ALTER TABLE exchanges ADD COLUMN contract_run INTEGER NOT NULL DEFAULT 0',
};

const pageLength = 200;

/** Calls of an imported file belong to no server of ours, and have the same limits once more, for themselves. */
export const importedId = 'imported';

const SummaryRow = z
  .object({
    id: z.string(),
    environment_id: z.string(),
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
    serverId: row.environment_id,
    startedAt: row.started_at,
    method: row.method,
    host: row.host,
    path: row.path,
    ...(row.status !== null && { status: row.status }),
    ...(row.failure !== null && { failure: row.failure }),
    totalMs: row.total_ms,
    responseBytes: row.response_bytes,
    pinned: row.pinned !== 0,
    ...(row.replay_of !== null && { replayOf: ReplayOf.parse(JSON.parse(row.replay_of)) }),
    ...(row.contract_run !== 0 && { contractRun: true }),
  }));
const Totals = z.object({ count: z.int(), bytes: z.int() });
const CallRow = z.object({ exchange: z.string() });

const summaryColumns =
  'id, environment_id, started_at, method, host, path, status, failure, total_ms, response_bytes, pinned, replay_of, contract_run';

const outcomes: Record<CallFilter['outcome'], string> = {
  all: '1',
  succeeded: 'failure IS NULL AND status < 400',
  refused: 'failure IS NULL AND status >= 400',
  failed: 'failure IS NOT NULL',
};

const ofContractRuns: Record<CallFilter['contractRuns'], string> = {
  with: '1',
  without: 'contract_run = 0',
  only: 'contract_run = 1',
};

export type CallStore = ReturnType<typeof openCallStore>;

/**
 * Recorded calls in a SQLite file of their own (0600), of which the newest are kept within limits. What was written
 * is there after a crash of the application; the newest may be lost when the power fails. Throws SQLite's errors.
 */
export function openCallStore(file: string) {
  // Made before SQLite makes it, so that it is never readable by others.
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: 2000 });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    prepare(db);
  } catch (error) {
    db.close();
    throw error;
  }

  const insert = db.prepare(
    `INSERT INTO exchanges (id, environment_id, started_at, method, host, path, status, failure, total_ms,
       response_bytes, bytes, searched, exchange, replay_of, contract_run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const selectTotals = db.prepare(
    `SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM exchanges
       WHERE (environment_id = '${importedId}') = ?`,
  );
  const selectOldest = db.prepare(
    `SELECT number, bytes FROM exchanges WHERE pinned = 0 AND (environment_id = '${importedId}') = ?
       ORDER BY number LIMIT 50`,
  );
  const deleteNumber = db.prepare('DELETE FROM exchanges WHERE number = ?');
  const selectCall = db.prepare('SELECT exchange FROM exchanges WHERE id = ?');
  const selectSummary = db.prepare(`SELECT ${summaryColumns} FROM exchanges WHERE id = ?`);
  const updatePinned = db.prepare('UPDATE exchanges SET pinned = ? WHERE id = ?');
  const OldestRow = z.object({ number: z.int(), bytes: z.int() });

  type Group = 'own' | 'imported';
  const groupOf = (serverId: string): Group => (serverId === importedId ? 'imported' : 'own');
  const totalsOf = (group: Group) => Totals.parse(selectTotals.get(group === 'imported' ? 1 : 0));
  const countAgain = () => ({ own: totalsOf('own'), imported: totalsOf('imported') });
  let totals = countAgain();

  function prune(group: Group, limits: CallLimits): void {
    const isWithin = (): boolean => totals[group].count <= limits.count && totals[group].bytes <= limits.bytes;
    while (!isWithin()) {
      const oldest = OldestRow.array().parse(selectOldest.all(group === 'imported' ? 1 : 0));
      if (oldest.length === 0) return;
      for (const { number, bytes } of oldest) {
        if (isWithin()) return;
        deleteNumber.run(number);
        totals[group] = { count: totals[group].count - 1, bytes: totals[group].bytes - bytes };
      }
    }
  }

  return {
    /** Adds one, and lets the oldest that are not pinned go. */
    add(call: RecordedCall, limits: CallLimits): CallSummary {
      const summary = summaryOf(call);
      const group = groupOf(call.serverId);
      const text = JSON.stringify(toStored(call));
      const searched = searchedOf(call);
      const bytes = Buffer.byteLength(text) + Buffer.byteLength(searched);
      db.exec('BEGIN');
      try {
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
          call.contractRun ? 1 : 0,
        );
        totals[group] = { count: totals[group].count + 1, bytes: totals[group].bytes + bytes };
        prune(group, limits);
        db.exec('COMMIT');
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        totals = countAgain();
        throw error;
      }
      return summary;
    },

    /** All that matches, oldest first. */
    every(filter: CallFilter): RecordedCall[] {
      const { where, values } = conditionOf(filter);
      const rows = db.prepare(`SELECT exchange FROM exchanges WHERE ${where} ORDER BY number`).all(...values);
      return CallRow.array()
        .parse(rows)
        .map((row) => fromStored(StoredCall.parse(JSON.parse(row.exchange))));
    },

    /** A page of what matches, newest first, after `offset` others. */
    list(filter: CallFilter, offset: number): CallPage {
      const { where, values } = conditionOf(filter);
      const { count } = z
        .object({ count: z.int() })
        .parse(db.prepare(`SELECT count(*) AS count FROM exchanges WHERE ${where}`).get(...values));
      const rows = db
        .prepare(`SELECT ${summaryColumns} FROM exchanges WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`)
        .all(...values, pageLength, offset);
      return { calls: SummaryRow.array().parse(rows), total: count, more: offset + rows.length < count };
    },

    get(id: string): RecordedCall | undefined {
      const row = selectCall.get(id);
      return row === undefined ? undefined : fromStored(StoredCall.parse(JSON.parse(CallRow.parse(row).exchange)));
    },

    /** Undefined when it is no longer there. */
    pin(id: string, pinned: boolean): CallSummary | undefined {
      updatePinned.run(pinned ? 1 : 0, id);
      const row = selectSummary.get(id);
      return row === undefined ? undefined : SummaryRow.parse(row);
    },

    /** Removes all, or those of one server; pinned ones too when `pinnedToo`. */
    clear({ serverId, pinnedToo }: { serverId?: string; pinnedToo: boolean }): void {
      db.prepare('DELETE FROM exchanges WHERE (? IS NULL OR environment_id = ?) AND pinned <= ?').run(
        serverId ?? null,
        serverId ?? null,
        pinnedToo ? 1 : 0,
      );
      totals = countAgain();
    },

    /** Gives back what removed calls took in the file. Needs room for a copy of the rest, and throws without it. */
    shrink(): void {
      db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    },

    /** Without those that were imported. */
    totals: () => totals.own,

    close(): void {
      if (db.isOpen) db.close();
    },
  };
}

function conditionOf({ search, serverId, outcome, contractRuns, pinnedOnly }: CallFilter) {
  const wanted = fold(search);
  const server = serverId ?? null;
  return {
    where: `(${outcomes[outcome]}) AND (${ofContractRuns[contractRuns]}) AND (? = '' OR instr(searched, ?) > 0) AND (? IS NULL OR environment_id = ?) AND pinned >= ?`,
    values: [wanted, wanted, server, server, pinnedOnly ? 1 : 0],
  };
}

/**
 * Makes the table in a new file, checks an old one and adds what it lacks. A file of another program or of a newer
 * version is refused.
 */
function prepare(db: DatabaseSync): void {
  const pragma = (name: string): number => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (isEmpty) {
    db.exec(`BEGIN; ${schema} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}; COMMIT`);
    return;
  }
  const version = pragma('user_version');
  if (pragma('application_id') !== APPLICATION_ID || version < 1) throw refused('broken');
  if (version > VERSION) throw refused('newer');
  const finding = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
  if (finding !== 'ok') throw refused('broken');
  for (let from = version; from < VERSION; from += 1) {
    db.exec(`BEGIN; ${upgrades[from]}; PRAGMA user_version = ${from + 1}; COMMIT`);
  }
}

type FileProblem = 'broken' | 'newer' | 'unreadable';

const refused = (cause: FileProblem): Error => new Error(`the file of calls is ${cause}`, { cause });

/** SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html): the content is at fault, and not the disk. */
const damageCodes: ReadonlySet<unknown> = new Set([11, 26]);

/** Why a file could not be opened: its content is broken, it is of a newer version, or the system does not let it. */
export function problemOf(error: unknown): FileProblem {
  if (!(error instanceof Error)) return 'unreadable';
  if (error.cause === 'newer' || error.cause === 'broken') return error.cause;
  // The lower byte of an extended code is the code.
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  return damageCodes.has(code) ? 'broken' : 'unreadable';
}

/** What a list shows of a call that nobody pinned. */
export function summaryOf(call: RecordedCall): CallSummary {
  const url = plainText(call.request.url);
  const [, host = '', path = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  return {
    id: call.id,
    serverId: call.serverId,
    startedAt: call.startedAt,
    method: call.request.method,
    host,
    path,
    ...(call.response && { status: call.response.status }),
    ...(call.failure && { failure: call.failure.kind }),
    totalMs: call.timings.totalMs,
    responseBytes: call.response?.body.bytes ?? 0,
    pinned: false,
    ...(call.replayOf && { replayOf: call.replayOf }),
    ...(call.contractRun && { contractRun: call.contractRun }),
  };
}

const fold = (text: string): string => text.toLowerCase();

/** What a search looks in, without secrets. Long bodies are searched at their beginning. */
function searchedOf({ request, response, failure }: RecordedCall): string {
  const bodyOf = (body: typeof request.body): string =>
    body?.form === 'text' ? plainText(body.text).slice(0, 20_000) : '';
  const texts = [
    plainText(request.url),
    plainText(request.head.text),
    bodyOf(request.body),
    ...(response ? [String(response.status), plainText(response.statusText)] : []),
    ...(response?.headers ?? []).map(([name, value]) => `${name}: ${plainText(value)}`),
    bodyOf(response?.body),
    failure?.kind ?? '',
  ];
  return fold(texts.join('\n'));
}

/** A text with dots where its secrets were. */
export function plainText(text: RedactedText): string {
  return text.map((part) => (typeof part === 'string' ? part : '•••')).join('');
}
