import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The part of a token after the `|`: 40 random characters and their CRC-32, by which secret scanners recognise it. */
export function createTokenSecret(): string {
  const entropy = Array.from({ length: 40 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return tokenSecretOf(entropy);
}

/** 40 given characters and their CRC-32. */
export const tokenSecretOf = (entropy: string): string => entropy + crc32(entropy).toString(16).padStart(8, '0');

/**
 * Derives the secret of a token from that of its refresh token, so that one stored digest fits both, and the token does not
 * reveal its refresh token.
 */
export function secretOfRefresh(refreshSecret: string): string {
  const bytes = hash('sha512', refreshSecret, 'buffer').subarray(0, 40);
  return tokenSecretOf(Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join(''));
}

/** The only part of a secret that is stored. */
export function tokenDigest(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer');
}

/** Compares in constant time. */
export function secretMatches(secret: string, digest: Uint8Array): boolean {
  return timingSafeEqual(tokenDigest(secret), digest);
}

/** Reads an `Authorization` header, with the scheme in any case (RFC 9110 section 11.1). */
export function readBearer(authorization: string | undefined): { tokenId: number; secret: string } | undefined {
  const [, token] = /^bearer +(.*)$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : readToken(token);
}

/** Reads a token or a refresh token. An id of more than fifteen digits was never issued, and would not be exact as a number. */
export function readToken(token: string): { tokenId: number; secret: string } | undefined {
  const [, id, secret] = /^([1-9]\d{0,14})\|([A-Za-z0-9]{40}[0-9a-f]{8})$/.exec(token) ?? [];
  // A guess without its checksum does not reach the database.
  if (id === undefined || secret === undefined || secret !== tokenSecretOf(secret.slice(0, 40))) return undefined;
  return { tokenId: Number(id), secret };
}
