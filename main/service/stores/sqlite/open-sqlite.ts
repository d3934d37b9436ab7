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
import { createFileIdentity, inMemoryIdentity } from './file-identity.ts';
import { createSqliteTables } from './sqlite-schema.ts';
import { quarantineDatabase } from './quarantine-database.ts';
import { createSqliteAccountStore } from './sqlite-account-store.ts';
import { createSqliteAccountTable } from './sqlite-account-table.ts';
import { createSqliteLock } from './sqlite-lock.ts';
import { classifySqliteError, errnoCodeOf, type SqliteFileError } from './sqlite-errors.ts';
import { retryWhileLocked } from './retry-while-locked.ts';

/**
 * Why a database file cannot be used. It is left as it was found, and where it was found: if it were set aside, it would
 * be missing at the next start, which would then quietly begin with no accounts. One of another version is set aside, and
 * the sentence says so.
 */
export type OpenFailure = 'unwritable' | 'locked' | 'corrupt' | 'other-version' | 'foreign' | 'log-alone';

const sentences: Record<OpenFailure, (file: string, cause: string) => string> = {
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

const kindOfReason: Record<SqliteFileError['reason'], OpenFailure> = {
  full: 'unwritable',
  'read-only': 'unwritable',
  locked: 'locked',
  unreachable: 'unwritable',
  failing: 'unwritable',
  damaged: 'corrupt',
};

/**
 * Makes a folder and those above it that are missing, for this user only. Node's own recursive call never
 * ends where a file system says that the parent of a new folder is missing although it is not, as `/proc` does.
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
 * Makes the file before SQLite makes it, so that it is never readable by others; its `-wal` and `-shm` get the same
 * mode. It must not be called while this process has the file open: closing a file drops every lock of the process on it.
 */
function makePrivate(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

/** What can be done only with a database that is one person's own. */
export type LocalDatabase = {
  db: DatabaseSync;
  write: WriteRunner;
  table: AccountTable;
  /** Keeps other instances away from the database. */
  lock: ExclusiveLock;
};

type OpenResult =
  | { ok: true; accounts: AccountStore; own: LocalDatabase }
  | { ok: false; kind: OpenFailure; /** One English sentence. */ message: string };

/**
 * Opens a database file, which is made if it is missing, or one in memory. An existing one is checked first.
 * @param file a path, or `:memory:`
 */
export async function openSqlite(file: string): Promise<OpenResult> {
  const failed = (kind: OpenFailure, cause = ''): OpenResult => ({
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
      // It is not done earlier, since the file may be another program's. A file that was copied here may have any mode.
      chmodSync(file, 0o600);
    }
    const opened = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    db = opened;
    // With WAL, NORMAL instead of FULL may lose the newest answered registration when the power fails. The cache is 64
    // MiB of pages at most: with SQLite's own 2 MiB, a million accounts are read from the file again and again.
    const pragmas = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536';
    await retryWhileLocked(() => opened.exec(pragmas));
    await createSqliteTables(db);
    const checkpoints = inMemory ? inMemoryCheckpoints : createCheckpoints(file);
    opened.exec(checkpoints.pragmas);
    const place = inMemory ? inMemoryIdentity : createFileIdentity(file);
    const write = createWriteRunner(place, checkpoints);
    return {
      ok: true,
      accounts: createSqliteAccountStore(db, write, checkpoints.ended),
      own: {
        db,
        write,
        table: createSqliteAccountTable(db),
        lock: inMemory ? inMemoryLock : createSqliteLock(db, place, checkpoints),
      },
    };
  } catch (error) {
    if (db?.isOpen) db.close();
    const trouble = classifySqliteError(error);
    if (trouble !== undefined) return failed(kindOfReason[trouble.reason], trouble.cause);
    throw error;
  }
}
