import type { PageRange } from '../../../preload/contract/local-servers.ts';
/** One account as a table shows it, without its password's hash. */
export type AccountRow = {
  id: number;
  name: string;
  email: string;
  createdAtMs: number;
  /** The number of its tokens, with those that ended and are not swept yet. */
  tokens: number;
};

/** One token as a table shows it, without its secret or the digest of it. */
export type TokenListItem = {
  tokenId: number;
  accountId: number;
  email: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** It may be a minute late; `null` when the token was not used. */
  lastUsedAtMs: number | null;
};

export type Paged<Row> = { total: number; rows: Row[] };

export type NewRow = { name: string; email: string; emailKey: string; passwordHash: string; createdAtMs: number };

/**
 * All accounts and tokens at once, for people who run the service for themselves. No route has it. Only SQLite has this
 * table, since what is shared is not one person's to empty. Ids that were given out are never given out again, even
 * after it was emptied or brought back.
 */
export type AccountTable = {
  accounts(page: PageRange): Promise<Paged<AccountRow>>;
  /** Returns one account by its id; undefined when it is not there. */
  account(id: number): Promise<Pick<AccountRow, 'name' | 'email'> | undefined>;
  sessions(page: PageRange): Promise<Paged<TokenListItem>>;
  /** Finds the end of the token that was made last of all those that end after an instant; undefined without one. */
  endOfNewestToken(afterMs: number): Promise<number | undefined>;
  /** Puts the end of a token at an instant, and returns whether the token was there. */
  expireToken(tokenId: number, atMs: number): Promise<boolean>;
  /** Ends every token, and returns how many. */
  revokeAll(): Promise<number>;
  /** Ends every token of one account, and puts the time of its creation at an instant. */
  resetAccount(accountId: number, atMs: number): Promise<void>;
  /** Puts these accounts in the place of all accounts and tokens, wholly or not at all. */
  replaceAll(rows: readonly NewRow[]): Promise<void>;
  /** Copies everything to a file, while it is used. */
  copyTo(file: string): Promise<void>;
  /** Puts what such a copy holds in the place of all accounts and tokens, wholly or not at all. */
  restoreFrom(file: string): Promise<{ ok: true } | { ok: false; kind: 'no-copy' }>;
};
