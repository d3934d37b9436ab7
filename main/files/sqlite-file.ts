import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { assertNoSymlinks } from './path-checks.ts';

/** A kind of SQLite file of the application. */
type SqliteFileKind = {
  /** For the log. */
  contents: string;
  /** Four letters that identify the kind. */
  applicationId: number;
  /** Incremented with every change of `schema`. */
  version: number;
  schema: string;
  /** `FULL` survives a power cut; with `NORMAL`, the newest rows may be lost then. */
  synchronous: 'NORMAL' | 'FULL';
  /** How long to wait for another program that has it locked. */
  busyTimeoutMs: number;
};

/**
 * Opens or creates a file (0600) that survives a crash of the application. A file of another program or of another version
 * is refused and not changed. Throws SQLite's errors, and one for a symbolic link, see {@link sqliteFileProblem}.
 * @param file a path, or `:memory:`
 */
export function openSqliteFile(file: string, kind: SqliteFileKind): DatabaseSync {
  // Created before SQLite does it, so that it is never readable by others.
  if (file !== ':memory:') {
    assertNoSymlinks(...['', '-wal', '-shm', '-journal'].map((part) => file + part));
    closeSync(openSync(file, 'a', 0o600));
  }
  const db = new DatabaseSync(file, { timeout: kind.busyTimeoutMs });
  try {
    // Before anything is changed, since the file may be another program's.
    prepare(db, kind);
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${kind.synchronous}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Creates or checks the tables, in a transaction, so that two programs do not do it at once. */
function prepare(db: DatabaseSync, kind: SqliteFileKind): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    createOrCheck(db, kind);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function createOrCheck(db: DatabaseSync, { contents, applicationId, version, schema }: SqliteFileKind): void {
  const pragma = (name: string): number => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  const refused = (cause: FileProblem): Error => new Error(`the file of ${contents} is ${cause}`, { cause });
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (isEmpty) {
    db.exec(`${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
    return;
  }
  if (pragma('application_id') !== applicationId) throw refused('broken');
  if (pragma('user_version') !== version) throw refused('other-version');
  const checkResult = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
  if (checkResult !== 'ok') throw refused('broken');
}

type FileProblem = 'broken' | 'other-version' | 'unreadable';

/** SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html): the content is damaged, and the disk is not at fault. */
const damageCodes: ReadonlySet<unknown> = new Set([11, 26]);

/** Why a file could not be opened: its content is broken or of another version, or the system refused. */
export function sqliteFileProblem(error: unknown): FileProblem {
  if (!(error instanceof Error)) return 'unreadable';
  if (error.cause === 'other-version' || error.cause === 'broken') return error.cause;
  // The lower byte of an extended code is the code.
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  return damageCodes.has(code) ? 'broken' : 'unreadable';
}
