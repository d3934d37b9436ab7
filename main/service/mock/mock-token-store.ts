import type { RouteDependencies } from '../route-dependencies.ts';
import { z } from 'zod';
import { accountColumns, AccountColumns, toAccount } from '../stores/account-rows.ts';
import type { AccountCallStore } from '../stores/account-call-store.ts';
import type { AccountRecord } from '../stores/account-store.ts';
import { EXPIRED_TOKEN_RETENTION_MS } from '../token-sweep.ts';
import { runStatement } from '../stores/sqlite/run-statement.ts';
import type { MockUsernames } from './mock-usernames.ts';
import type { LocalDatabase } from '../stores/sqlite/open-sqlite.ts';

/** What a new token of a mock is kept as. Digests are the SHA-256 of a text, in 32 bytes. */
type NewMockToken = {
  accountId: number;
  /** That of the token, or of what follows its id where it says one. */
  secretDigest: Uint8Array;
  /** That of the payload of a JSON Web Token, by which one is known whose signature was changed. */
  payloadDigest?: Uint8Array | undefined;
  createdAtMs: number;
  expiresAtMs: number;
  /** Whether the token says its id. One that does not is the same token when it is given again. */
  saysId: boolean;
  /** Whether it is deleted at the next start at the latest. */
  isPassing?: boolean;
};

export type MockToken = {
  id: number;
  account: AccountRecord;
  secretDigest: Uint8Array;
  createdAtMs: number;
  expiresAtMs: number;
  isEnded: boolean;
};

/** The tokens of a mock. An ended one is kept, so that it is told from one that never was, also after a restart. */
export type MockTokenStore = {
  /** Keeps a token, and returns its id. */
  create(token: NewMockToken): Promise<number>;
  /** Finds a token by its id, or the very token by its digest, or else one with the same payload. */
  find(
    wanted: { id: number } | { secretDigest: Uint8Array; payloadDigest?: Uint8Array | undefined },
  ): Promise<MockToken | undefined>;
  /** Finds the newest token of an account that is not over at an instant. */
  newestOf(accountId: number, atMs: number): Promise<MockToken | undefined>;
  /** Ends a token, and returns whether this call was the one that ended it. */
  end(id: number): Promise<boolean>;
  /** @param exceptId a token that goes on */
  endAllOf(accountId: number, exceptId?: number): Promise<void>;
  /** Has a token deleted at the next start; returns whether it is there and has not ended. */
  deleteAtNextStart(id: number): Promise<boolean>;
  delete(id: number): Promise<void>;
  /** Returns the end of the newest token that ends after an instant. */
  endOfNewestToken(afterMs: number): Promise<number | undefined>;
};

const TABLE = `
  CREATE TABLE IF NOT EXISTS double_tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    secret_digest BLOB NOT NULL,
    payload_digest BLOB,
    token_made_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    is_ended INTEGER NOT NULL DEFAULT 0,
    is_passing INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS double_tokens_of_account ON double_tokens (account_id);
  CREATE INDEX IF NOT EXISTS double_tokens_by_secret ON double_tokens (secret_digest);
  CREATE INDEX IF NOT EXISTS double_tokens_by_payload ON double_tokens (payload_digest);
`;

const SELECT = `
  SELECT t.id AS token_id, secret_digest, token_made_at_ms, expires_at_ms, is_ended, ${accountColumns('a')}
  FROM double_tokens t JOIN accounts a ON a.id = t.account_id`;

const Row = AccountColumns.extend({
  token_id: z.int(),
  secret_digest: z.instanceof(Uint8Array),
  token_made_at_ms: z.int(),
  expires_at_ms: z.int(),
  is_ended: z.int(),
})
  .transform((row): MockToken => ({
    id: row.token_id,
    account: toAccount(row),
    secretDigest: row.secret_digest,
    createdAtMs: row.token_made_at_ms,
    expiresAtMs: row.expires_at_ms,
    isEnded: row.is_ended === 1,
  }))
  .optional();
const End = z.object({ end_ms: z.int() }).optional();

/** Keeps the tokens of a mock in a table of their own, beside the accounts. */
export async function createMockTokenStore(
  { db, write }: Pick<LocalDatabase, 'db' | 'write'>,
  nowMs: number,
): Promise<MockTokenStore> {
  await write(() => {
    db.exec(TABLE);
    db.prepare('DELETE FROM double_tokens WHERE is_passing = 1 OR expires_at_ms < ?').run(
      nowMs - EXPIRED_TOKEN_RETENTION_MS,
    );
  });
  const insert = db.prepare(
    `INSERT INTO double_tokens (account_id, token_made_at_ms, expires_at_ms, is_passing, payload_digest, secret_digest)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const renew = db.prepare(
    `UPDATE double_tokens SET account_id = ?, token_made_at_ms = ?, expires_at_ms = ?, is_passing = ?, is_ended = 0
     WHERE id = ?`,
  );
  const byId = db.prepare(`${SELECT} WHERE t.id = ?`);
  const byDigest = db.prepare(`${SELECT} WHERE secret_digest = ?1 OR payload_digest = ?2
    ORDER BY secret_digest = ?1 DESC, t.id DESC LIMIT 1`);
  const newest = db.prepare(`${SELECT} WHERE account_id = ? AND expires_at_ms > ? AND is_ended = 0
    ORDER BY token_made_at_ms DESC LIMIT 1`);
  const same = db.prepare('SELECT id FROM double_tokens WHERE secret_digest = ?');
  const end = db.prepare('UPDATE double_tokens SET is_ended = 1 WHERE id = ? AND is_ended = 0');
  const endAll = db.prepare('UPDATE double_tokens SET is_ended = 1 WHERE account_id = ? AND id <> ?');
  const pass = db.prepare('UPDATE double_tokens SET is_passing = 1 WHERE id = ? AND is_ended = 0');
  const remove = db.prepare('DELETE FROM double_tokens WHERE id = ?');
  const newestEnd = db.prepare(`SELECT expires_at_ms AS end_ms FROM double_tokens
    WHERE expires_at_ms > ? AND is_ended = 0 ORDER BY token_made_at_ms DESC LIMIT 1`);

  return {
    create: ({ accountId, secretDigest, payloadDigest, createdAtMs, expiresAtMs, saysId, isPassing = false }) =>
      write(() => {
        const values = [accountId, createdAtMs, expiresAtMs, Number(isPassing)];
        const there = saysId ? undefined : same.get(secretDigest)?.['id'];
        if (there === undefined)
          return Number(insert.run(...values, payloadDigest ?? null, secretDigest).lastInsertRowid);
        renew.run(...values, there);
        return Number(there);
      }),
    find: (wanted) =>
      runStatement(() =>
        Row.parse(
          'id' in wanted ? byId.get(wanted.id) : byDigest.get(wanted.secretDigest, wanted.payloadDigest ?? null),
        ),
      ),
    newestOf: (accountId, atMs) => runStatement(() => Row.parse(newest.get(accountId, atMs))),
    end: (id) => write(() => end.run(id).changes === 1),
    endAllOf: (accountId, exceptId = 0) => write(() => void endAll.run(accountId, exceptId)),
    deleteAtNextStart: (id) => write(() => pass.run(id).changes === 1),
    delete: (id) => write(() => void remove.run(id)),
    endOfNewestToken: (afterMs) => runStatement(() => End.parse(newestEnd.get(afterMs))?.end_ms),
  };
}

/** What a mock is made of. */
export type MockDependencies = RouteDependencies & {
  tokenStore: MockTokenStore;
  usernames: MockUsernames;
  /** Second factors, and changes of accounts. */
  factors: AccountCallStore;
  /** Whether every login asks for a code, and any code in the usual form is right. */
  anyCode?: boolean | undefined;
  /** Makes the secret of a token: a random one unless given. */
  createSecret?: (() => string) | undefined;
  /** Says whether `/register` does without the repeated password. */
  ignoresCpassword?: (() => boolean) | undefined;
};
