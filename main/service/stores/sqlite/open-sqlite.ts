import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AccountStore } from '../account-store.ts';
import type { AccountTable } from '../account-table.ts';
import { inMemoryLock, type ExclusiveLock } from '../exclusive-lock.ts';
import { createWriteRunner, type WriteRunner } from './run-statement.ts';
import { createCheckpoints, inMemoryCheckpoints } from './checkpoints.ts';
import { inspectFile, hasOrphanedWal } from './inspect-file.ts';
import { findSymlink, withSideFiles } from './symlinks.ts';
import { createSqliteTables } from './sqlite-schema.ts';
import { quarantineDatabase } from './quarantine-database.ts';
import { createSqliteAccountStore } from './sqlite-account-store.ts';
import { createSqliteAccountTable } from './sqlite-account-table.ts';
import { createSqliteLock } from './sqlite-lock.ts';
import { classifySqliteError, errnoCodeOf, type SqliteFileError } from './sqlite-errors.ts';
import { retryWhileLocked } from './retry-while-locked.ts';

/**
 * Why a database file cannot be used. The file is left where it is: if it were quarantined, the next start would silently
 * begin without accounts. Only one of another version is quarantined, and the message says so.
 */
export type SqliteOpenFailure = 'unwritable' | 'locked' | 'corrupt' | 'other-version' | 'foreign' | 'log-alone';

const sentences: Record<SqliteOpenFailure, (file: string, cause: string) => string> = {
  unwritable: (file, cause) => `The database ${file} cannot be written: ${cause}.`,
  locked: (file) => `The database ${file} is in use by another program.`,
  corrupt: (file, cause) =>
    `The database ${file} is damaged (${cause}) and was left as it is: put a copy in its place, or move it away ` +
    'together with its -wal file to begin without accounts.',
  'other-version': (file, kept) =>
    `The database ${file} was written by another version of this program and is kept as ${kept}: the next start ` +
    'begins without accounts.',
  foreign: (file) => `The database ${file} belongs to another program.`,
  'log-alone': (file) =>
    `The database ${file} is missing or empty, but its log ${file}-wal is there and was left as it is: put the ` +
    'database back beside it, or move the log away to begin without accounts.',
};

const kindOfReason: Record<SqliteFileError['reason'], SqliteOpenFailure> = {
  full: 'unwritable',
  'read-only': 'unwritable',
  locked: 'locked',
  unreachable: 'unwritable',
  failing: 'unwritable',
  damaged: 'corrupt',
};

/**
 * Makes a folder and its missing parents, for this user only. Node's recursive `mkdir` never returns on a file system that
 * reports an existing parent as missing, such as `/proc`.
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = errnoCodeOf(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

/**
 * Makes the file before SQLite does, so that others can never read it; `-wal` and `-shm` get the same mode. Not while this
 * process has the file open: closing a file drops every lock of the process on it.
 */
function makePrivate(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

/** What only a SQLite database can do. */
export type LocalDatabase = {
  db: DatabaseSync;
  write: WriteRunner;
  table: AccountTable;
  lock: ExclusiveLock;
};

type OpenResult =
  | { ok: true; accounts: AccountStore; local: LocalDatabase }
  | { ok: false; kind: SqliteOpenFailure; /** One English sentence. */ message: string };

/**
 * Opens a database file, which is created if it is missing, or one in memory. An existing one is checked first.
 * @param file a path, or `:memory:`
 */
export async function openSqlite(file: string): Promise<OpenResult> {
  const failed = (kind: SqliteOpenFailure, cause = ''): OpenResult => ({
    ok: false,
    kind,
    message: sentences[kind](file, cause),
  });
  const inMemory = file === ':memory:';
  let db: DatabaseSync | undefined;
  try {
    if (!inMemory) {
      const link = findSymlink(...withSideFiles(file));
      if (link !== undefined) return failed('unwritable', `${link} is a symbolic link`);
      if (hasOrphanedWal(file)) return failed('log-alone');
      makePrivate(file);
      const inspected = await inspectFile(file);
      if (inspected.kind === 'damaged') return failed('corrupt', inspected.cause);
      if (inspected.kind === 'other-version') return failed(inspected.kind, quarantineDatabase(file));
      if (inspected.kind === 'foreign') return failed(inspected.kind);
      // A copied file may have any mode. Not earlier, since the file may be another program's.
      chmodSync(file, 0o600);
    }
    const opened = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    db = opened;
    // With NORMAL instead of FULL, a power cut may lose the newest registration. The cache is 64 MiB, since with SQLite's
    // own 2 MiB a million accounts are read from the file again and again.
    const pragmas = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536';
    await retryWhileLocked(() => opened.exec(pragmas));
    await createSqliteTables(db);
    const checkpoints = inMemory ? inMemoryCheckpoints : createCheckpoints(file);
    opened.exec(checkpoints.pragmas);
    const write = createWriteRunner(checkpoints);
    return {
      ok: true,
      accounts: createSqliteAccountStore(db, write, checkpoints.ended),
      local: {
        db,
        write,
        table: createSqliteAccountTable(db),
        lock: inMemory ? inMemoryLock : createSqliteLock(db, checkpoints),
      },
    };
  } catch (error) {
    if (db?.isOpen) db.close();
    const fileError = classifySqliteError(error);
    if (fileError !== undefined) return failed(kindOfReason[fileError.reason], fileError.cause);
    throw error;
  }
}
