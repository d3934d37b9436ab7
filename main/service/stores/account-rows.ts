import { z } from 'zod';
import type { Account, Login, Session } from './account-store.ts';

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
  bound_to: z.string().nullable(),
}).transform((row): Session => ({
  account: toAccount(row),
  secretDigest: row.secret_digest,
  expiresAtMs: row.expires_at_ms,
  boundTo: row.bound_to?.split(' ') ?? [],
}));

export const EndRow = z.object({ end_ms: z.int() });

export const BeginningRow = z.object({ beginning: z.string() });

/** What a token is bound to, as the column holds it. */
export const boundToText = (ids: readonly string[] = []): string | null => (ids.length === 0 ? null : ids.join(' '));
