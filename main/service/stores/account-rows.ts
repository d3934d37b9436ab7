import { z } from 'zod';
import type { Account, KeptToken, Login, Session } from './account-store.ts';

/** These are rows as both databases hold them. What a driver hands out is parsed here, and trusted inside. */
export const IdRow = z.object({ id: z.int() });

const AccountRow = IdRow.extend({
  name: z.string(),
  email: z.string(),
  created_at_ms: z.int(),
  updated_at_ms: z.int(),
});

/** Returns the columns of an account, for a query that calls the table by this name. */
export const accountColumns = (table: string): string =>
  ['id', 'name', 'email', 'created_at_ms', 'updated_at_ms'].map((column) => `${table}.${column}`).join(', ');

const toAccount = (row: z.infer<typeof AccountRow>): Account => ({
  id: row.id,
  name: row.name,
  email: row.email,
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
});

export const LoginRow = AccountRow.extend({ password_hash: z.string() }).transform((row): Login => ({
  account: toAccount(row),
  passwordHash: row.password_hash,
}));

export const SessionRow = AccountRow.extend({
  secret_digest: z.instanceof(Uint8Array),
  expires_at_ms: z.int(),
  token_made_at_ms: z.int(),
  bound_to: z.string().nullable(),
}).transform((row): Session => ({
  account: toAccount(row),
  secretDigest: row.secret_digest,
  expiresAtMs: row.expires_at_ms,
  boundTo: row.bound_to?.split(' ') ?? [],
  isEnded: row.expires_at_ms <= row.token_made_at_ms,
}));

export const KeptTokenRow = IdRow.extend({ created_at_ms: z.int(), expires_at_ms: z.int() }).transform(
  (row): KeptToken => ({ id: row.id, createdAtMs: row.created_at_ms, expiresAtMs: row.expires_at_ms }),
);

/** Ids from here on are made of what a token is, and say nothing of when it was made. */
const CHOSEN_IDS_FROM = 2 ** 47;

/** Returns the id of a token that does not say it: 47 bits of a digest of what it is found by. */
export const chosenIdOf = (digest: Uint8Array): number =>
  CHOSEN_IDS_FROM + (Buffer.from(digest).readUIntBE(0, 6) % CHOSEN_IDS_FROM);

/** The order of tokens in SQL: the one that was made last comes first. */
export const newestFirst = `CASE WHEN id < ${CHOSEN_IDS_FROM} THEN id ELSE created_at_ms END DESC`;

export const EndRow = z.object({ end_ms: z.int() });

export const BeginningRow = z.object({ beginning: z.string() });

/** What a token is bound to, as the column holds it. */
export const boundToText = (ids: readonly string[] = []): string | null => (ids.length === 0 ? null : ids.join(' '));
