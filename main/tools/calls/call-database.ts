import type { DatabaseSync } from 'node:sqlite';
import { openSqliteFile } from '../../files/sqlite-file.ts';

const schema = `
  CREATE TABLE calls (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    server_id TEXT NOT NULL,
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
    call TEXT NOT NULL,
    replay_of TEXT,
    contract_run INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX calls_of_server ON calls (server_id);
`;

/** Opens or creates the file of calls; throws as {@link openSqliteFile} does. */
export const openCallDatabase = (file: string): DatabaseSync =>
  openSqliteFile(file, {
    contents: 'calls',
    // `LLEX` in ASCII.
    applicationId: 0x4c4c_4558,
    version: 1,
    schema,
    synchronous: 'NORMAL',
    busyTimeoutMs: 2000,
  });
