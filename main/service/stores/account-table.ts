import type { PageRange } from '../../../preload/contract/local-servers.ts';

/** An account without its password's hash. */
export type AccountRow = {
  id: number;
  name: string;
  email: string;
  createdAtMs: number;
  /** The number of its tokens, including expired ones that are not swept yet. */
  tokens: number;
};

/** A token without its secret or digest. */
export type TokenListItem = {
  tokenId: number;
  accountId: number;
  email: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** Up to a minute late; `null` if it was not used. */
  lastUsedAtMs: number | null;
};

export type Paged<Row> = { total: number; rows: Row[] };

export type NewRow = { name: string; email: string; emailKey: string; passwordHash: string; createdAtMs: number };

/**
 * All accounts and tokens, for the person who runs the service; no route uses it. Only for SQLite, since a shared database
 * is not one person's to empty. Ids are never used twice, even after it was emptied or restored.
 */
export type AccountTable = {
  accounts(page: PageRange): Promise<Paged<AccountRow>>;
  account(id: number): Promise<Pick<AccountRow, 'name' | 'email'> | undefined>;
  sessions(page: PageRange): Promise<Paged<TokenListItem>>;
  /** The expiry of the newest token that expires after an instant. */
  endOfNewestToken(afterMs: number): Promise<number | undefined>;
  /** Sets the expiry of a token. False if it is gone. */
  expireToken(tokenId: number, atMs: number): Promise<boolean>;
  /** Deletes every token, and returns how many. */
  revokeAll(): Promise<number>;
  /** Deletes every token of an account, and sets its creation time. */
  resetAccount(accountId: number, atMs: number): Promise<void>;
  /** Replaces all accounts and tokens, in one transaction. */
  replaceAll(rows: readonly NewRow[]): Promise<void>;
  /** Copies the database to a file while it is used. */
  copyTo(file: string): Promise<void>;
  /** Replaces all accounts and tokens by those of a copy, in one transaction. */
  restoreFrom(file: string): Promise<{ ok: true } | { ok: false; kind: 'no-copy' }>;
};
