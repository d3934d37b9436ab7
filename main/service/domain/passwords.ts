import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id's cost. The default is OWASP's smallest recommendation for a password store. */
export type Argon2Cost = { memoryKiB: number; passes: number; lanes: number };

export const defaultArgon2Cost: Argon2Cost = { memoryKiB: 19_456, passes: 2, lanes: 1 };

/** The cost in a hash, up to the next `$`. */
const costIn = (hash: string): string | undefined => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+/.exec(hash)?.[0];

/** A complete hash in PHC string format. */
const isWhole = (hash: string): boolean => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[\w+/-]+\$[\w+/-]+$/.test(hash);

const randomBase64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');

/**
 * Hashes in libuv's thread pool, and not on the thread that answers requests.
 * @param compute compares a password with a hash; replaced only by tests that count
 */
export function createPasswords(cost: Argon2Cost, compute: typeof verify = verify) {
  const options = { memoryCost: cost.memoryKiB, timeCost: cost.passes, parallelism: cost.lanes };
  /** For each cost of a stored hash, one that no known password matches. */
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
    /** Adds the costs of stored hashes, given them or their prefixes. */
    learnCosts: (hashes: readonly string[]): void => hashes.forEach(learn),
    /**
     * False for an unknown email, which has no hash. Every call computes one hash of each known cost, so that its time
     * reveals neither who has an account nor how old its hash is. A malformed hash counts as none.
     */
    async matches(password: string, passwordHash: string | undefined): Promise<boolean> {
      const stored = passwordHash !== undefined && isWhole(passwordHash) ? passwordHash : '';
      learn(stored);
      const itsCost = costIn(stored);
      let isMatch = false;
      for (const [each, decoy] of decoys) {
        if (await compute(each === itsCost ? stored : decoy, password)) isMatch = true;
      }
      return isMatch;
    },
    /** True for a hash of a lower cost than the current one. */
    isOutdated(passwordHash: string): boolean {
      const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(passwordHash) ?? [];
      return Number(memory ?? 0) < cost.memoryKiB || Number(passes ?? 0) < cost.passes;
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;
