import { hash, randomBytes } from 'node:crypto';
import { encodeBase32 } from '../../interface/totp.ts';

const COUNT = 10;

/** Ten random codes of 80 bits in Base32, in groups that can be typed. */
export const createRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => (encodeBase32(randomBytes(10)).match(/.{4}/g) ?? []).join('-'));

/** The only form in which a code is stored. It is random, so no slow hash is needed. Case, blanks and hyphens do not count. */
export const recoveryDigest = (code: string): Uint8Array =>
  hash('sha256', code.replaceAll(/[\s-]/g, '').toUpperCase(), 'buffer');
