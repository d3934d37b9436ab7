import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id's cost. The default is OWASP's smallest recommendation for a password store. */
export type Argon2Cost = { memoryKiB: number; passes: number; lanes: number };

export const defaultArgon2Cost: Argon2Cost = { memoryKiB: 19_456, passes: 2, lanes: 1 };

const randomBase64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');

/** Hashes in libuv's thread pool, never on the thread that answers requests. */
export function createPasswords(cost: Argon2Cost) {
  const options = { memoryCost: cost.memoryKiB, timeCost: cost.passes, parallelism: cost.lanes };

  return {
    hash: (password: string): Promise<string> => hash(password, options),
    verify: (password: string, passwordHash: string): Promise<boolean> => verify(passwordHash, password),
    /** Whether a hash cost less to compute than one would now. */
    isOutdated(passwordHash: string): boolean {
      const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(passwordHash) ?? [];
      return Number(memory ?? 0) < cost.memoryKiB || Number(passes ?? 0) < cost.passes;
    },
    /**
     * Verified in place of the hash of an unknown address, so that time does not tell who has an
     * account: of the same form and cost, and matched by no password anyone could find.
     */
    decoyHash: `$argon2id$v=19$m=${cost.memoryKiB},t=${cost.passes},p=${cost.lanes}$${randomBase64(16)}$${randomBase64(32)}`,
  };
}

export type Passwords = ReturnType<typeof createPasswords>;
