/** A second factor of an account. */
export type FactorRecord = {
  /** In Base32. */
  secret: string;
  /** False until its first code has confirmed it. */
  isActive: boolean;
};

type NewFactor = {
  accountId: number;
  secret: string;
  /** The SHA-256 of each recovery code, in 32 bytes. */
  recoveryDigests: readonly Uint8Array[];
};

/** Replaces the password hash `from` by `to`. */
type PasswordChange = { accountId: number; from: string; to: string; keepTokenId: number; atMs: number };

/** Storage of second factors, and changes of accounts. A resolved write is durable. */
export type AccountCallStore = {
  findFactor(accountId: number): Promise<FactorRecord | undefined>;
  /** Replaces a factor that is not active, with its recovery codes. False if one is active. */
  createFactor(factor: NewFactor): Promise<boolean>;
  /** False if there is none with this secret that is not active. */
  activateFactor(accountId: number, secret: string): Promise<boolean>;
  /** False if the step of a code was used before, so that of two at once one is true. */
  useStep(accountId: number, step: number): Promise<boolean>;
  /** False for a wrong code and for a used one. */
  useRecoveryCode(accountId: number, digest: Uint8Array): Promise<boolean>;
  /** Also deletes every other session of the account. False if another change was first. */
  changePassword(change: PasswordChange): Promise<boolean>;
  /** Also deletes its sessions and its factor. False if it is gone. */
  deleteAccount(accountId: number): Promise<boolean>;
  /** For simulated vulnerabilities only, as the next two. */
  hasRecoveryCode(accountId: number, digest: Uint8Array): Promise<boolean>;
  activeSecrets(): Promise<string[]>;
  tokenIdsOf(accountId: number): Promise<number[]>;
};
