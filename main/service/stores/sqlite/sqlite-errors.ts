import { z } from 'zod';
import type { UnavailableReason } from '../account-store.ts';

const SqliteError = z.object({ code: z.literal('ERR_SQLITE_ERROR'), errcode: z.int(), errstr: z.string() });
const SystemError = z.object({ code: z.string(), syscall: z.string() });

/** SQLite's primary result codes that concern the file and not the statement, https://www.sqlite.org/rescode.html. */
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

/** Caused by the file, the disk or another program. `cause` is SQLite's message or the system's code. */
export type SqliteFileError = { reason: UnavailableReason | 'damaged'; cause: string };

/** Undefined for a bug of ours. */
export function classifySqliteError(error: unknown): SqliteFileError | undefined {
  const sqlite = SqliteError.safeParse(error);
  if (sqlite.success) {
    // The low byte of an extended code is the primary one.
    const reason = reasonOfCode[sqlite.data.errcode & 0xff];
    return reason && { reason, cause: sqlite.data.errstr };
  }
  const system = SystemError.safeParse(error);
  return system.success ? { reason: 'failing', cause: system.data.code } : undefined;
}

/** Such as `ENOENT`. */
export const errnoCodeOf = (error: unknown): string | undefined => SystemError.safeParse(error).data?.code;
