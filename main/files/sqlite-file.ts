import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { assertNoSymlinks } from './path-checks.ts';

/** A kind of file in which we keep something with SQLite. */
export type SqliteFileKind = {
  /** What is in it, for the log. */
  contents: string;
  /** Four letters, by which a file of this kind is known. */
  applicationId: number;
  /** Rises with every change of the tables, which `schema` makes. */
  version: number;
  schema: string;
  /** With `FULL`, what was written is there after a power cut; with `NORMAL`, the newest may be lost then. */
  synchronous: 'NORMAL' | 'FULL';
  /** Milliseconds for which another program may hold it. */
  busyTimeoutMs: number;
};

/**
 * Opens a file of ours (0600), or makes one. What was written is there after a crash of the application. A file of
 * another program or of another version is refused and stays as it is. Throws SQLite's errors, and one where a link is in
 * the way; {@link sqliteFileProblem} says what they mean.
 * @param file its path, or `:memory:`
 */
export function openSqliteFile(file: string, kind: SqliteFileKind): DatabaseSync {
  // Made before SQLite makes it, so that it is never readable by others.
  if (file !== ':memory:') {
    assertNoSymlinks(...['', '-wal', '-shm', '-journal'].map((part) => file + part));
    closeSync(openSync(file, 'a', 0o600));
  }
  const db = new DatabaseSync(file, { timeout: kind.busyTimeoutMs });
  try {
    // It comes before anything is changed, since the file may be none of ours.
    prepare(db, kind);
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${kind.synchronous}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Makes the tables, or checks them. Another program that opens it at the same time waits. */
function prepare(db: DatabaseSync, kind: SqliteFileKind): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    makeOrCheck(db, kind);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function makeOrCheck(db: DatabaseSync, { contents, applicationId, version, schema }: SqliteFileKind): void {
  const pragma = (name: string): number => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  const refused = (cause: FileProblem): Error => new Error(`the file of ${contents} is ${cause}`, { cause });
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (isEmpty) {
    db.exec(`${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
    return;
  }
  if (pragma('application_id') !== applicationId) throw refused('broken');
  if (pragma('user_version') !== version) throw refused('other-version');
  const finding = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
  if (finding !== 'ok') throw refused('broken');
}

type FileProblem = 'broken' | 'other-version' | 'unreadable';

/** With SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html) the content is at fault, and not the disk. */
const damageCodes: ReadonlySet<unknown> = new Set([11, 26]);

/** Says why a file could not be opened: its content is broken or of another version, or the system does not let it be. */
export function sqliteFileProblem(error: unknown): FileProblem {
  if (!(error instanceof Error)) return 'unreadable';
  if (error.cause === 'other-version' || error.cause === 'broken') return error.cause;
  // The lower byte of an extended code is the code.
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  return damageCodes.has(code) ? 'broken' : 'unreadable';
}
