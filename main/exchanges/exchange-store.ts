import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  RecordedExchange,
  ReplayOf,
  type ExchangeSummary,
  type ExchangeFilter,
  type ExchangeLimits,
  type ExchangePage,
  type RedactedText,
} from '../../preload/contract/exchanges.ts';

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

/** Exchanges of an imported file belong to no environment of ours, and have the same limits once more, for themselves. */
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
  .transform((row): ExchangeSummary => ({
    id: row.id,
    environmentId: row.environment_id,
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
const ExchangeRow = z.object({ exchange: z.string() });

const summaryColumns =
  'id, environment_id, started_at, method, host, path, status, failure, total_ms, response_bytes, pinned, replay_of, contract_run';

const outcomes: Record<ExchangeFilter['outcome'], string> = {
  all: '1',
  succeeded: 'failure IS NULL AND status < 400',
  refused: 'failure IS NULL AND status >= 400',
  failed: 'failure IS NOT NULL',
};

const ofContractRuns: Record<ExchangeFilter['contractRuns'], string> = {
  with: '1',
  without: 'contract_run = 0',
  only: 'contract_run = 1',
};

export type ExchangeStore = ReturnType<typeof openExchangeStore>;

/**
 * Recorded exchanges in a SQLite file of their own (0600), of which the newest are kept within limits. What was written
 * is there after a crash of the application; the newest may be lost when the power fails. Throws SQLite's errors.
 */
export function openExchangeStore(file: string) {
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
  const selectExchange = db.prepare('SELECT exchange FROM exchanges WHERE id = ?');
  const selectSummary = db.prepare(`SELECT ${summaryColumns} FROM exchanges WHERE id = ?`);
  const updatePinned = db.prepare('UPDATE exchanges SET pinned = ? WHERE id = ?');
  const OldestRow = z.object({ number: z.int(), bytes: z.int() });

  type Group = 'own' | 'imported';
  const groupOf = (environmentId: string): Group => (environmentId === importedId ? 'imported' : 'own');
  const totalsOf = (group: Group) => Totals.parse(selectTotals.get(group === 'imported' ? 1 : 0));
  const countAgain = () => ({ own: totalsOf('own'), imported: totalsOf('imported') });
  let totals = countAgain();

  function prune(group: Group, limits: ExchangeLimits): void {
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
    add(exchange: RecordedExchange, limits: ExchangeLimits): ExchangeSummary {
      const summary = summaryOf(exchange);
      const group = groupOf(exchange.environmentId);
      const text = JSON.stringify(exchange);
      const searched = searchedOf(exchange);
      const bytes = Buffer.byteLength(text) + Buffer.byteLength(searched);
      db.exec('BEGIN');
      try {
        insert.run(
          summary.id,
          summary.environmentId,
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
          exchange.replayOf ? JSON.stringify(exchange.replayOf) : null,
          exchange.contractRun ? 1 : 0,
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
    every(filter: ExchangeFilter): RecordedExchange[] {
      const { where, values } = conditionOf(filter);
      const rows = db.prepare(`SELECT exchange FROM exchanges WHERE ${where} ORDER BY number`).all(...values);
      return ExchangeRow.array()
        .parse(rows)
        .map((row) => RecordedExchange.parse(JSON.parse(row.exchange)));
    },

    /** A page of what matches, newest first, after `offset` others. */
    list(filter: ExchangeFilter, offset: number): ExchangePage {
      const { where, values } = conditionOf(filter);
      const { count } = z
        .object({ count: z.int() })
        .parse(db.prepare(`SELECT count(*) AS count FROM exchanges WHERE ${where}`).get(...values));
      const rows = db
        .prepare(`SELECT ${summaryColumns} FROM exchanges WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`)
        .all(...values, pageLength, offset);
      return { exchanges: SummaryRow.array().parse(rows), total: count, more: offset + rows.length < count };
    },

    get(id: string): RecordedExchange | undefined {
      const row = selectExchange.get(id);
      return row === undefined ? undefined : RecordedExchange.parse(JSON.parse(ExchangeRow.parse(row).exchange));
    },

    /** Undefined when it is no longer there. */
    pin(id: string, pinned: boolean): ExchangeSummary | undefined {
      updatePinned.run(pinned ? 1 : 0, id);
      const row = selectSummary.get(id);
      return row === undefined ? undefined : SummaryRow.parse(row);
    },

    /** Removes all, or those of one environment; pinned ones too when `pinnedToo`. */
    clear({ environmentId, pinnedToo }: { environmentId?: string; pinnedToo: boolean }): void {
      db.prepare('DELETE FROM exchanges WHERE (? IS NULL OR environment_id = ?) AND pinned <= ?').run(
        environmentId ?? null,
        environmentId ?? null,
        pinnedToo ? 1 : 0,
      );
      totals = countAgain();
    },

    /** Gives back what removed exchanges took in the file. Needs room for a copy of the rest, and throws without it. */
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

function conditionOf({ search, environmentId, outcome, contractRuns, pinnedOnly }: ExchangeFilter) {
  const wanted = fold(search);
  const environment = environmentId ?? null;
  return {
    where: `(${outcomes[outcome]}) AND (${ofContractRuns[contractRuns]}) AND (? = '' OR instr(searched, ?) > 0) AND (? IS NULL OR environment_id = ?) AND pinned >= ?`,
    values: [wanted, wanted, environment, environment, pinnedOnly ? 1 : 0],
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

const refused = (cause: FileProblem): Error => new Error(`the file of exchanges is ${cause}`, { cause });

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

/** What a list shows of an exchange that nobody pinned. */
export function summaryOf(exchange: RecordedExchange): ExchangeSummary {
  const url = plainText(exchange.request.url);
  const [, host = '', path = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  return {
    id: exchange.id,
    environmentId: exchange.environmentId,
    startedAt: exchange.startedAt,
    method: exchange.request.method,
    host,
    path,
    ...(exchange.response && { status: exchange.response.status }),
    ...(exchange.failure && { failure: exchange.failure.kind }),
    totalMs: exchange.timings.totalMs,
    responseBytes: exchange.response?.body.bytes ?? 0,
    pinned: false,
    ...(exchange.replayOf && { replayOf: exchange.replayOf }),
    ...(exchange.contractRun && { contractRun: exchange.contractRun }),
  };
}

const fold = (text: string): string => text.toLowerCase();

/** What a search looks in, without secrets. Long bodies are searched at their beginning. */
function searchedOf({ request, response, failure }: RecordedExchange): string {
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
