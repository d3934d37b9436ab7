import type { DatabaseSync } from 'node:sqlite';
import { accountColumns } from '../account-rows.ts';
import type { AccountStore, TokenRecord } from '../account-store.ts';
import { runStatement } from './run-statement.ts';

const SELECT = `
  SELECT ${accountColumns('accounts')}, secret_digest, expires_at_ms
  FROM tokens JOIN accounts ON accounts.id = tokens.account_id WHERE tokens.id = ?`;

/** Not parsed, since the tables are STRICT: parsing took half of a lookup's time. */
type SessionRow = [
  id: number,
  name: string,
  email: string,
  createdAtMs: number,
  updatedAtMs: number,
  secretDigest: Uint8Array,
  expiresAtMs: number,
];

const toSession = ([
  id,
  name,
  email,
  createdAtMs,
  updatedAtMs,
  secretDigest,
  expiresAtMs,
]: SessionRow): TokenRecord => ({
  account: { id, name, email, createdAtMs, updatedAtMs },
  secretDigest,
  expiresAtMs,
});

type PendingLookup = {
  tokenId: number;
  settle: (found: TokenRecord | undefined) => void;
  fail: (error: unknown) => void;
};

/**
 * Looks up the sessions of all requests that arrived in one turn of the event loop in one transaction, since its start takes
 * SQLite as long as a lookup. The transaction starts after they arrived and nothing is cached, so each sees all that was
 * committed before its request, here or by another instance.
 */
export function createSessionLookup(db: DatabaseSync): AccountStore['findSession'] {
  const select = db.prepare(SELECT);
  // Takes two thirds of the time of objects.
  select.setReturnArrays(true);
  let waiting: PendingLookup[] = [];

  function findOne(tokenId: number): TokenRecord | undefined {
    const row: unknown = select.get(tokenId);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an array was asked for above, with these columns
    return row === undefined ? undefined : toSession(row as SessionRow);
  }

  function findAll(all: readonly PendingLookup[]): (TokenRecord | undefined)[] {
    db.exec('BEGIN');
    try {
      return all.map(({ tokenId }) => findOne(tokenId));
    } finally {
      // A disk error may have ended it already.
      if (db.isTransaction) db.exec('COMMIT');
    }
  }

  function flush(): void {
    const all = waiting;
    waiting = [];
    try {
      const found = findAll(all);
      for (const [at, { settle }] of all.entries()) settle(found[at]);
    } catch {
      // Each by itself, which retries while the file is locked.
      for (const { tokenId, settle, fail } of all) runStatement(() => findOne(tokenId)).then(settle, fail);
    }
  }

  return (tokenId) =>
    new Promise((settle, fail) => {
      waiting.push({ tokenId, settle, fail });
      if (waiting.length === 1) setImmediate(flush);
    });
}
