import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id's cost. The default is OWASP's smallest recommendation for a password store. */
export type Argon2Cost = { memoryKiB: number; passes: number; lanes: number };

export const defaultArgon2Cost: Argon2Cost = { memoryKiB: 19_456, passes: 2, lanes: 1 };

/** What a hash says of its cost, as far as the first `$` after it. */
const costIn = (hash: string): string | undefined => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+/.exec(hash)?.[0];

/** A hash in full, in PHC string format. */
const isWhole = (hash: string): boolean => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[\w+/-]+\$[\w+/-]+$/.test(hash);

const randomBase64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');

/**
 * Hashes in libuv's thread pool, never on the thread that answers requests.
 *
 * @param compute compares a password with a hash; another one only where somebody counts them
 */
export function createPasswords(cost: Argon2Cost, compute: typeof verify = verify) {
  const options = { memoryCost: cost.memoryKiB, timeCost: cost.passes, parallelism: cost.lanes };
  /** For each cost that a kept hash may have, one of the same form that no password matches which anyone could find. */
  const decoys = new Map<string, string>();
  const learn = (hash: string): void => {
    const itsCost = costIn(hash);
    if (itsCost === undefined || decoys.has(itsCost)) return;
    decoys.set(itsCost, `${itsCost}$${randomBase64(16)}$${randomBase64(32)}`);
  };
  learn(`$argon2id$v=19$m=${cost.memoryKiB},t=${cost.passes},p=${cost.lanes}`);

  return {
    hash: (password: string): Promise<string> => hash(password, options),
    verify: (password: string, passwordHash: string): Promise<boolean> => compute(passwordHash, password),
    /** Takes in which costs kept hashes have, from the hashes or their beginnings. */
    learnCosts: (hashes: readonly string[]): void => hashes.forEach(learn),
    /**
     * Whether a password is that of an account; never that of an unknown email, which has no hash. Every call computes
     * one hash of each cost that is known, so that time tells neither who has an account nor how old its hash is. A
     * hash that cannot be read counts as none.
     */
    async matches(password: string, passwordHash: string | undefined): Promise<boolean> {
      const kept = passwordHash !== undefined && isWhole(passwordHash) ? passwordHash : '';
      learn(kept);
      const itsCost = costIn(kept);
      let isMatch = false;
      for (const [each, decoy] of decoys) {
        if (await compute(each === itsCost ? kept : decoy, password)) isMatch = true;
      }
      return isMatch;
    },
    /** Whether a hash cost less to compute than one would now. */
    isOutdated(passwordHash: string): boolean {
      const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(passwordHash) ?? [];
      return Number(memory ?? 0) < cost.memoryKiB || Number(passes ?? 0) < cost.passes;
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;
