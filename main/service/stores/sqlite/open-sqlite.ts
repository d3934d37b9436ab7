import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { AccountStore } from '../account-store.ts';
import { migrate } from './migrations.ts';
import { createSqliteAccountStore } from './sqlite-account-store.ts';

/** Why a database file cannot be used; in every case it is left as it was found. */
export type OpenFailure = 'unwritable' | 'locked' | 'corrupt' | 'newer' | 'foreign';

const sentences: Record<OpenFailure, (file: string, cause: string) => string> = {
  unwritable: (file, cause) => `The database ${file} cannot be written: ${cause}.`,
  locked: (file) => `The database ${file} is in use by another program.`,
  corrupt: (file, cause) => `The database ${file} is damaged: ${cause}.`,
  newer: (file) => `The database ${file} was written by a newer version of this program.`,
  foreign: (file) => `The database ${file} belongs to another program.`,
};

/** SQLite's primary result codes, https://www.sqlite.org/rescode.html. */
const failureOfCode: Partial<Record<number, OpenFailure>> = {
  3: 'unwritable', // SQLITE_PERM
  5: 'locked', // SQLITE_BUSY
  6: 'locked', // SQLITE_LOCKED
  8: 'unwritable', // SQLITE_READONLY
  10: 'unwritable', // SQLITE_IOERR
  11: 'corrupt', // SQLITE_CORRUPT
  13: 'unwritable', // SQLITE_FULL
  14: 'unwritable', // SQLITE_CANTOPEN
  26: 'corrupt', // SQLITE_NOTADB
};

const SqliteError = z.object({ code: z.literal('ERR_SQLITE_ERROR'), errcode: z.int(), errstr: z.string() });
const SystemError = z.object({ code: z.string(), syscall: z.string() });

/** Nothing for an error that is a fault of ours. */
function readFailure(error: unknown): { kind: OpenFailure; cause: string } | undefined {
  const sqlite = SqliteError.safeParse(error);
  if (sqlite.success) {
    // An extended code holds the primary one in its low byte.
    const kind = failureOfCode[sqlite.data.errcode & 0xff];
    return kind && { kind, cause: sqlite.data.errstr };
  }
  const system = SystemError.safeParse(error);
  return system.success ? { kind: 'unwritable', cause: system.data.code } : undefined;
}

const codeOf = (error: unknown): string | undefined => SystemError.safeParse(error).data?.code;

/**
 * Makes a folder and those above it that are missing, for this user only. Node's own recursive call never
 * ends where a file system says that the parent of a new folder is missing although it is not, as `/proc` does.
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

/** Made before SQLite makes it, so that it is never readable by others; its `-wal` and `-shm` get the same mode. */
function makePrivate(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

export type OpenResult = { ok: true; accounts: AccountStore } | { ok: false; kind: OpenFailure; message: string };

/**
 * Opens a database file, which is made when there is none, or one in memory.
 * @param file a path, or `:memory:`
 */
export function openSqlite(file: string): OpenResult {
  const failed = (kind: OpenFailure, cause = ''): OpenResult => ({
    ok: false,
    kind,
    message: sentences[kind](file, cause),
  });
  let db: DatabaseSync | undefined;
  try {
    if (file !== ':memory:') makePrivate(file);
    db = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
    const migrated = migrate(db);
    if (!migrated.ok) {
      db.close();
      return failed(migrated.kind);
    }
    // Now that it is known to be ours; it may have been copied here.
    if (file !== ':memory:') chmodSync(file, 0o600);
    // FULL: with WAL, NORMAL may lose the newest answered registration when the power fails.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    return { ok: true, accounts: createSqliteAccountStore(db) };
  } catch (error) {
    if (db?.isOpen) db.close();
    const failure = readFailure(error);
    if (failure === undefined) throw error;
    return failed(failure.kind, failure.cause);
  }
}
