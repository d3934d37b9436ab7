import type { DatabaseSync } from 'node:sqlite';
import { accountColumns } from '../account-rows.ts';
import type { AccountStore, TokenRecord } from '../account-store.ts';
import { runStatement } from './run-statement.ts';

const SELECT = `
  SELECT ${accountColumns('accounts')}, secret_digest, expires_at_ms
  FROM tokens JOIN accounts ON accounts.id = tokens.account_id WHERE tokens.id = ?`;

/** A row of it. Since the tables are STRICT, its types need no look at each row, which took half of a lookup's time. */
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

type Waiting = {
  tokenId: number;
  settle: (found: TokenRecord | undefined) => void;
  fail: (error: unknown) => void;
};

/**
 * Makes the lookup of sessions. Those of all requests that have arrived by now are made at the end of the event loop's
 * turn, in one transaction, and their answers leave in a row: to begin to read takes SQLite as long as the lookup itself.
 * The transaction begins after they have arrived and nothing of it is kept, so each sees all that was committed before
 * its request, here or by another instance.
 */
export function createSessionLookup(db: DatabaseSync): AccountStore['findSession'] {
  const select = db.prepare(SELECT);
  // SQLite hands them out in two thirds of the time of objects.
  select.setReturnArrays(true);
  let waiting: Waiting[] = [];

  function look(tokenId: number): TokenRecord | undefined {
    const row: unknown = select.get(tokenId);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an array was asked for above, with these columns
    return row === undefined ? undefined : toSession(row as SessionRow);
  }

  function lookInOneRead(all: readonly Waiting[]): (TokenRecord | undefined)[] {
    db.exec('BEGIN');
    try {
      return all.map(({ tokenId }) => look(tokenId));
    } finally {
      // An error of the disk may have ended it already.
      if (db.isTransaction) db.exec('COMMIT');
    }
  }

  function lookAll(): void {
    const all = waiting;
    waiting = [];
    try {
      const found = lookInOneRead(all);
      for (const [at, { settle }] of all.entries()) settle(found[at]);
    } catch {
      // Each says by itself what is wrong, and waits for the file if another program has it.
      for (const { tokenId, settle, fail } of all) runStatement(() => look(tokenId)).then(settle, fail);
    }
  }

  return (tokenId) =>
    new Promise((settle, fail) => {
      waiting.push({ tokenId, settle, fail });
      if (waiting.length === 1) setImmediate(lookAll);
    });
}
