import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Makes the part of a token after the `|`: 40 random characters and their CRC-32, by which secret scanners know it. */
export function createTokenSecret(): string {
  const entropy = Array.from({ length: 40 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return tokenSecretOf(entropy);
}

/** Makes the secret of 40 given characters: they and their CRC-32. */
export const tokenSecretOf = (entropy: string): string => entropy + crc32(entropy).toString(16).padStart(8, '0');

/**
 * Makes the secret of a token out of that of its refresh token. So the one digest that is kept is right for both, and the
 * token does not tell its refresh token.
 */
export function secretOfRefresh(refreshSecret: string): string {
  const bytes = hash('sha512', refreshSecret, 'buffer').subarray(0, 40);
  return tokenSecretOf(Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join(''));
}

/** Returns the digest of a secret, which is all of it that is kept. */
export function tokenDigest(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer');
}

/** Says whether a presented secret is the kept one, in a time that does not tell how much of it is right. */
export function secretMatches(secret: string, digest: Uint8Array): boolean {
  return timingSafeEqual(tokenDigest(secret), digest);
}

/** Reads an `Authorization` header. The scheme may be written in any case (RFC 9110 section 11.1). */
export function readBearer(authorization: string | undefined): { tokenId: number; secret: string } | undefined {
  const [, token] = /^bearer +(.*)$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : readToken(token);
}

/** Reads a token or a refresh token. An id beyond fifteen digits was never given out, and would not be exact as a number. */
export function readToken(token: string): { tokenId: number; secret: string } | undefined {
  const [, id, secret] = /^([1-9]\d{0,14})\|([A-Za-z0-9]{40}[0-9a-f]{8})$/.exec(token) ?? [];
  // A guess without its checksum does not reach the database.
  if (id === undefined || secret === undefined || secret !== tokenSecretOf(secret.slice(0, 40))) return undefined;
  return { tokenId: Number(id), secret };
}
