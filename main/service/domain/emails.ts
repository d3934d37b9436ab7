/** Limits of RFC 5321 section 4.5.3.1 in octets; a path of 256 leaves 254 between its angle brackets. */
const MOST_OCTETS = 254;
const MOST_LOCAL_OCTETS = 64;

/** Whether the parts fit into an SMTP command. */
export function emailFits(email: string): boolean {
  const local = email.slice(0, email.indexOf('@'));
  return Buffer.byteLength(email) <= MOST_OCTETS && Buffer.byteLength(local) <= MOST_LOCAL_OCTETS;
}

/** One `@` with something on both sides, and neither blanks nor control characters. */
export function looksLikeEmail(email: string): boolean {
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email);
}

/** What makes two trimmed addresses the same account: they are compared without regard to case. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/**
 * What makes two addresses the same for counting attempts: compatibility forms too (circled or
 * full-width letters), so that spelling one address in many ways gives no further guesses.
 */
export function throttleKey(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}
