/** Why a database cannot do now what it could do before, and may again. */
export type UnavailableReason = 'full' | 'read-only' | 'locked' | 'unreachable' | 'failing';

/** Makes an error that says that nothing is wrong with the request, which can be made again later. */
export function createStoreUnavailableError(
  reason: UnavailableReason,
  cause: unknown,
): Error & { code: string; reason: UnavailableReason } {
  const error = new Error(`The database cannot be used now: ${reason}`, { cause });
  return Object.assign(error, { code: 'LLAVERO_STORE_UNAVAILABLE', reason });
}

/** An account as routes see it. Its password's hash is only in {@link LoginRecord}. */
export type AccountRecord = {
  id: number;
  name: string;
  /** The email as it was typed, without blanks around it. */
  email: string;
  createdAtMs: number;
  updatedAtMs: number;
};

export type NewAccount = {
  name: string;
  email: string;
  /** No two accounts have the same. See `emailKey`. */
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

/** A token with its account. */
export type TokenRecord = {
  account: AccountRecord;
  secretDigest: Uint8Array;
  expiresAtMs: number;
};

/**
 * Where accounts and tokens rest. It is asynchronous, since an adapter may be a database elsewhere;
 * `test/service/stores/account-store-behaviour.ts` says what every adapter must do. What is answered as done is
 * durable. Instants are milliseconds since 1970, set by the caller. Ids are safe integers, and never given out twice.
 * When the database cannot do what is asked now, calls reject with a {@link createStoreUnavailableError}.
 */
export type AccountStore = {
  /** Makes an account. The database itself keeps `emailKey` unique, so of two at once one is `email-taken`. */
  createAccount(
    account: NewAccount,
  ): Promise<{ ok: true; account: AccountRecord } | { ok: false; kind: 'email-taken' }>;
  findLogin(emailKey: string): Promise<LoginRecord | undefined>;
  /** Makes a token, and returns its id. */
  createToken(token: NewToken): Promise<number>;
  /** Finds a token by one query and no write, whatever its end: the profile route lives on it. */
  findSession(tokenId: number): Promise<TokenRecord | undefined>;
  /** Ends a token, and returns whether this call was the one that ended it. */
  revokeToken(tokenId: number): Promise<boolean>;
  /** The beginnings of all hashes of passwords, each once, with what it says of their cost and perhaps a bit more. */
  hashPrefixes(): Promise<string[]>;
  /** Puts a stronger hash in the place of `from`; another one that got there meanwhile stays. */
  replacePasswordHash(accountId: number, from: string, to: string): Promise<void>;
  /** Keeps when tokens were used last, all in one write. What is newer stays; an ended token is skipped. */
  noteTokenUses(usedAtMs: ReadonlyMap<number, number>): Promise<void>;
  /** Deletes at most so many tokens that ended before an instant, and returns how many. */
  deleteExpiredTokens(endedBeforeMs: number, most: number): Promise<number>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Closes the database; a second call does nothing. */
  close(): Promise<void>;
};
