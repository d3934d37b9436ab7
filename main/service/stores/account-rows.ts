import { z } from 'zod';
import type { AccountRecord, LoginRecord, TokenRecord } from './account-store.ts';

/** Row schemas shared by both databases. */
export const IdRow = z.object({ id: z.int() });

export const AccountColumns = IdRow.extend({
  name: z.string(),
  email: z.string(),
  created_at_ms: z.int(),
  updated_at_ms: z.int(),
});

/** The columns of an account, qualified by a table name. */
export const accountColumns = (table: string): string =>
  ['id', 'name', 'email', 'created_at_ms', 'updated_at_ms'].map((column) => `${table}.${column}`).join(', ');

export const toAccount = (row: z.infer<typeof AccountColumns>): AccountRecord => ({
  id: row.id,
  name: row.name,
  email: row.email,
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
});

export const LoginRow = AccountColumns.extend({ password_hash: z.string() }).transform((row): LoginRecord => ({
  account: toAccount(row),
  passwordHash: row.password_hash,
}));

export const TokenRow = AccountColumns.extend({
  secret_digest: z.instanceof(Uint8Array),
  expires_at_ms: z.int(),
}).transform((row): TokenRecord => ({
  account: toAccount(row),
  secretDigest: row.secret_digest,
  expiresAtMs: row.expires_at_ms,
}));

export const HashPrefixRow = z.object({ beginning: z.string() });
