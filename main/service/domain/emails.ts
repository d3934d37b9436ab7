import { normalizeText } from '../../files/normalize-text.ts';

/** The limits are those of RFC 5321 section 4.5.3.1 in octets. A path of 256 leaves 254 between its angle brackets. */
const MOST_OCTETS = 254;
const MOST_LOCAL_OCTETS = 64;

/** True if the parts fit into an SMTP command. */
export function emailFits(email: string): boolean {
  const local = email.slice(0, email.indexOf('@'));
  return Buffer.byteLength(email) <= MOST_OCTETS && Buffer.byteLength(local) <= MOST_LOCAL_OCTETS;
}

/** True for one `@` with something on both sides, and neither blanks nor control characters. */
export function looksLikeEmail(email: string): boolean {
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email);
}

/** Equal for addresses of the same account, which are compared case-insensitively. */
export function emailKey(email: string): string {
  return normalizeText(email, 'NFC').toLowerCase();
}

/**
 * The key of rate limits. It is made of the account's key, so that two spellings of one account have one count, and folds
 * compatibility forms (circled or full-width letters), so that they give no further guesses.
 */
export function rateLimitKey(email: string): string {
  return normalizeText(emailKey(email), 'NFKC').toLowerCase();
}
