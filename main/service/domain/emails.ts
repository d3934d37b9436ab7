import { normalizeText } from '../../files/normalize-text.ts';

/** The limits are those of RFC 5321 section 4.5.3.1 in octets. A path of 256 leaves 254 between its angle brackets. */
const MOST_OCTETS = 254;
const MOST_LOCAL_OCTETS = 64;

/** Says whether the parts fit into an SMTP command. */
export function emailFits(email: string): boolean {
  const local = email.slice(0, email.indexOf('@'));
  return Buffer.byteLength(email) <= MOST_OCTETS && Buffer.byteLength(local) <= MOST_LOCAL_OCTETS;
}

/** Says whether there is one `@` with something on both sides, and neither blanks nor control characters. */
export function looksLikeEmail(email: string): boolean {
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email);
}

/** Returns what makes two trimmed addresses the same account: they are compared without regard to case. */
export function emailKey(email: string): string {
  return normalizeText(email, 'NFC').toLowerCase();
}

/**
 * Returns what makes two addresses the same where attempts are counted. That includes compatibility forms (circled or
 * full-width letters), so that one address in many spellings gives no further guesses.
 */
export function throttleKey(email: string): string {
  return normalizeText(email, 'NFKC').toLowerCase();
}
