import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { refuseLinks } from '../files/path-checks.ts';

/** These are the letters `LLEX`. */
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

/** What a file of an earlier version lacks, by that version. */
const upgrades: Readonly<Record<number, string>> = {
  1: 'ALTER TABLE exchanges ADD COLUMN replay_of TEXT',
  2: 'ALTER TABLE exchanges ADD COLUMN contract_run INTEGER NOT NULL DEFAULT 0',
};

/**
 * Opens a file of calls (0600), or makes one. What was written is there after a crash of the application; the newest may
 * be lost when the power fails. Throws SQLite's errors, and one where a link is in the way; {@link problemOf} says what they mean.
 */
export function openCallDatabase(file: string): DatabaseSync {
  // Made before SQLite makes it, so that it is never readable by others.
  if (file !== ':memory:') {
    refuseLinks(...['', '-wal', '-shm', '-journal'].map((part) => file + part));
    closeSync(openSync(file, 'a', 0o600));
  }
  const db = new DatabaseSync(file, { timeout: 2000 });
  try {
    // It comes before anything is changed, since the file may be none of ours.
    prepare(db);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Makes the table, or checks and completes it. A file of another program or of a newer version is refused. */
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

/** With SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html) the content is at fault, and not the disk. */
const damageCodes: ReadonlySet<unknown> = new Set([11, 26]);

/** Says why a file could not be opened: its content is broken, it is newer, or the system does not let it be. */
export function problemOf(error: unknown): FileProblem {
  if (!(error instanceof Error)) return 'unreadable';
  if (error.cause === 'newer' || error.cause === 'broken') return error.cause;
  // The lower byte of an extended code is the code.
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  return damageCodes.has(code) ? 'broken' : 'unreadable';
}
