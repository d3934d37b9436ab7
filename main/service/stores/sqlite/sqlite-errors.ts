import { z } from 'zod';
import type { UnavailableReason } from '../account-store.ts';

/** What node:sqlite throws for a result code of SQLite. */
const SqliteError = z.object({ code: z.literal('ERR_SQLITE_ERROR'), errcode: z.int(), errstr: z.string() });
const SystemError = z.object({ code: z.string(), syscall: z.string() });

/** SQLite's primary result codes that say something of the file and nothing of the statement, https://www.sqlite.org/rescode.html. */
const reasonOfCode: Partial<Record<number, UnavailableReason | 'damaged'>> = {
  3: 'read-only', // SQLITE_PERM
  5: 'locked', // SQLITE_BUSY
  6: 'locked', // SQLITE_LOCKED
  8: 'read-only', // SQLITE_READONLY
  10: 'failing', // SQLITE_IOERR
  11: 'damaged', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  14: 'failing', // SQLITE_CANTOPEN
  26: 'damaged', // SQLITE_NOTADB
};

/** An error that comes from the file, the disk or another program, with SQLite's or the system's words for it. */
export type SqliteFileError = { reason: UnavailableReason | 'damaged'; cause: string };

/** Returns undefined for an error that is a fault of ours. */
export function classifySqliteError(error: unknown): SqliteFileError | undefined {
  const sqlite = SqliteError.safeParse(error);
  if (sqlite.success) {
    // An extended code holds the primary one in its low byte.
    const reason = reasonOfCode[sqlite.data.errcode & 0xff];
    return reason && { reason, cause: sqlite.data.errstr };
  }
  const system = SystemError.safeParse(error);
  return system.success ? { reason: 'failing', cause: system.data.code } : undefined;
}

/** Returns the system's name of an error, such as `ENOENT`. */
export const errnoCodeOf = (error: unknown): string | undefined => SystemError.safeParse(error).data?.code;
