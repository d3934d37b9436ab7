/** Why a database is unavailable for now. */
export type UnavailableReason = 'full' | 'read-only' | 'locked' | 'unreachable' | 'failing';

/** An error with the code `LLAVERO_STORE_UNAVAILABLE`: the request is fine and can be repeated later. */
export function createStoreUnavailableError(
  reason: UnavailableReason,
  cause: unknown,
): Error & { code: string; reason: UnavailableReason } {
  const error = new Error(`The database cannot be used now: ${reason}`, { cause });
  return Object.assign(error, { code: 'LLAVERO_STORE_UNAVAILABLE', reason });
}

/** Without the password's hash, which only {@link LoginRecord} has. */
export type AccountRecord = {
  id: number;
  name: string;
  /** As typed, without blanks around it. */
  email: string;
  createdAtMs: number;
  updatedAtMs: number;
};

export type NewAccount = {
  name: string;
  email: string;
  /** Unique, see `emailKey`. */
  emailKey: string;
  /** In PHC string format. */
  passwordHash: string;
  createdAtMs: number;
};

type NewToken = {
  accountId: number;
  /** The SHA-256 of the secret, in 32 bytes. */
  secretDigest: Uint8Array;
  createdAtMs: number;
  expiresAtMs: number;
};

export type LoginRecord = { account: AccountRecord; passwordHash: string };

export type TokenRecord = {
  account: AccountRecord;
  secretDigest: Uint8Array;
  expiresAtMs: number;
};

/**
 * Storage of accounts and tokens. `test/service/stores/account-store-behaviour.ts` tests what every implementation must do.
 * A resolved write is durable. Instants are milliseconds since 1970, set by the caller. Ids are safe integers, and never
 * used twice. While the database is unavailable, calls reject with a {@link createStoreUnavailableError}.
 */
export type AccountStore = {
  /** The database keeps `emailKey` unique, so of two at once one is `email-taken`. */
  createAccount(
    account: NewAccount,
  ): Promise<{ ok: true; account: AccountRecord } | { ok: false; kind: 'email-taken' }>;
  findLogin(emailKey: string): Promise<LoginRecord | undefined>;
  /** Returns its id. */
  createToken(token: NewToken): Promise<number>;
  /** By one query and without a write, since every profile request needs it. Finds expired tokens too. */
  findSession(tokenId: number): Promise<TokenRecord | undefined>;
  /** False if the token was gone, so that of two calls at once one is true. */
  revokeToken(tokenId: number): Promise<boolean>;
  /** The distinct prefixes of all password hashes, which contain their cost and perhaps a few more characters. */
  hashPrefixes(): Promise<string[]>;
  /** Replaces the hash `from`; another one that was stored meanwhile stays. */
  replacePasswordHash(accountId: number, from: string, to: string): Promise<void>;
  /** Stores the last uses of tokens in one write. Newer ones stay; revoked tokens are skipped. */
  noteTokenUses(usedAtMs: ReadonlyMap<number, number>): Promise<void>;
  /** Deletes at most `most` tokens that expired before an instant, and returns how many. */
  deleteExpiredTokens(endedBeforeMs: number, most: number): Promise<number>;
  ping(): Promise<void>;
  /** A second call does nothing. */
  close(): Promise<void>;
};
